import { exp, tanh } from '../../../../core/fmath.ts';
import { near, within } from '../../../accuracy.ts';
import { numbers, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { eachLive, groupsFor, outputOf, valuesOf, worlds, type TokenWorld, type Which } from '../../tokenWorld.ts';

/** Order of the kernel's kinds. */
const KINDS = ['none', 'input', 'output', 'highway', 'sigtanh', 'sumOfReLU'] as const;
type Kind = (typeof KINDS)[number];
/** A plain sum, which reads neither a nor h. */
const isSum = (kind: Kind): boolean => kind === 'none' || kind === 'sumOfReLU';
type Values = { x: Float32Array; y: Float32Array; a: Float32Array; h: Float32Array };
const sigmoid = (v: number): number => 1 / (1 + exp(-v));

/** The gate at one number: what comes out, and a and h as they are kept. */
function at(kind: Kind, x: number, y: number, a: number, h: number, b: number): { out: number; a: number; h: number } {
  if (isSum(kind)) return { out: x + y, a, h };
  const z = sigmoid(kind === 'input' ? a : kind === 'highway' ? a + b : a - b);
  if (kind === 'input') return { out: z * x + y, a: z, h };
  if (kind === 'output') return { out: x + z * y, a: z, h };
  if (kind === 'highway') return { out: z * x + (1 - z) * y, a: z, h };
  return { out: x + z * tanh(h), a: z, h: tanh(h) };
}

/** out = gate(x, y) with a and h replaced by what the backward pass needs. */
export function gate(
  w: TokenWorld,
  which: Which,
  kind: Kind,
  D: number,
  v: Values,
  theta: Float32Array,
  size: number,
  biasAt: number,
): { a: Float32Array; h: Float32Array; out: Float32Array } {
  const result = { a: v.a.slice(), h: v.h.slice(), out: outputOf(w, which, D) };
  eachLive(w, which, (s, _r, row) => {
    for (let j = 0; j < D; j++) {
      const k = row * D + j;
      const one = at(kind, v.x[k]!, v.y[k]!, v.a[k]!, v.h[k]!, theta[s * size + biasAt + j]!);
      result.a[k] = one.a;
      result.h[k] = one.h;
      result.out[k] = one.out;
    }
  });
  return result;
}

/**
 * ∂out times the slopes of the gate by x, y, a (before σ) and h (before tanh), by central differences in f64 of the
 * forward definition. `y` is 0 where the sub-layer's ReLU was.
 */
export function gateBackward(kind: Kind, g: number, x: number, y: number, a: number, h: number, b: number) {
  const e = 1e-5;
  const slope = (f: (d: number) => number): number => (g * (f(e) - f(-e))) / (2 * e);
  const byY = slope((d) => at(kind, x, y + d, a, h, b).out);
  return {
    x: slope((d) => at(kind, x + d, y, a, h, b).out),
    y: kind !== 'none' && !(y > 0) ? 0 : byY,
    a: slope((d) => at(kind, x, y, a + d, h, b).out),
    h: slope((d) => at(kind, x, y, a, h + d, b).out),
  };
}

/** σ(a ± b) of numbers below 3 and 2, and its product with tanh or a number below 2, added to a number below 2. */
const { given, sum, product } = near;
const nearZ = near.sigmoid(sum(given(3), given(2)));
const nearOut = sum(
  given(2),
  product(nearZ, { ...near.tanh(given(3)), most: 2 }),
  product(sum(given(1), nearZ), given(2)),
);

const size = 30;
const biasAt = 5;

export const cases: readonly Case[] = KINDS.flatMap((kind, index) =>
  worlds.flatMap((w, seed): Case[] => {
    const which = ([2, 1, 2] as const)[seed]!;
    const D = [1, 5, 8][seed]!;
    const y = valuesOf(w, which, D, seed + 1, -2, 2);
    if (kind !== 'none') y.forEach((v, k) => (y[k] = Math.max(0, v)));
    const v: Values = {
      x: valuesOf(w, which, D, seed, -2, 2),
      y,
      a: valuesOf(w, which, D, seed + 2, -3, 3),
      h: valuesOf(w, which, D, seed + 3, -3, 3),
    };
    const theta = numbers(seed + 4, w.S * size, 0, 2);
    const forward = gate(w, which, kind, D, v, theta, size, biasAt);
    const g = valuesOf(w, which, D, seed + 5);
    const d = g.slice();
    const dy = outputOf(w, which, D);
    const da = outputOf(w, which, D);
    eachLive(w, which, (s, _r, row) => {
      for (let j = 0; j < D; j++) {
        const k = row * D + j;
        const b = theta[s * size + biasAt + j]!;
        const back = gateBackward(kind, g[k]!, v.x[k]!, y[k]!, v.a[k]!, v.h[k]!, b);
        d[k] = back.x;
        dy[k] = kind === 'sigtanh' ? back.h : back.y;
        if (!isSum(kind)) da[k] = back.a;
      }
    });
    const { rows, stride } = w;
    const dims = { which, stride, maxRows: w.most[which], D, kind: index };
    return [
      {
        name: `gate ${kind}, world ${seed}`,
        kernel: kernels.gate,
        dims: { ...dims, size, biasAt },
        groups: groupsFor(w, which, D),
        buffers: { rows, ...v, theta, out: outputOf(w, which, D) },
        expected: forward,
        tolerance: within(nearZ, nearOut),
      },
      {
        name: `gateBackward ${kind}, world ${seed}`,
        kernel: kernels.gateBackward,
        dims,
        groups: groupsFor(w, which, D),
        buffers: {
          rows,
          x: v.x,
          y,
          a: forward.a,
          h: forward.h,
          d: g,
          dy: outputOf(w, which, D),
          da: outputOf(w, which, D),
        },
        expected: { d, dy, da },
        // the longest is g·(x − y)·z·(1 − z)
        tolerance: within(product(given(1), sum(given(2), given(2)), given(1), sum(given(1), given(1)))),
      },
    ];
  }),
);
