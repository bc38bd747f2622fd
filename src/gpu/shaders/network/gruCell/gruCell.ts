import { exp, tanh } from '../../../../core/fmath.ts';
import { near, within } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import * as kernels from '../../gruKernels.ts';

const sigmoid = (v: number): number => 1 / (1 + exp(-v));

type Cell = {
  readonly r: number[];
  readonly z: number[];
  readonly g: number[];
  readonly un: number[];
  readonly h: number[];
};

/** One step: products of the input [3H], memory before [H], weights [H, 3H] and bias [3H] of the memory. */
export function gruCell(
  x: ArrayLike<number>,
  held: readonly number[],
  U: ArrayLike<number>,
  c: ArrayLike<number>,
): Cell {
  const H = held.length;
  const u = Array.from({ length: 3 * H }, (_, j) => held.reduce((sum, h, i) => sum + h * U[i * 3 * H + j]!, c[j]!));
  const r = held.map((_, k) => sigmoid(x[k]! + u[k]!));
  const z = held.map((_, k) => sigmoid(x[H + k]! + u[H + k]!));
  const g = held.map((_, k) => tanh(x[2 * H + k]! + r[k]! * u[2 * H + k]!));
  return { r, z, g, un: u.slice(2 * H), h: held.map((h, k) => (1 - z[k]!) * g[k]! + z[k]! * h) };
}

const shapes = [
  [1, 1, 1, 1],
  [2, 5, 3, 4],
  [3, 13, 2, 5],
  [1, 65, 4, 1],
  [2, 3, 5, 33],
] as const;

const sizes = (S: number, H: number) => {
  const [weightAt, biasAt] = [8, 8 + 3 * H * H + 1];
  return { size: biasAt + 3 * H + 3, weightAt, biasAt, S };
};
/** Sums of at most 34 products below 1, which stay below 8; two gates, the tanh of what the first lets through, and the memory. */
const { given, sum, product } = near;
const nearU = near.dot(34, 1, 8);
const nearR = near.sigmoid(sum(given(2), nearU));
const nearG = near.tanh(sum(given(2), product(nearR, nearU)));
const nearNow = sum(product(sum(given(1), nearR), nearG), product(nearR, given(1)));

const groupsOf = (S: number, B: number, H: number) => [Math.ceil((B * H) / 64), 1, S] as const;

const forward = shapes.flatMap(([S, B, T, H], seed): Case[] => {
  const { size, weightAt, biasAt } = sizes(S, H);
  const theta = numbers(seed, S * size, -1, 1);
  const [N, maxRows] = [S * B * T, B * T];
  const x = numbers(seed + 1, N * 3 * H, -2, 2);
  const after = numbers(seed + 2, N * H, -1, 1);
  const length = wholes(seed + 3, S * B, T).map((n) => n + 1);
  const made = (t: number, isLast: boolean, stride: number, at: number) => {
    const all = { after: after.slice(), before: untouched(N * H), gates: untouched(N * 4 * H), now: untouched(N * H) };
    for (let row = 0; row < S * B; row++) {
      const [s, i] = [Math.floor(row / B), row % B];
      const steps = isLast ? length[row]! : t;
      const from = (row * T + steps - 1) * H;
      const held = Array.from({ length: H }, (_, k) => (steps > 0 ? after[from + k]! : 0));
      const ofX = x.subarray((s * maxRows + i * stride + at) * 3 * H);
      const cell = gruCell(ofX, held, theta.subarray(s * size + weightAt), theta.subarray(s * size + biasAt));
      const to = row * T + t;
      if (stride > 1) {
        all.before.set(held, to * H);
        all.gates.set([...cell.r, ...cell.z, ...cell.g, ...cell.un], to * 4 * H);
      } else all.now.set(cell.h, (s * maxRows + i) * H);
      if (!isLast) all.after.set(cell.h, to * H);
    }
    return all;
  };
  const ways = [
    { name: 'the first step of a rollout', t: 0, isLast: false, stride: 1, at: 0 },
    { name: 'a step while learning', t: T - 1, isLast: false, stride: T, at: T - 1 },
    { name: 'after the last step', t: T, isLast: true, stride: 1, at: 0 },
  ].filter(({ stride, isLast, t }) => stride > 1 || isLast || t === 0);
  return ways.map(({ name, t, isLast, stride, at }): Case => ({
    name: `gruCell ${S}×${B}×${T}, memory ${H}, ${name}`,
    kernel: kernels.gruCell,
    dims: {
      ...{ B, T, H, t, stride, at, maxRows, size, weightAt, biasAt },
      ...{ isLast: Number(isLast), keeps: Number(stride > 1) },
    },
    groups: groupsOf(S, B, H),
    buffers: {
      ...{ theta, x, length, after: after.slice() },
      ...{ before: untouched(N * H), gates: untouched(N * 4 * H), now: untouched(N * H) },
    },
    expected: made(t, isLast, stride, at),
    tolerance: within(nearU, nearR, nearG, nearNow),
  }));
});

const backward = shapes.flatMap(([S, B, T, H], seed): Case[] =>
  [0, T - 1, 1].map((unroll, k): Case => {
    const t = Math.max(0, T - 2);
    const { size, weightAt } = sizes(S, H);
    const N = S * B * T;
    const theta = numbers(seed, S * size, -1, 1);
    const gates = numbers(seed + 1 + k, N * 4 * H, 0.1, 0.9);
    const before = numbers(seed + 2, N * H, -1, 1);
    const dH = numbers(seed + 3, N * H, -1, 1);
    const dU = numbers(seed + 4, N * 3 * H, -1, 1);
    const dX = untouched(N * 3 * H);
    const want = { dH: dH.slice(), dX: dX.slice(), dU: dU.slice() };
    for (let row = 0; row < S * B; row++) {
      const step = row * T + t;
      const U = theta.subarray(Math.floor(row / B) * size + weightAt);
      for (let h = 0; h < H; h++) {
        const gate = (which: number, of = step): number => gates[of * 4 * H + which * H + h]!;
        let d = dH[step * H + h]!;
        if (t + 1 < T && !(unroll > 0 && (t + 1) % unroll === 0)) {
          d += dH[(step + 1) * H + h]! * gate(1, step + 1);
          for (let j = 0; j < 3 * H; j++) d += dU[(step + 1) * 3 * H + j]! * U[h * 3 * H + j]!;
          want.dH[step * H + h] = d;
        }
        const [r, z, g, un] = [gate(0), gate(1), gate(2), gate(3)];
        const dg = d * (1 - z) * (1 - g * g);
        const dz = d * (before[step * H + h]! - g) * z * (1 - z);
        const dr = dg * un * r * (1 - r);
        [dr, dz, dg].forEach((x, part) => (want.dX[step * 3 * H + part * H + h] = x));
        [dr, dz, dg * r].forEach((x, part) => (want.dU[step * 3 * H + part * H + h] = x));
      }
    }
    return {
      name: `gruCellBackward ${S}×${B}×${T}, memory ${H}, cut after ${unroll}`,
      kernel: kernels.gruCellBackward,
      dims: { B, T, H, t, unroll, size, weightAt },
      groups: groupsOf(S, B, H),
      buffers: { theta, gates, before, dH: dH.slice(), dX, dU: dU.slice() },
      expected: want,
      // sums of at most 100 products below 1
      tolerance: { abs: 2e-5, rel: 1e-5 },
    };
  }),
);

export const cases: readonly Case[] = [...forward, ...backward];
