import { isMeasured } from '../../../contract/rows.ts';
import { groupsOf } from '../../../core/batch.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { solve } from '../demonstrations/solver.ts';
import type { Replay, RolloutMemory } from '../memory/types.ts';
import { WAITING, type reliftSettings } from './relift.ts';

/** Puts a task in front of those that wait; the last one falls out where there is no room. */
function put(waiting: Float64Array, task: readonly number[]): void {
  waiting.copyWithin(WAITING, 0, waiting.length - WAITING);
  waiting.set([1, ...task]);
}

export const reliftMemory: RolloutMemory<ValuesOf<typeof reliftSettings>> = {
  report(memory, finished, { env, T, level }) {
    const { batch } = finished;
    for (const group of groupsOf(batch)) {
      const own = group.filter((i) => isMeasured(batch, i));
      const [first] = own;
      if (first === undefined || !finished.isFromStart(first) || own.some((i) => batch.success[i] !== 0)) continue;
      const name = finished.name(first);
      const episodeSeed = finished.episodeSeed(first);
      // what the solver gives up on, or finds no way through in time, is no lesson
      if (!solve({ env, T, begins: null }, level(name), episodeSeed)) continue;
      put(memory['waiting'] as Float64Array, [name.levelSeed, name.maxSteps, name.variant, episodeSeed]);
    }
    return {};
  },

  imitate(memory, { env, T, level }, { size }) {
    const waiting = memory['waiting'] as Float64Array;
    let count = 0;
    while (count < 2 * size && waiting[count * WAITING] === 1) count++;
    if (count < size) return [];
    const lessons = Array.from({ length: size }, (_, k): Replay => {
      const [levelSeed, maxSteps, variant, episodeSeed] = waiting.subarray(k * WAITING + 1, (k + 1) * WAITING);
      const name = { levelSeed: levelSeed!, maxSteps: maxSteps!, variant: variant! };
      const actions = solve({ env, T, begins: null }, level(name), episodeSeed!)!;
      return { name, episodeSeed: episodeSeed!, actions, advantage: 1 };
    });
    waiting.copyWithin(0, size * WAITING);
    waiting.fill(0, (2 * size - size) * WAITING);
    return lessons;
  },

  imitationRate: ({ rate }) => rate,
};
