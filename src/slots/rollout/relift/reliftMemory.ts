import { isMeasured } from '../../../contract/rows.ts';
import { groupsOf } from '../../../core/batch.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { solve } from '../demonstrations/solver.ts';
import { numbersOf, TASK, taskAt } from '../again/storedTask.ts';
import type { Replay, RolloutMemory } from '../memory/types.ts';
import type { reliftSettings } from './relift.ts';

/** Puts a task in front of those that wait; the last one falls out where there is no room. */
function put(waiting: Float64Array, task: readonly number[]): void {
  waiting.copyWithin(TASK, 0, waiting.length - TASK);
  waiting.set(task);
}

export const reliftMemory: RolloutMemory<ValuesOf<typeof reliftSettings>> = {
  report(memory, finished, { env, T, level }) {
    const { batch } = finished;
    for (const group of groupsOf(batch)) {
      const own = group.filter((i) => isMeasured(batch, i));
      const [first] = own;
      if (first === undefined || !finished.isFromStart(first) || own.some((i) => batch.success[i] !== 0)) continue;
      // what the solver gives up on, or finds no way through in time, is no lesson
      if (!solve({ env, T, begins: null }, level(finished.name(first)), finished.episodeSeed(first))) continue;
      put(memory['waiting'] as Float64Array, numbersOf(finished, first));
    }
    return {};
  },

  imitate(memory, { env, T, level }, { size }) {
    const waiting = memory['waiting'] as Float64Array;
    // the newest stand in front, without a gap
    if (!taskAt(waiting, size - 1)) return [];
    const lessons = Array.from({ length: size }, (_, k): Replay => {
      const task = taskAt(waiting, k)!;
      const actions = solve({ env, T, begins: null }, level(task.name), task.episodeSeed)!;
      return { ...task, actions, advantage: 1, came: { origin: 'demo' } };
    });
    waiting.copyWithin(0, size * TASK);
    waiting.fill(0, size * TASK);
    return lessons;
  },

  imitationRate: ({ rate }) => rate,
};
