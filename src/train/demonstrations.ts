import type { Batch } from '../core/batch.ts';
import { discountedOptimum } from '../core/dp.ts';
import { enumerate, type Enumeration } from '../envs/enumerate.ts';
import { FLAG, type StepResult } from '../envs/types.ts';
import { selectGroups } from './creditSubset.ts';
import type { Plan, Tasks } from './plan.ts';

/** Action of the solver in a state at step t; null: it knows none. */
type Solver = (state: Uint32Array, t: number) => number | null;

/** Where chance acts, levels with more states than this have a plan for a world without chance only. */
const STATES = 5_000;
/** Of the chance to reach the goal, so that the shortest safe way is the best one. */
const GAMMA = 0.95;
const TOLERANCE = 1e-9;

const solvers = new WeakMap<object, Solver>();
const result: StepResult = { reward: 0, flags: 0 };

/** Episodes of every task group that the solver plays. */
export const demonstrationsOf = ({ objective, objectiveParams }: Plan): number =>
  objective.demonstrations?.(objectiveParams as never) ?? 0;

/**
 * What the solver does in the episodes that it plays, the last ones of every task group of replica s: [B, T] action + 1,
 * 0 where the policy chooses. Chance in the world is drawn by the seed of the episode, so that an episode is known before
 * it is played: one in which the solver does not reach the goal within the step limit is left to the policy as a whole.
 * Null where the objective wants no demonstrations.
 */
export function demonstratedActions(plan: Plan, tasks: Tasks, s: number): Uint32Array | null {
  const { B, G, T } = plan;
  const d = demonstrationsOf(plan);
  if (d === 0) return null;
  const forced = new Uint32Array(B * T);
  for (let i = 0; i < B; i++) {
    if (i % G < G - d) continue;
    const row = s * B + i;
    const level = tasks.levels[tasks.levelOf[row]!]!;
    const actions = solve(plan, level, tasks.episodeSeed[row]!);
    actions?.forEach((action, t) => (forced[i * T + t] = action + 1));
  }
  return forced;
}

/** Actions of an episode that reaches the goal; null if the solver finds none. */
function solve({ env, T }: Plan, level: object, episodeSeed: number): number[] | null {
  let solver = solvers.get(level);
  if (!solver) solvers.set(level, (solver = solverOf(env, level)));
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const actions: number[] = [];
  for (let t = 0; t < T; t++) {
    const action = solver(state, t);
    if (action === null || ((env.legal(level, state, 0) >>> action) & 1) === 0) return null;
    actions.push(action);
    env.step(level, state, 0, action, episodeSeed, result);
    if ((result.flags & FLAG.terminated) !== 0) return (result.flags & FLAG.success) !== 0 ? actions : null;
  }
  return null;
}

/** Without chance the shortest path; with chance the best action of every state, where the level is small enough. */
function solverOf(env: Plan['env'], level: object): Solver {
  const all = env.chances(level) > 1 ? enumerate(env, level, STATES) : null;
  if (!all) {
    const path = env.shortestPath(level) ?? [];
    return (_, t) => path[t] ?? null;
  }
  const best = bestActions(all);
  return (state) => best[all.rowOf(state, 0)] ?? null;
}

/** The action of every state with the largest discounted chance of success; of equal ones the first. */
function bestActions({ model }: Enumeration): Uint32Array {
  const { states, actions, offset, next, probability, success } = model;
  const V = discountedOptimum({ ...model, reward: success }, GAMMA, TOLERANCE);
  return Uint32Array.from({ length: states }, (_, s) => {
    let best = 0;
    let most = -Infinity;
    for (let a = 0; a < actions; a++) {
      const sa = s * actions + a;
      let q = success[sa]!;
      for (let k = offset[sa]!; k < offset[sa + 1]!; k++)
        if (next[k]! >= 0) q += GAMMA * probability[k]! * V[next[k]!]!;
      if (q > most) [best, most] = [a, q];
    }
    return best;
  });
}

/** The part of a batch that the policy played itself, and which trajectories these are; the batch itself if it is all. */
export function ownPart(batch: Batch): { readonly batch: Batch; readonly rows: readonly number[] } {
  const rows = Array.from({ length: batch.B }, (_, i) => i).filter((i) => batch.demo?.[i] !== 1);
  if (rows.length === batch.B) return { batch, rows };
  const groups = new Map<number, number[]>();
  for (const i of rows) groups.set(batch.taskIndex[i]!, [...(groups.get(batch.taskIndex[i]!) ?? []), i]);
  return selectGroups(batch, [...groups.values()]);
}

/** The part of the numbers per trajectory that belongs to these ones. */
export function partOf<T extends Float32Array | Uint32Array | Int32Array>(
  values: T,
  B: number,
  rows: readonly number[],
): T {
  if (rows.length === B) return values;
  const each = values.length / B;
  const part = values.slice(0, rows.length * each) as T;
  rows.forEach((i, k) => part.set(values.subarray(i * each, (i + 1) * each), k * each));
  return part;
}
