import { batchColumns, columnOf, makeColumns, part, type Batch, type Columns } from '../contract/columns.ts';
import type { ColumnSizes } from '../contract/columnTable.ts';
import { cellsOf } from './cells.ts';
import { PAYS } from '../contract/updateColumns.ts';
import { hashInto } from '../core/hash.ts';
import { columnSizes, columnsOfRun, updateColumnsOfRun } from '../config/runColumns.ts';
import type { Written } from './backend.ts';
import type { Plan, Tasks } from './plan.ts';
import { checkUnitCredit } from './unitCredit.ts';

/** All columns of a batch for S replicas on the CPU. Index ((s*B + i)*T + t). */
export type Arrays = Columns;

/** Sizes of the columns of one replica. */
export const sizesOf = (plan: Plan): ColumnSizes =>
  columnSizes({ ...plan, words: plan.env.words }, plan.policy, { ...plan, cells: cellsOf(plan) });

export const makeArrays = (plan: Plan): Arrays => makeColumns(columnsOfRun(plan), sizesOf(plan), plan.S);
/** What an update makes of a batch, for S replicas on the CPU. */
export function makeUpdateArrays(plan: Plan): Arrays {
  checkUnitCredit(plan);
  return makeColumns(updateColumnsOfRun(plan), sizesOf(plan), plan.S);
}

/** Only what the estimator sees in place of the reward of the world. */
export function makePaidArrays(plan: Plan): Arrays {
  const present = [...updateColumnsOfRun(plan)].filter((name) => PAYS.includes(columnOf(name).when!));
  return makeColumns(new Set(present), sizesOf(plan), plan.S);
}

/** What was written in a batch; `of` takes the part of a replica, `A`: advantages of words that have their own. */
export function writtenOf(
  { command, unitLogp, unitEntropy, unitDelta }: Arrays,
  of: <T extends Float32Array | Uint32Array>(array: T) => T,
  A: Float32Array | null = null,
): Written {
  const written = { command: of(command), logp: of(unitLogp), entropy: of(unitEntropy), delta: of(unitDelta) };
  return A ? { ...written, A: of(A) } : written;
}

/** The batch of replica s as a view on the arrays. */
export function batchOf(plan: Plan, arrays: Arrays, s: number): Batch {
  const { P, G, B, T, S } = plan;
  const { K } = sizesOf(plan);
  return { P, G, B, T, ...(K > 1 ? { K } : {}), ...batchColumns(arrays, columnsOfRun(plan), S, s) } as Batch; // what is always there is there
}

const TRAJECTORY_TAG = 0x54524a59; // "TRJY"
const UPDATE_TAG = 0x55504454; // "UPDT"

/** What happened to one replica in one update: B rows of up to T steps. */
export type Happened = Readonly<Record<'length' | 'action', Uint32Array>> & {
  readonly B: number;
  readonly T: number;
  readonly levelSeed: (i: number) => number;
  readonly rewardMilli: Int32Array;
};

/**
 * 64-bit hash of what happened to one replica in one update: per trajectory (level seed, length, then action and
 * reward in thousandths of every real step), then over all trajectories. Integers only, so it is exact on every path.
 */
export function updateHash(
  { B, T, levelSeed, length, action, rewardMilli }: Happened,
  out: Uint32Array,
  outAt: number,
): void {
  const words = new Uint32Array(2 + 2 * T);
  const all = new Uint32Array(2 * B);
  for (let i = 0; i < B; i++) {
    words[0] = levelSeed(i);
    words[1] = length[i]!;
    for (let t = 0; t < length[i]!; t++) {
      words[2 + 2 * t] = action[i * T + t]!;
      words[3 + 2 * t] = rewardMilli[i * T + t]!;
    }
    hashInto(TRAJECTORY_TAG, 0, words, 0, 2 + 2 * length[i]!, all, 2 * i);
  }
  joinHashes(all, 0, B, out, outAt);
}

/** The same of replica s, whose rows played these tasks, into out[2s], out[2s + 1]. */
export function hashReplica({ S, B, T }: Plan, arrays: Arrays, tasks: Tasks, s: number, out: Uint32Array): void {
  const levelSeed = (i: number): number => tasks.levelSeeds[tasks.levelOf[s * B + i]!]!;
  const [length, action] = [part(arrays.length, S, s), part(arrays.action, S, s)];
  updateHash({ B, T, levelSeed, length, action, rewardMilli: part(arrays.rewardMilli, S, s) }, out, 2 * s);
}

/** Hash over the hashes of B trajectories, in their order; the first is `rows[at]`, `rows[at + 1]`. */
export function joinHashes(rows: Uint32Array, at: number, B: number, out: Uint32Array, outAt: number): void {
  hashInto(UPDATE_TAG, 0, rows, at, 2 * B, out, outAt);
}

/** [B] which levels the rows of replica s play, and the step limits of their tasks; 0: that of the level. */
export function levelsPlayed({ B }: Plan, { levelOf, levelSeeds, limits }: Tasks, s: number) {
  const own = levelOf.subarray(s * B, (s + 1) * B);
  return { levelSeeds: own.map((k) => levelSeeds[k]!), limits: own.map((k) => limits?.[k] ?? 0) };
}
