import type { Batch } from '../contract/columns.ts';
import { backwardInduction, type Values } from '../core/dp.ts';
import type { Enumeration } from '../envs/enumerate.ts';
import { addCreditGradient, exactGradient, visitation } from './analysis/exactGradient.ts';
import type { BatchView } from '../engine/backend.ts';
import type { Grounds } from './creditGround.ts';
import { noExactReason, PAIR_LIMIT } from '../engine/exactValues.ts';
import type { Plan } from '../engine/plan.ts';
import { phasesOf } from '../engine/versions.ts';

/**
 * Exact values of one task under what played there: one policy, or several versions that take over from each other in
 * mid-episode. They have an entry for every step that an episode of the task may have. `at`: where the states of the level begin in tables that hold all levels, with one row for each state
 * whatever played; `cell`: the same in tables that tell apart what played.
 */
export type LevelTruth = {
  readonly seen: Enumeration;
  /** [n, actions] π(a|s) of the version that plays step t */
  readonly probsAt: (t: number) => Float32Array;
  readonly values: Values;
  /** [n, actions] gradient of the return on the table of logits */
  readonly gradient: Float64Array;
  readonly at: number;
  readonly cell: number;
};

/** Truths in the order of their first trajectory, and which of them is that of a trajectory. */
export type Truths = {
  readonly all: readonly LevelTruth[];
  /** [B] */
  readonly of: Uint32Array;
  /** entries of a table over (state, action) of all levels */
  readonly size: number;
};

const TOO_LARGE = 'The task has too many states for exact values.';

/** What is needed to know which policy played which trajectory of a batch. */
export type PlayedBatch = Pick<BatchView, 'levelSeeds' | 'limits' | 'state' | 'theta' | 'versions' | 'restriction'> & {
  readonly batch: { readonly T: number };
};

/** First state of trajectory i. */
const firstOf = ({ state, levelSeeds, batch }: PlayedBatch, i: number): Uint32Array => {
  const words = state.length / (levelSeeds.length * (batch.T + 1));
  return state.subarray(i * (batch.T + 1) * words, (i * (batch.T + 1) + 1) * words);
};

/** Steps that trajectory i has from its first on: its step limit, less those that its start has used up. */
const stepsLeft = (view: PlayedBatch, i: number): number =>
  (view.limits[i]! || view.batch.T) - (firstOf(view, i).at(-1)! & 0xffff);

/** A task, which is level, start and step limit, and the versions that play it, as a name: equal names have the same truth. */
const nameOf = (view: PlayedBatch, i: number): string =>
  [
    ...[view.levelSeeds[i]!, view.limits[i]!, ...firstOf(view, i)],
    ...phasesOf(view, i).map(({ from, version }) => `${version} from ${from}`),
  ].join();

/**
 * Where step t of trajectory i lies in values of its level over the whole step limit of an experiment: as many steps before
 * the end as it has left.
 */
export const timeOf = (view: PlayedBatch, i: number, t: number): number => view.batch.T - stepsLeft(view, i) + t;

/** How many truths a batch has: one for each level, and where versions mix, for each way in which they play it. */
export const truthsIn = (view: PlayedBatch): number =>
  new Set(Array.from(view.levelSeeds, (_, i) => nameOf(view, i))).size;

/**
 * Exact values of a batch under the policy that sampled it, level by level, so that whoever drives it can stop in between.
 * Where several versions played, every trajectory is judged by its own. Returns the truths, or the sentence that says why
 * there are none. `known`: policies that were worked out before, where one played all.
 */
