import type { ValuesOf } from '../../../core/settings.ts';
import type { Tensors } from '../../../contract/state.ts';
import { putTask, taskAt, type TaskList } from '../again/storedTask.ts';
import type { Finished, MemoryContext, Replay, RolloutMemory } from '../memory/types.ts';
import { playedBy } from './explored.ts';
import { fitted, type Step } from './fitted.ts';
import type { sqirlSettings } from './sqirl.ts';
import { putFound, STEP } from './table.ts';

type Params = ValuesOf<typeof sqirlSettings>;

const tasksIn = ({ tasks, starts }: Tensors): TaskList => ({
  numbers: tasks as Float64Array,
  starts: starts as Uint32Array,
});

/** Writes the steps t … t + k − 1 of the rows of a batch, and the returns from each on. */
function keep(
  seen: Float64Array,
  { batch, name }: Finished,
  { t, k, first }: { readonly t: number; readonly k: number; readonly first: number },
): void {
  const { B, T, length, action, reward, stateKey } = batch;
  for (let i = 0; i < B; i++) {
    const last = length[i]! - 1;
    let back = 0;
    for (let j = last; j >= t; j--) {
      const at = i * T + j;
      // thousandths are whole, so sums are those of the world
      const paid = Math.round(reward[at]! * 1000);
      back += paid / 1000;
      if (j >= t + k) continue;
      const goesOn = j < last;
      seen.set(
        [
          ...[j + 1, name(i).levelSeed, stateKey[2 * at]!, stateKey[2 * at + 1]!, action[at]!, paid, back],
          ...(goesOn ? [stateKey[2 * at + 2]!, stateKey[2 * at + 3]!, 1] : [0, 0, 0]),
        ],
        ((first + i) * k + j - t) * STEP,
      );
    }
  }
}

/** What is best at step t by all steps that were kept goes into the table. */
function settle(memory: Tensors, { T, actions: A }: MemoryContext, t: number, k: number): void {
  const [seen, found] = [memory['seen'] as Float64Array, memory['found'] as Uint32Array];
  const places = new Map<string, number>();
  const states: { readonly level: number; readonly key: readonly number[] }[] = [];
  const placeOf = (level: number, high: number, low: number): number => {
    const name = `${level},${high},${low}`;
    if (!places.has(name)) places.set(name, states.push({ level, key: [high, low] }) - 1);
    return places.get(name)!;
  };
  const steps: Step[] = [];
  for (let at = 0; at < seen.length; at += STEP) {
    const [number, level, high, low, a, paid, back, nextHigh, nextLow, goes] = seen.subarray(at, at + STEP);
    if (number === 0) continue;
    const next = goes === 1 ? placeOf(level!, nextHigh!, nextLow!) : -1;
    steps.push({
      ...{ t: number! - 1, s: placeOf(level!, high!, low!), a: a!, next },
      ...{ reward: paid! / 1000, back: back! },
    });
  }
  const Q = fitted(steps, { t, T, n: states.length, A, k });
  states.forEach(({ level, key }, s) => {
    const own = Q.subarray(s * A, (s + 1) * A);
    const most = Math.max(...own);
    if (most > -Infinity) putFound(found, t, level, key, own.indexOf(most));
  });
}

export const sqirlMemory: RolloutMemory<Params> = {
  report(memory, finished, context, { backups: k, batches }) {
    const [at, seen] = [memory['at'] as Uint32Array, memory['seen'] as Float64Array];
    const { B, P, T } = context;
    const { taskIndex } = finished.batch;
    for (let task = 0; task < P; task++) {
      const row = taskIndex.indexOf(task);
      if (row >= 0) putTask(tasksIn(memory), task, finished, row);
    }
    const [t, played] = [at[0]!, at[1]!];
    if (t >= T) return {};
    keep(seen, finished, { t, k, first: played * B });
    at[1] = played + 1;
    if (at[1] < batches) return {};
    settle(memory, context, t, k);
    seen.fill(0);
    at.set([t + 1, 0]);
    return {};
  },

  imitate(memory, { env, T, P, level }) {
    const [at, found] = [memory['at'] as Uint32Array, memory['found'] as Uint32Array];
    const until = at[0]!;
    if (until === 0) return [];
    const tasks = tasksIn(memory);
    return Array.from({ length: P }, (_, k) => taskAt(tasks, k)).flatMap((task): Replay[] => {
      if (!task) return [];
      const { name, episodeSeed, begins = null } = task;
      const episode = { env, T, level: level(name), levelSeed: name.levelSeed, begins, episodeSeed };
      // an episode goes on to its end, but what was not found is no lesson
      let known = 0;
      let isKnown = true;
      const actions = playedBy(episode, found, until, (t, legal) => {
        if (isKnown) known = t;
        isKnown = false;
        return legal[0]!;
      });
      if (isKnown) known = actions.length;
      if (known === 0) return [];
      const weights = actions.map((_, t) => (t < known ? 1 : 0));
      return [{ ...task, actions, weights, advantage: 1, came: { origin: 'search' } }];
    });
  },

  imitationRate: ({ rate }) => rate,
};
