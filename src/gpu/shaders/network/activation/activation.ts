import { tanh } from '../../../../core/fmath.ts';
import { TANH } from '../../../accuracy.ts';
import { numbers, type Case } from '../../../conformance.ts';
import { naive } from '../../naive.ts';

const GELU = 0.7978845608028654;
const inner = (z: number): number => GELU * (z + 0.044715 * z * z * z);

/** act(z): 0 tanh, 1 relu, 2 gelu in its tanh form (arXiv 1606.08415). */
export function activation(kind: number, z: number): number {
  if (kind === 0) return tanh(z);
  if (kind === 1) return z > 0 ? z : 0;
  return 0.5 * z * (1 + tanh(inner(z)));
}

/** act′(z). */
export function slope(kind: number, z: number): number {
  if (kind === 1) return z > 0 ? 1 : 0;
  const y = tanh(kind === 0 ? z : inner(z));
  if (kind === 0) return 1 - y * y;
  return 0.5 * (1 + y) + 0.5 * z * (1 - y * y) * GELU * (1 + 3 * 0.044715 * z * z);
}

/** Small, ordinary and huge arguments, and both zeros. */
const zs = Float32Array.of(...numbers(1, 65, -4, 4), ...numbers(2, 20, -30, 30), 0, -0, 1e4, -1e4, 1e-6, -1e-6);

export const cases: readonly Case[] = [0, 1, 2].flatMap((kind) => {
  const count = zs.length - 2;
  const dims = { count, stride: zs.length, kind };
  const Z = Float32Array.of(...zs, ...zs);
  const H = numbers(9, Z.length);
  const isReal = (k: number): boolean => k % zs.length < count;
  const base = { groups: [Math.ceil(count / 64), 1, 2] as const, buffers: { Z, H }, dims };
  return [
    {
      ...base,
      name: `activation ${kind} forward`,
      kernel: naive.activate,
      expected: { H: Float32Array.from(H, (h, k) => (isReal(k) ? activation(kind, Z[k]!) : h)) },
      // gelu multiplies the error of tanh by z/2; beyond 6 tanh is held to ±1
      tolerance: { abs: 3 * TANH, rel: 2e-5 },
    },
    {
      ...base,
      name: `activation ${kind} backward`,
      kernel: naive.activateBackward,
      expected: { H: Float32Array.from(H, (h, k) => (isReal(k) ? h * slope(kind, Z[k]!) : h)) },
      // 1 − y² has twice the error of tanh, and the slope of gelu multiplies it by ½·z·GELU·(1 + 3·CUBIC·z²) ≤ 13.6 below 6
      tolerance: { abs: 28 * TANH, rel: 5e-5 },
    },
  ];
});
