import { partsOf } from '../../../../core/slices.ts';
import { numbers, stepped, untouched, wholes, type Case } from '../../../conformance.ts';
import { stepKernels } from '../../kernels.ts';

export type Shape = { readonly S: number; readonly B: number; readonly T: number; readonly P: number };

/** Group of each row of all replicas: blocks of equal size, or each anywhere. */
function groupsOf(S: number, B: number, P: number, isAnywhere: boolean, seed: number): Uint32Array {
  if (isAnywhere) return wholes(seed, S * B, P);
  return Uint32Array.from({ length: S * B }, (_, row) => Math.floor((row % B) / Math.ceil(B / P)));
}

type Batch = {
  readonly taskIndex: Uint32Array;
  readonly length: Uint32Array;
  readonly ending: Uint32Array;
  readonly credit: Float32Array;
  readonly sampled: Float32Array;
};

const total = (x: readonly number[]): number => x.reduce((sum, y) => sum + y, 0);
const meanOf = (x: readonly number[]): number => total(x) / x.length;
/** Squared distances from the mean. */
const squaresOf = (x: readonly number[]): number => total(x.map((y) => (y - meanOf(x)) ** 2));

type Steps = readonly [A: number[], target: number[], error: number[]];

/** A, target and target − V of the steps of some trajectories. */
function stepsOf(T: number, section: number, batch: Batch, rows: readonly number[]): Steps {
  const at = rows.flatMap((row) => Array.from({ length: batch.length[row]! }, (_, t) => row * T + t));
  const target = at.map((k) => batch.credit[section + k]!);
  return [at.map((k) => batch.credit[k]!), target, at.map((k, n) => target[n]! - batch.sampled[2 * section + k]!)];
}

const isSome = (x: number): boolean => Math.abs(x) > 1e-8;

/** sums [S, B]: steps of each trajectory with credit. */
const rowSums = ({ S, B, T }: Shape, section: number, batch: Batch): Float32Array =>
  Float32Array.from({ length: S * B }, (_, row) => stepsOf(T, section, batch, [row])[0].filter(isSome).length);

/** record [S, 16]: the first twelve numbers of the batch, see creditSums.wgsl. */
export function creditSums({ S, B, T, P }: Shape, section: number, batch: Batch, record: Float32Array): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => s * B + i).filter((row) => batch.length[row]! > 0);
    const groups = Array.from({ length: P }, (_, g) => rows.filter((row) => batch.taskIndex[row] === g)).filter(
      (members) => members.length > 0,
    );
    const isWin = (row: number): boolean => batch.ending[4 * row] === 1;
    const share = (holds: (members: readonly number[]) => boolean): number =>
      groups.filter(holds).length / groups.length;
    const meanLength = (kind: readonly number[]): number =>
      kind.length > 0 ? meanOf(kind.map((row) => batch.length[row]!)) : -1;
    const [A, target, error] = stepsOf(T, section, batch, rows);
    const spread = squaresOf(target);
    result.set(
      [
        share((members) => stepsOf(T, section, batch, members)[0].some(isSome)),
        share((members) => members.some(isWin) && !members.every(isWin)),
        share((members) => members.every(isWin)),
        share((members) => !members.some(isWin)),
        meanOf(A),
        Math.sqrt(squaresOf(A) / Math.max(A.length - 1, 1)),
        A.filter((x) => x > 0).length / A.length,
        meanLength(rows.filter(isWin)),
        meanLength(rows.filter((row) => !isWin(row))),
        1 - squaresOf(error) / Math.max(spread, 1e-30),
        spread / target.length,
        rows.length,
      ],
      16 * s,
    );
  }
  return result;
}

/** How far from 0 credit and targets lie, and how much they differ; may the rows of a group lie anywhere? */
type Size = { readonly far: number; readonly spread: number; readonly anywhere?: boolean };
const shapes: readonly (Shape & Size)[] = [
  { S: 1, B: 1, T: 1, P: 1, far: 0, spread: 1 },
  { S: 3, B: 5, T: 4, P: 2, far: 0, spread: 1 },
  { S: 2, B: 65, T: 7, P: 9, far: 0, spread: 1 },
  { S: 2, B: 65, T: 7, P: 9, far: 0, spread: 1, anywhere: true },
  { S: 1, B: 130, T: 3, P: 70, far: 0, spread: 1 },
  { S: 1, B: 130, T: 7, P: 17, far: 10, spread: 0.02 },
  { S: 2, B: 65, T: 7, P: 65, far: 1000, spread: 3 },
  { S: 1, B: 130, T: 7, P: 17, far: 0.7, spread: 0 },
];

/** A batch in which some trajectories, and some whole groups, do not count. */
function batchOf({ S, B, T, P, far, spread, anywhere = false }: Shape & Size, k: number, section: number): Batch {
  const taskIndex = groupsOf(S, B, P, anywhere, k + 2);
  return {
    taskIndex,
    length: wholes(k, S * B, T + 1).map((n, row) => (B === 1 ? 1 : taskIndex[row]! % 3 === 1 ? 0 : n)),
    ending: wholes(k + 1, S * B * 4, 2),
    // a third of the credit is nothing, and what is below 1e-8 counts as nothing
    credit: numbers(k + 3, 2 * section).map((x, at) => {
      if (far > 0 || at >= section) return far + spread * x;
      return at % 3 === 0 ? 0 : at % 3 === 1 ? x * 1e-9 : x;
    }),
    sampled: numbers(k + 4, 3 * section).map((x) => far + 0.7 * spread * x),
  };
}

export const cases: readonly Case[] = shapes.flatMap((shape, k): Case[] => {
  const { S, B, T, P, far, spread, anywhere = false } = shape;
  const block = anywhere ? B : Math.ceil(B / P);
  const section = S * B * T + 3;
  const batch = batchOf(shape, k, section);
  const record = untouched(S * 16);
  const sums = rowSums(shape, section, batch);
  const expected = { sums, record: creditSums(shape, section, batch, record) };
  const said = `in ${P} groups${anywhere ? ' anywhere' : ''}${far > 0 ? `, ${far} ± ${spread}` : ''}`;
  // distances from a mean carry the rounding of numbers of size `far`
  const rel = far > 0 && spread > 0 ? (4e-7 * far) / spread : 0;
  return (['software', 'card'] as const).map((form) => ({
    name: `creditSums ${S}×${B}×${T} ${said}, ${form}`,
    ...stepped(stepKernels.creditSums, S, { B, T, P, block, floatSection: section }, form),
    buffers: { ...batch, sums: untouched(S * B), record, parts: untouched(partsOf(S, B, 1)) },
    expected,
    // a variance of 400 numbers below 2
    tolerance: { abs: 4e-6, rel: 1e-5 + rel },
  }));
});
