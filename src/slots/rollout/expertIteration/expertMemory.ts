import { groupsOf } from '../../../core/batch.ts';
import { log } from '../../../core/fmath.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { mean } from '../../../core/stats.ts';
import { isMeasured } from '../../../contract/rows.ts';
import { FLAG, type Move, type StepResult } from '../../../envs/types.ts';
import { numbersOf, TASK, taskAt } from '../again/storedTask.ts';
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

/** The first path to success that a best-first search meets in `nodes` steps; null: none. */
export function bestFirst(
  { env, T, probs, spend }: Pick<MemoryContext, 'env' | 'T' | 'probs' | 'spend'>,
  level: object,
  episodeSeed: number,
  { nodes, kappa }: Pick<Params, 'nodes' | 'kappa'>,
): Found | null {
  const start = new Uint32Array(env.words);
  env.reset(level, start, 0);
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

/** Puts a task in front of a list; the same level further back, or else the last one, makes room. */
export function remember(pool: Float64Array, task: readonly number[]): void {
  let at = 0;
  const isSame = (k: number): boolean => [1, 2, 3].every((n) => pool[k * TASK + n] === task[n]) && pool[k * TASK] === 1;
  while ((at + 1) * TASK < pool.length && !isSame(at)) at++;
  pool.copyWithin(TASK, 0, at * TASK);
  pool.set(task);
}

type Lesson = Replay & Found;

/** Solutions of the tasks of a list that the search finds, with the middle of all of their steps. */
function solutions(tasks: Float64Array, context: MemoryContext, params: Params): Replay[] {
  const found: Lesson[] = [];
  for (let k = 0; k * TASK < tasks.length; k++) {
    const task = taskAt(tasks, k);
    const path = task && bestFirst(context, context.level(task.name), task.episodeSeed, params);
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
    const { pool, recent } = memory as Readonly<Record<string, Float64Array>>;
    const tasks = memory['tasks'] as Float64Array;
    tasks.fill(0);
    groupsOf(finished.batch).forEach(([first], p) => {
      if (first !== undefined && finished.isFromStart(first)) tasks.set(numbersOf(finished, first), p * TASK);
    });
    if (pool && recent) {
      for (let k = 0; k * TASK < tasks.length; k++)
        if (tasks[k * TASK] === 1) remember(pool, [...tasks.subarray(k * TASK, (k + 1) * TASK)]);
      const { batch } = finished;
      const own = Array.from(batch.success).filter((_, i) => isMeasured(batch, i));
      recent.copyWithin(1, 0, recent.length - 1);
      recent[0] = 1 + mean(own);
    }
    return {};
  },

  imitate(memory, context, params) {
    const { tasks, pool, recent } = memory as Readonly<Record<string, Float64Array>>;
    if (pool && recent && isPlateau(recent)) {
      const lessons = solutions(pool, context, params);
      return Array.from({ length: params.passes }, () => lessons).flat();
    }
    return (context.update + 1) % params.every === 0 ? solutions(tasks!, context, params) : [];
  },

  restart(memory, lessons) {
    const { recent, base } = memory as { readonly recent?: Float64Array; readonly base?: Float32Array };
    if (!recent || !base || !isPlateau(recent)) return null;
    recent.fill(0);
    return lessons.length > 0 ? base : null;
  },

  imitationRate: ({ rate }) => rate,
};
