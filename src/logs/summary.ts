import { correlation } from '../core/fidelity.ts';
import { isDegenerate } from '../core/stats.ts';
import { anchorHeads, countHeads } from '../slots/advantage/segments.ts';
import type { LogBatch } from './batch.ts';

/** How often the episodes of a task met in the same state. */
export type Anchors = {
  readonly steps: number;
  /** different states, each counted once in every task that has it */
  readonly states: number;
  /** states that were met more than once, and by more than one episode */
  readonly again: number;
  readonly shared: number;
  /** steps in a state that was met more than once; and in one that more than one episode met */
  readonly stepsAgain: number;
  readonly stepsShared: number;
  /** states by how often they were met: once, twice, 3–4, 5–8, 9–16, more */
  readonly bySize: readonly number[];
  /** those that were met most: a step in each, visits, and episodes */
  readonly top: readonly { readonly step: number; readonly visits: number; readonly episodes: number }[];
};

export const SIZES = ['once', 'twice', '3–4 times', '5–8 times', '9–16 times', 'more often'] as const;
const TOP = 12;

/** Steps are numbered among the real steps of all rows. Null where the log has no states. */
export function anchorsOf({ batch, fields, start }: LogBatch): Anchors | null {
  if (!fields.has('stateKey')) return null;
  const head = anchorHeads(batch);
  const visits = countHeads(head);
  const episodes = new Uint32Array(head.length);
  const seenBy = new Int32Array(head.length).fill(-1);
  for (let i = 0; i < batch.B; i++) {
    for (let k = i * batch.T; k < i * batch.T + batch.length[i]!; k++) {
      const g = head[k]!;
      if (seenBy[g] === i) continue;
      seenBy[g] = i;
      episodes[g]!++;
    }
  }
  const bySize = new Array<number>(SIZES.length).fill(0);
  let [states, again, shared, stepsAgain, stepsShared] = [0, 0, 0, 0, 0];
  const heads: number[] = [];
  for (let g = 0; g < head.length; g++) {
    const n = visits[g]!;
    if (n === 0) continue;
    states++;
    bySize[Math.min(SIZES.length - 1, Math.ceil(Math.log2(n)))]!++;
    if (n < 2) continue;
    again++;
    stepsAgain += n;
    heads.push(g);
    if (episodes[g]! < 2) continue;
    shared++;
    stepsShared += n;
  }
  heads.sort((a, b) => episodes[b]! - episodes[a]! || visits[b]! - visits[a]! || a - b);
  const top = heads.slice(0, TOP).map((g) => {
    const i = Math.floor(g / batch.T);
    return { step: start[i]! + g - i * batch.T, visits: visits[g]!, episodes: episodes[g]! };
  });
  return { ...{ steps: start[batch.B]!, states, again, shared, stepsAgain, stepsShared, bySize, top } };
}

/** A task whose episodes all had the same outcome: nothing that compares outcomes learns from it. */
export type Silent = {
  readonly tasks: number;
  readonly all: readonly number[];
  readonly won: number;
  readonly lost: number;
  readonly alone: number;
};

/** The silent tasks, numbered as in the batch; those of one episode are counted in `alone`. */
export function silentOf({ batch }: Pick<LogBatch, 'batch'>): Silent {
  const outcomes = Array.from({ length: batch.P }, (): number[] => []);
  batch.outcome.forEach((R, i) => outcomes[batch.taskIndex[i]!]!.push(R));
  const all = [...outcomes.keys()].filter((g) => isDegenerate(outcomes[g]!));
  const succeeded = new Uint8Array(batch.P).fill(1);
  batch.success.forEach((s, i) => s === 0 && (succeeded[batch.taskIndex[i]!] = 0));
  const several = all.filter((g) => outcomes[g]!.length > 1);
  const won = several.filter((g) => succeeded[g] === 1).length;
  return { tasks: batch.P, all, won, lost: several.length - won, alone: all.length - several.length };
}

/** How two estimators judge the same steps. */
export type Pair = {
  readonly a: number;
  readonly b: number;
  /** Pearson correlation; null where one of them is constant */
  readonly correlation: number | null;
  /** share of the steps with equal signs, of those where at least one gives credit; null where none does */
  readonly sign: number | null;
};

/** Steps that a matrix is computed on, at most. */
export const SAMPLED = 200_000;

/** All pairs of several columns of credit; of more steps than SAMPLED, evenly spread ones are compared. */
export function pairsOf(columns: readonly Float32Array[]): Pair[] {
  const samples = columns.map(sampled);
  const pairs: Pair[] = [];
  for (let a = 0; a < samples.length; a++)
    for (let b = a + 1; b < samples.length; b++)
      pairs.push({
        a,
        b,
        correlation: correlation(samples[a]!, samples[b]!),
        sign: signAgreement(samples[a]!, samples[b]!),
      });
  return pairs;
}

function sampled(values: Float32Array): Float32Array {
  if (values.length <= SAMPLED) return values;
  return Float32Array.from({ length: SAMPLED }, (_, k) => values[Math.floor((k * values.length) / SAMPLED)]!);
}

function signAgreement(x: Float32Array, y: Float32Array): number | null {
  let [all, same] = [0, 0];
  for (let k = 0; k < x.length; k++) {
    if (x[k] === 0 && y[k] === 0) continue;
    all++;
    if (Math.sign(x[k]!) === Math.sign(y[k]!)) same++;
  }
  return all === 0 ? null : same / all;
}

/** A step that two estimators judge differently: its credit by both, as multiples of the root mean square of each. */
export type Dispute = { readonly step: number; readonly x: number; readonly y: number; readonly difference: number };

/** The steps on which two columns differ most, each first divided by its root mean square; at most one of an episode. */
export function disputesOf(x: Float32Array, y: Float32Array, start: Uint32Array, most: number): Dispute[] {
  const [sx, sy] = [rms(x), rms(y)];
  const worst: Dispute[] = [];
  for (let i = 0; i + 1 < start.length; i++) {
    let [at, size] = [-1, 0];
    for (let k = start[i]!; k < start[i + 1]!; k++) {
      const d = Math.abs(x[k]! / sx - y[k]! / sy);
      if (d > size) [at, size] = [k, d];
    }
    if (at < 0 || (worst.length === most && size <= worst.at(-1)!.difference)) continue;
    const place = worst.findIndex(({ difference }) => difference < size);
    worst.splice(place < 0 ? worst.length : place, 0, { step: at, x: x[at]! / sx, y: y[at]! / sy, difference: size });
    if (worst.length > most) worst.pop();
  }
  return worst;
}

function rms(x: Float32Array): number {
  let squares = 0;
  for (const value of x) squares += value * value;
  return Math.sqrt(squares / Math.max(1, x.length)) || 1;
}