export function* exactTruths(
  grounds: Grounds,
  view: PlayedBatch,
  known: ReadonlyMap<number, Float32Array> = new Map(),
): Generator<number, Truths | string> {
  const { plan } = grounds;
  const why = noExactReason(plan);
  if (why !== null) return why;
  const names = Array.from(view.levelSeeds, (_, i) => nameOf(view, i));
  const distinct = [...new Set(names)];
  const weights = view.versions?.weights ?? [view.theta];
  const policies = new Map<string, Float32Array>();
  const starts = new Map<number, number>();
  const all: LevelTruth[] = [];
  let [size, cells] = [0, 0];
  for (const name of distinct) {
    const i = names.indexOf(name);
    const seed = view.levelSeeds[i]!;
    const seen = grounds.of(seed)?.seen;
    if (!seen || seen.model.states * plan.T > PAIR_LIMIT) return TOO_LARGE;
    const probsOf = (version: number): Float32Array => {
      const key = `${seed} ${version}`;
      let probs = (view.versions ? undefined : known.get(seed)) ?? policies.get(key);
      if (!probs) policies.set(key, (probs = grounds.policyOf(seed, seen, weights[version]!, view.restriction)));
      return probs;
    };
    const phases = phasesOf(view, i).map(({ from, version }) => ({ from, probs: probsOf(version) }));
    const probsAt = (t: number): Float32Array => phases.findLast(({ from }) => from <= t)!.probs;
    yield (all.length + 0.3) / distinct.length;
    const left = stepsLeft(view, i);
    const values = backwardInduction(seen.model, probsAt, left);
    const start = new Float64Array(seen.model.states);
    start[Math.max(0, seen.rowOf(firstOf(view, i), 0))] = 1;
    const gradient = exactGradient(seen.model, probsAt, values, visitation(seen.model, probsAt, start, left));
    const at = starts.get(seed) ?? size;
    if (!starts.has(seed)) {
      starts.set(seed, at);
      size += gradient.length;
    }
    all.push({ seen, probsAt, values, gradient, at, cell: cells });
    cells += gradient.length;
    yield all.length / distinct.length;
  }
  const place = new Map(distinct.map((name, k) => [name, k]));
  return { all, of: Uint32Array.from(names, (name) => place.get(name)!), size };
}

/**
 * ∂J/∂z over all levels, each weighted by its share of the trajectories. z is the table of logits; where several versions
 * play a level, it is what is added to the logits of all of them.
 */
export function wholeGradient({ all, of, size }: Truths): Float64Array {
  const gradient = new Float64Array(size);
  const B = of.length;
  for (const truth of of) {
    const { gradient: own, at } = all[truth]!;
    for (let k = 0; k < own.length; k++) gradient[at + k]! += own[k]! / B;
  }
  return gradient;
}

/** Where each step of a batch lies in the tables: row of its state in the enumeration of its level, −1 if unknown. [B, T] */
export function rowsOfSteps(
  plan: Plan,
  { all, of }: Truths,
  view: { readonly length: Uint32Array; readonly state: Uint32Array },
): Int32Array {
  const { T, env } = plan;
  const B = view.length.length;
  const rows = new Int32Array(B * T).fill(-1);
  for (let i = 0; i < B; i++) {
    const { seen } = all[of[i]!]!;
    for (let t = 0; t < view.length[i]!; t++) rows[i * T + t] = seen.rowOf(view.state, (i * (T + 1) + t) * env.words);
  }
  return rows;
}

/** A_t(s, a) at a row of a level. Words that are no command have no value of their own: 0. */
export function exactAt({ values, seen }: LevelTruth, actions: number, t: number, row: number, action: number): number {
  const n = seen.model.states;
  if (row < 0 || action >= actions) return 0;
  return values.Q[(t * n + row) * actions + action]! - values.V[t * n + row]!;
}

/**
 * Gradient that credit A gives on the table of logits of all levels: ĝ = 1/B Σ x·(e_a − π_t(·|s)), with the version that
 * played the step. `of` and `rows` say where the steps lie.
 */
export function gradientOf(
  plan: Plan,
  truths: Truths,
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'action'>,
  { of, rows }: { readonly of: Uint32Array; readonly rows: Int32Array },
  A: Float32Array,
): Float64Array {
  const { actions, T } = plan;
  const gradient = new Float64Array(truths.size);
  for (let i = 0; i < batch.B; i++) {
    const { probsAt, at } = truths.all[of[i]!]!;
    for (let k = i * T; k < i * T + batch.length[i]!; k++) {
      const [row, action] = [rows[k]!, batch.action[k]!];
      if (row < 0 || action >= actions || A[k] === 0) continue;
      addCreditGradient(
        gradient,
        at + row * actions,
        probsAt(k - i * T),
        row * actions,
        actions,
        action,
        A[k]! / batch.B,
      );
    }
  }
  return gradient;
}
