import { isMeasured } from '../contract/rows.ts';
import { asPlayed, mapColumns, type Batch } from '../contract/columns.ts';
import { groupsOf, stepsOf } from '../core/batch.ts';
import { below, PURPOSE, random } from '../core/random.ts';
import { quantileSorted } from '../core/stats.ts';
import type { AnyValues } from '../core/settings.ts';
import { biasVariance, type CellSample } from './analysis/biasVariance.ts';
import { cosine } from '../core/fidelity.ts';
import type { Estimator } from '../slots/types.ts';
import { batchOf, makeArrays } from '../engine/arrays.ts';
import type { BatchView } from '../engine/backend.ts';
import { exactAt, gradientOf, rowsOfSteps, type Truths } from './creditExact.ts';
import { freshTasks } from './creditFork.ts';
import { FRESH } from './creditLimits.ts';
import { joinBatches, selectGroups } from '../contract/creditSubset.ts';
import type { CosineAt, Deep } from './creditTypes.ts';
import { restricted } from '../engine/cpu/restricted.ts';
import { makeCpuPolicy } from '../engine/cpu/policy.ts';
import { rolloutReplica } from '../engine/cpu/rollout.ts';
import { payerOf } from '../engine/freshPay.ts';
import { creditOfSteps } from '../engine/unitCredit.ts';
import type { Plan } from '../engine/plan.ts';
import { weightsAt } from '../engine/versions.ts';

/** Random subsets for each size (spec metrics §10.3). */
const SUBSETS = 20;
const MOST_GROUPS = 32;
const RESAMPLING_SEED = 2;

/** The stored batch and fresh ones of the same policies and levels, as one; with the place of every step in the tables. */
export type Pool = {
  readonly batch: Batch;
  /** which truth is that of a trajectory */
  readonly of: Uint32Array;
  readonly rows: Int32Array;
  /** trajectories of the stored batch come first */
  readonly B: number;
  readonly batches: number;
};

/**
 * Plays FRESH batches with the parameters that sampled the stored one, step by step; rewards are those that its estimator
 * would have seen. Yields the share done.
 */
export function* freshPool(plan: Plan, view: BatchView, truths: Truths): Generator<number, Pool> {
  const alone: Plan = { ...plan, S: 1, seeds: Uint32Array.of(plan.seeds[view.replica]!) };
  const arrays = makeArrays(alone);
  const reader = makeCpuPolicy(alone);
  const policy = restricted(alone, reader, view.restriction);
  const seen = view.pays ? payerOf(alone, view.pays, arrays, reader) : (batch: Batch): Batch => batch;
  const batches: Batch[] = [view.batch];
  const rows: Int32Array[] = [rowsOfSteps(plan, truths, { ...view, length: view.batch.length })];
  for (let m = 0; m < FRESH; m++) {
    const tasks = freshTasks(plan, view, m);
    rolloutReplica(alone, arrays, { policy, theta: (row, t) => weightsAt(view, row, t), tasks, mode: 'eval' }, 0);
    const batch = mapColumns(asPlayed(seen(batchOf(alone, arrays, 0), tasks)), (values) => values.slice());
    batches.push(batch);
    rows.push(rowsOfSteps(plan, truths, { length: batch.length, state: arrays.state }));
    yield (m + 1) / FRESH;
  }
  const size = plan.B * plan.T;
  const all = new Int32Array(rows.length * size);
  rows.forEach((r, k) => all.set(r, k * size));
  const of = new Uint32Array(batches.length * plan.B);
  for (let k = 0; k < batches.length; k++) of.set(truths.of, k * plan.B);
  return { batch: joinBatches(batches), of, rows: all, B: plan.B, batches: FRESH };
}

/** Numbers of batches: 1, 2, 4 … groups, at most half of the pool, so that subsets differ. */
function curveSizes(groups: number): number[] {
  const sizes: number[] = [];
  for (let b = 1; b <= Math.min(MOST_GROUPS, groups / 2); b *= 2) sizes.push(b);
  return sizes;
}

/** Bias, variance and the curve of one estimator; yields the share done. `exact`: the gradient it is compared with. */
export function* deepen(
  plan: Plan,
  truths: Truths,
  pool: Pool,
  exact: Float64Array,
  estimator: Estimator,
  params: AnyValues,
): Generator<number, Deep> {
  // others were not sampled by the policy
  const groups = groupsOf(pool.batch).map((group) => group.filter((i) => isMeasured(pool.batch, i)));
  const sizes = curveSizes(groups.length);
  const work = pool.batches + sizes.reduce((n, b) => n + (b * SUBSETS * pool.batches) / groups.length, 0);
  let done = 0;
  const samples: CellSample[] = [];
  const cells = new Map<number, number>();
  for (let m = 1; m <= pool.batches; m++) {
    const own = groups.filter((group) => Math.floor(group[0]! / pool.B) === m);
    collect(plan, truths, pool, own, estimator, params, samples, cells);
    yield ++done / work;
  }
  const curve: CosineAt[] = [];
  for (const b of sizes) {
    const found: number[] = [];
    for (let n = 0; n < SUBSETS; n++) {
      const { batch, rows } = selectGroups(pool.batch, draw(groups, b, n));
      const { A } = creditOfSteps(estimator, batch, params);
      const at = new Int32Array(rows.length * plan.T);
      rows.forEach((i, k) => at.set(pool.rows.subarray(i * plan.T, (i + 1) * plan.T), k * plan.T));
      const of = Uint32Array.from(rows, (i) => pool.of[i]!);
      // a subset in which nothing is credited gives no direction: no agreement
      found.push(cosine(gradientOf(plan, truths, batch, { of, rows: at }, A), exact) ?? 0);
      done += (b * pool.batches) / groups.length;
      yield Math.min(1, done / work);
    }
    found.sort((x, y) => x - y);
    const [low, median, high] = [0.25, 0.5, 0.75].map((q) => quantileSorted(found, q)) as [number, number, number];
    curve.push({ groups: b, subsets: SUBSETS, low, median, high });
  }
  return { error: biasVariance(samples, cells.size), curve, batches: pool.batches };
}

/** Credit of one fresh batch, cell by cell: (step, state, action) of a level, under what plays there. */
function collect(
  plan: Plan,
  truths: Truths,
  pool: Pool,
  groups: number[][],
  estimator: Estimator,
  params: AnyValues,
  samples: CellSample[],
  cells: Map<number, number>,
): void {
  const { T, actions } = plan;
  const { batch, rows } = selectGroups(pool.batch, groups);
  const { A } = creditOfSteps(estimator, batch, params);
  for (const k of stepsOf(batch, rows.keys())) {
    const from = rows[Math.floor(k / T)]!;
    const t = k % T;
    const row = pool.rows[from * T + t]!;
    const action = batch.action[k]!;
    if (row < 0 || action >= actions) continue;
    const level = truths.all[pool.of[from]!]!;
    const name = (level.cell + row * actions + action) * T + t;
    let cell = cells.get(name);
    if (cell === undefined) cells.set(name, (cell = cells.size));
    samples.push({ cell, credit: A[k]!, exact: exactAt(level, actions, t, row, action) });
  }
}

/** b different groups; draw n. */
function draw(groups: readonly number[][], b: number, n: number): number[][] {
  const order = groups.map((_, g) => g);
  for (let k = 0; k < b; k++) {
    const j = k + below(random(RESAMPLING_SEED, PURPOSE.bootstrap, b, n, k), order.length - k);
    [order[k], order[j]] = [order[j]!, order[k]!];
  }
  return order.slice(0, b).map((g) => groups[g]!);
}
