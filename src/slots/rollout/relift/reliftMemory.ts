import { isMeasured } from '../../../contract/rows.ts';
import { groupsOf } from '../../../core/batch.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { solve } from '../demonstrations/solver.ts';
import { dropTasks, moveTasks, putTask, TASK, taskAt, type TaskList } from '../again/storedTask.ts';
import type { Tensors } from '../../../contract/state.ts';
import type { Replay, RolloutMemory } from '../memory/types.ts';
import type { reliftSettings } from './relift.ts';

const waitingIn = ({ waiting, starts }: Tensors): TaskList => ({
  numbers: waiting as Float64Array,
  starts: starts as Uint32Array,
});

export const reliftMemory: RolloutMemory<ValuesOf<typeof reliftSettings>> = {
  report(memory, finished, { env, T, level }) {
    const { batch } = finished;
    const waiting = waitingIn(memory);
    for (const group of groupsOf(batch)) {
      const own = group.filter((i) => isMeasured(batch, i));
      const [first] = own;
      if (first === undefined || own.some((i) => batch.success[i] !== 0)) continue;
      // what the solver gives up on, or finds no way through in time, is no lesson
      const from = { env, T, begins: finished.begins(first) };
      if (!solve(from, level(finished.name(first)), finished.episodeSeed(first))) continue;
      // in front of those that wait; the last one falls out where there is no room
      moveTasks(waiting, 1, waiting.numbers.length / TASK - 1);
      putTask(waiting, 0, finished, first);
    }
    return {};
  },

  imitate(memory, { env, T, level }, { size }) {
    const waiting = waitingIn(memory);
    // the newest stand in front, without a gap
    if (!taskAt(waiting, size - 1)) return [];
    const lessons = Array.from({ length: size }, (_, k): Replay => {
      const task = taskAt(waiting, k)!;
      const begins = task.begins ? Uint32Array.from(task.begins) : null;
      const actions = solve({ env, T, begins }, level(task.name), task.episodeSeed)!;
      return { ...task, actions, advantage: 1, came: { origin: 'demo' } };
    });
    dropTasks(waiting, size);
    return lessons;
  },

  imitationRate: ({ rate }) => rate,
};
