import { groupsOf } from '../../../core/batch.ts';
import { log } from '../../../core/fmath.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { mean } from '../../../core/stats.ts';
import { isMeasured } from '../../../contract/rows.ts';
import type { Tensors } from '../../../contract/state.ts';
import { FLAG, type Move, type StepResult } from '../../../envs/types.ts';
import { copyTask, isSameTask, moveTasks, putTask, TASK, taskAt, type TaskList } from '../again/storedTask.ts';
import type { MemoryContext, Replay, RolloutMemory } from '../memory/types.ts';
import type { expertSettings } from './expertIteration.ts';

type Params = ValuesOf<typeof expertSettings>;

/** A path from the start: the state it leads to, its actions, −log π of each, and how soon it is expanded. */
type Path = {
  readonly state: Uint32Array;
  readonly actions: readonly number[];
  readonly surprise: readonly number[];
  readonly rank: number;
};
type Found = Pick<Path, 'actions' | 'surprise'>;

/** The first path to success from the start, or from a saved state, that a best-first search meets in `nodes` steps; null: none. */
export function bestFirst(
  { env, T, probs, spend }: Pick<MemoryContext, 'env' | 'T' | 'probs' | 'spend'>,
  level: object,
  episodeSeed: number,
  { nodes, kappa }: Pick<Params, 'nodes' | 'kappa'>,
  begins?: ArrayLike<number>,
): Found | null {
  const start = new Uint32Array(env.words);
  if (begins) start.set(begins);
  else env.reset(level, start, 0);
  const open: Path[] = [{ state: start, actions: [], surprise: [], rank: 0 }];
  const key = new Uint32Array(2);
  const met = new Set<string>();
  const isNew = (state: Uint32Array): boolean => {
    env.key(level, state, 0, key, 0);
    return met.size < met.add(`${key[0]} ${key[1]}`).size;
  };
  isNew(start);
  const move: Move = { action: 0, seed: episodeSeed };
  const result: StepResult = { reward: 0, flags: 0 };
  for (let steps = 0; open.length > 0;) {
    // equal ranks: the older one
    const best = open.reduce((most, path, k) => (path.rank > open[most]!.rank ? k : most), 0);
    const [{ state, actions, surprise }] = open.splice(best, 1) as [Path];
    if (actions.length >= T) continue;
    const legal = env.legal(level, state, 0);
    const p = Float64Array.from(probs(level, state));
    for (let action = 0; action < p.length; action++) {
      if (((legal >>> action) & 1) === 0 || p[action] === 0) continue;
      if (steps === nodes) return null;
      steps++;
      spend(1);
      const after = state.slice();
      move.action = action;
      env.step(level, after, 0, move, result);
      const longer = { actions: [...actions, action], surprise: [...surprise, -log(p[action]!)] };
      if ((result.flags & FLAG.success) !== 0) return longer;
      if ((result.flags & (FLAG.terminated | FLAG.truncated)) !== 0 || !isNew(after)) continue;
      const sum = longer.surprise.reduce((total, x) => total + x, 0);
      open.push({ state: after, ...longer, rank: -sum / longer.actions.length ** kappa });
    }
  }
  return null;
}

/**
 * 1 for the steps in the middle of all by how much they surprise, 0 for the others; stretched so that their mean is 1. Equal
 * ones: in their order.
 */
export function middleOf(surprise: readonly number[], middle: number): Float64Array {
  const n = surprise.length;
  const order = surprise.map((_, k) => k).sort((a, b) => surprise[a]! - surprise[b]! || a - b);
  const cut = Math.floor((n * (1 - middle)) / 2);
  const weight = new Float64Array(n);
  for (const k of order.slice(cut, n - cut)) weight[k] = n / (n - 2 * cut);
  return weight;
}

/** Success gained from one span to the next that is no plateau; and success above which there is nothing to gain. */
const GAIN = 0.01;
const SOLVED = 0.99;

/** Has success stopped rising? `recent`: see the state of the module. */
export function isPlateau(recent: Float64Array): boolean {
  if (recent.at(-1) === 0) return false;
  const half = recent.length / 2;
  const [now, before] = [mean(recent.subarray(0, half)) - 1, mean(recent.subarray(half)) - 1];
  return now - before <= GAIN && now < SOLVED;
}

/** Puts task k of a list in front of a pool; the same task further back, or else the last one, makes room. */
export function remember(pool: TaskList, tasks: TaskList, k: number): void {
  const places = pool.numbers.length / TASK;
  let at = 0;
  while (at + 1 < places && !isSameTask(pool, at, tasks, k)) at++;
  moveTasks(pool, 1, at);
  copyTask(tasks, k, pool, 0);
}

/** Those of the batch, and those that were met before. */
const tasksIn = ({ tasks, starts }: Tensors): TaskList => ({
  numbers: tasks as Float64Array,
  starts: starts as Uint32Array,
});
const poolIn = ({ pool, poolStarts }: Tensors): TaskList | null =>
  pool ? { numbers: pool as Float64Array, starts: poolStarts as Uint32Array } : null;

type Lesson = Replay & Found;

/** Solutions of the tasks of a list that the search finds, with the middle of all of their steps. */
function solutions(tasks: TaskList, context: MemoryContext, params: Params): Replay[] {
  const found: Lesson[] = [];
  for (let k = 0; k * TASK < tasks.numbers.length; k++) {
    const task = taskAt(tasks, k);
    const path = task && bestFirst(context, context.level(task.name), task.episodeSeed, params, task.begins);
    if (path) found.push({ ...task, advantage: 1, came: { origin: 'search' }, ...path });
  }
  const weight = middleOf(
    found.flatMap(({ surprise }) => surprise),
    params.middle,
  );
  let from = 0;
  return found.map(({ surprise, ...replay }) => {
    const weights = weight.slice(from, (from += surprise.length));
    return { ...replay, weights };
  });
}

export const expertMemory: RolloutMemory<Params> = {
  report(memory, finished) {
    const recent = memory['recent'] as Float64Array | undefined;
    const [tasks, pool] = [tasksIn(memory), poolIn(memory)];
    tasks.numbers.fill(0);
    groupsOf(finished.batch).forEach(([first], p) => {
      if (first !== undefined) putTask(tasks, p, finished, first);
    });
    if (pool && recent) {
      for (let k = 0; k * TASK < tasks.numbers.length; k++) if (taskAt(tasks, k)) remember(pool, tasks, k);
      const { batch } = finished;
      const own = Array.from(batch.success).filter((_, i) => isMeasured(batch, i));
      recent.copyWithin(1, 0, recent.length - 1);
      recent[0] = 1 + mean(own);
    }
    return {};
  },

  imitate(memory, context, params) {
    const recent = memory['recent'] as Float64Array | undefined;
    const pool = poolIn(memory);
    if (pool && recent && isPlateau(recent)) {
      // answered: `restart`, which is asked next, knows it by that
      recent.fill(0);
      const lessons = solutions(pool, context, params);
      return Array.from({ length: params.passes }, () => lessons).flat();
    }
    return (context.update + 1) % params.every === 0 ? solutions(tasksIn(memory), context, params) : [];
  },

  restart(memory, lessons) {
    const { recent, base } = memory as { readonly recent?: Float64Array; readonly base?: Float32Array };
    // after any other update the newest entry is at least 1
    return base && recent?.[0] === 0 && lessons.length > 0 ? base : null;
  },

  imitationRate: ({ rate }) => rate,
};
