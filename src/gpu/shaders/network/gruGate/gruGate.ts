import { exp, tanh } from '../../../../core/fmath.ts';
import { near, within } from '../../../accuracy.ts';
import { numbers, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { eachLive, groupsFor, outputOf, valuesOf, worlds, type TokenWorld, type Which } from '../../tokenWorld.ts';

const sigmoid = (v: number): number => 1 / (1 + exp(-v));
/** Calls f for every number of the live rows: replica, row of the array, column. */
function each(w: TokenWorld, which: Which, D: number, f: (s: number, row: number, j: number) => void): void {
  eachLive(w, which, (s, _r, row) => {
    for (let j = 0; j < D; j++) f(s, row, j);
  });
}

/** r = σ(py₁ + px₁), z = σ(py₂ + px₂ − b), rx = r ⊙ x. */
export function gruOpen(
  w: TokenWorld,
  which: Which,
  D: number,
  py: Float32Array,
  px: Float32Array,
  x: Float32Array,
  b: (s: number, j: number) => number,
): { rz: Float32Array; rx: Float32Array } {
  const rz = outputOf(w, which, 2 * D);
  const rx = outputOf(w, which, D);
  each(w, which, D, (s, row, j) => {
    const r = sigmoid(py[row * 3 * D + j]! + px[row * 2 * D + j]!);
    rz[row * 2 * D + j] = r;
    rz[row * 2 * D + D + j] = sigmoid(py[row * 3 * D + D + j]! + px[row * 2 * D + D + j]! - b(s, j));
    rx[row * D + j] = r * x[row * D + j]!;
  });
  return { rz, rx };
}

/** h = tanh(py₃ + pg), out = (1 − z) ⊙ x + z ⊙ h. */
export function gruJoin(
  w: TokenWorld,
  which: Which,
  D: number,
  py: Float32Array,
  pg: Float32Array,
  rz: Float32Array,
  x: Float32Array,
): { h: Float32Array; out: Float32Array } {
  const h = outputOf(w, which, D);
  const out = outputOf(w, which, D);
  each(w, which, D, (_s, row, j) => {
    const k = row * D + j;
    const z = rz[row * 2 * D + D + j]!;
    h[k] = tanh(py[row * 3 * D + 2 * D + j]! + pg[k]!);
    out[k] = (1 - z) * x[k]! + z * h[k]!;
  });
  return { h, out };
}

/** ∂ of the sums of z and h, and d ⊙ (1 − z). */
export function gruJoinBackward(
  w: TokenWorld,
  which: Which,
  D: number,
  rz: Float32Array,
  x: Float32Array,
  h: Float32Array,
  g: Float32Array,
  dpy: Float32Array,
): { d: Float32Array; dpy: Float32Array; dpg: Float32Array } {
  const result = { d: g.slice(), dpy: dpy.slice(), dpg: outputOf(w, which, D) };
  each(w, which, D, (_s, row, j) => {
    const k = row * D + j;
    const z = rz[row * 2 * D + D + j]!;
    result.d[k] = g[k]! * (1 - z);
    result.dpg[k] = g[k]! * z * (1 - h[k]! * h[k]!);
    result.dpy[row * 3 * D + D + j] = g[k]! * (h[k]! - x[k]!) * z * (1 - z);
    result.dpy[row * 3 * D + 2 * D + j] = g[k]! * z * (1 - h[k]! * h[k]!);
  });
  return result;
}

/** ∂ of r's sum, both sums together in dpx, and d + drx ⊙ r. */
export function gruOpenBackward(
  w: TokenWorld,
  which: Which,
  D: number,
  rz: Float32Array,
  x: Float32Array,
  drx: Float32Array,
  g: Float32Array,
  dpy: Float32Array,
): { d: Float32Array; dpy: Float32Array; dpx: Float32Array } {
  const result = { d: g.slice(), dpy: dpy.slice(), dpx: outputOf(w, which, 2 * D) };
  each(w, which, D, (_s, row, j) => {
    const k = row * D + j;
    const r = rz[row * 2 * D + j]!;
    const dr = drx[k]! * x[k]! * r * (1 - r);
    result.d[k] = g[k]! + drx[k]! * r;
    result.dpy[row * 3 * D + j] = dr;
    result.dpx[row * 2 * D + j] = dr;
    result.dpx[row * 2 * D + D + j] = dpy[row * 3 * D + D + j]!;
  });
  return result;
}

/**
 * Gates are σ of three numbers below 2; h is tanh of two, out joins it with x; and of the backward passes the longest is
 * g·(h − x)·z·(1 − z), in which h is read.
 */
const { given, sum, product } = near;
const nearZ = near.sigmoid(sum(given(2), given(2), given(2)));
const nearH = near.tanh(sum(given(2), given(2)));
const TOLERANCE = within(
  product(nearZ, given(2)),
  nearH,
  sum(product(sum(given(1), nearZ), given(2)), product(nearZ, nearH)),
  product(given(2), sum(given(1), given(2)), given(1), sum(given(1), given(1))),
);

export const cases: readonly Case[] = worlds.flatMap((w, seed): Case[] => {
  const which = ([2, 1, 2] as const)[seed]!;
  const D = [1, 5, 8][seed]!;
  const [size, biasAt] = [20, 3];
  const make = (width: number, salt: number): Float32Array => valuesOf(w, which, width, seed + salt, -2, 2);
  const [py, px, pg, x, drx, d] = [make(3 * D, 1), make(2 * D, 2), make(D, 3), make(D, 4), make(D, 5), make(D, 6)];
  const theta = numbers(seed, w.S * size, 0, 2);
  const open = gruOpen(w, which, D, py, px, x, (s, j) => theta[s * size + biasAt + j]!);
  const { rz } = open;
  const join = gruJoin(w, which, D, py, pg, rz, x);
  const { rows, stride } = w;
  const dims = { which, stride, maxRows: w.most[which], D };
  const groups = groupsFor(w, which, D);
  const out = (width: number): Float32Array => outputOf(w, which, width);
  const common = { dims, groups, tolerance: TOLERANCE };
  return [
    {
      ...common,
      name: `gruOpen, world ${seed}`,
      kernel: kernels.gruOpen,
      dims: { ...dims, size, biasAt },
      buffers: { rows, py, px, x, theta, rz: out(2 * D), rx: out(D) },
      expected: open,
    },
    {
      ...common,
      name: `gruJoin, world ${seed}`,
      kernel: kernels.gruJoin,
      buffers: { rows, py, pg, rz, x, h: out(D), out: out(D) },
      expected: join,
    },
    {
      ...common,
      name: `gruJoinBackward, world ${seed}`,
      kernel: kernels.gruJoinBackward,
      buffers: { rows, rz, x, h: join.h, d, dpy: out(3 * D), dpg: out(D) },
      expected: gruJoinBackward(w, which, D, rz, x, join.h, d, out(3 * D)),
    },
    {
      ...common,
      name: `gruOpenBackward, world ${seed}`,
      kernel: kernels.gruOpenBackward,
      buffers: { rows, rz, x, drx, d, dpy: py, dpx: out(2 * D) },
      expected: gruOpenBackward(w, which, D, rz, x, drx, d, py),
    },
  ];
});
