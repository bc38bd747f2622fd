import { numbers, untouched, type Case } from '../../../conformance.ts';
import { headWith } from '../../../head.ts';
import { listedRows } from '../../../listedRows.ts';
import type { Act } from '../../../products.ts';
import { coefficientsWith } from '../../kernels.ts';
import { packed } from '../../rollout/liveSteps/liveSteps.ts';
import { caseOf, listed, SIZES, SNIPPET } from './coefficients.ts';

/** act′ by what the activation has made. */
const SLOPES = { tanh: (h: number) => 1 - h * h, relu: (h: number) => (h > 0 ? 1 : 0), none: () => 1 } as const;

type Variant = readonly [
  variant: Parameters<typeof caseOf>[0],
  inputs: number,
  act: keyof typeof SLOPES,
  hasBias?: boolean,
];
const variants: readonly Variant[] = [
  [['objective alone', {}, 0], 4, 'tanh'],
  [['entropy bonus without a bias', { entropyCoef: 0.3 }, 0], 36, 'relu', false],
  [['marks', {}, 0, true], 8, 'none'],
  [['critic with clip, one of two warms up', { entropyCoef: 0.1, valueClip: 0.2, warmsUp: true }, 1], 20, 'tanh'],
  [['two values', { valueClip: 0.4, valueMode: 2, valueHuber: 0.5 }, 2], 64, 'relu'],
];

/** A layer behind an activation, in parameters of `size`; `biasAt` −1: no bias. */
type Behind = {
  readonly inputs: number;
  readonly act: keyof typeof SLOPES;
  readonly size: number;
  readonly weightAt: number;
  readonly biasAt: number;
};

/** Coefficients of the outputs of a layer: z = b + x·W, and back ∂L/∂x·act′ = (∂L/∂z·Wᵀ) ⊙ act′, over a list of steps. */
export function behindLayer(
  variant: Variant[0],
  k: number,
  X: Float32Array,
  theta: Float32Array,
  { inputs, act, size, weightAt, biasAt }: Behind,
): { readonly plan: Float32Array; readonly dX: Float32Array; readonly coefficients: Case } {
  const { S, B, T } = SIZES;
  const rows = B * T;
  const n = 5 + variant[2];
  const W = (s: number, i: number, c: number): number => theta[s * size + weightAt + i * n + c]!;
  const out = Float32Array.from({ length: S * rows * n }, (_, id) => {
    const [s, row, c] = [Math.floor(id / (rows * n)), Math.floor(id / n), id % n];
    let z = biasAt < 0 ? 0 : theta[s * size + biasAt + c]!;
    for (let i = 0; i < inputs; i++) z += X[row * inputs + i]! * W(s, i, c);
    return z;
  });
  const whole = caseOf(variant, k, out);
  const coefficients = listed(whole);
  const { out: _out, ref_: _ref, ...buffers } = coefficients.buffers;
  const slopes = whole.expected['dOut']!;
  const dX = Float32Array.from(X, (x, id) => {
    const [row, i] = [Math.floor(id / inputs), id % inputs];
    let sum = 0;
    for (let c = 0; c < n; c++) sum += slopes[row * n + c]! * W(Math.floor(row / rows), i, c);
    return sum * SLOPES[act](x);
  });
  return { plan: whole.buffers['plan'] as Float32Array, dX, coefficients: { ...coefficients, buffers } };
}

export const cases: readonly Case[] = variants.flatMap(([variant, inputs, act, hasBias = true], k) => {
  const { S, B, T } = SIZES;
  const n = 5 + variant[2];
  const [weightAt, biasAt] = [3, 4 + inputs * n];
  const size = biasAt + n + 1;
  const X = numbers(k + 20, S * B * T * inputs);
  const theta = numbers(k + 40, S * size, -0.5, 0.5);
  const layer = { inputs, act, size, weightAt, biasAt: hasBias ? biasAt : -1 };
  const { plan, dX, coefficients } = behindLayer(variant, k, X, theta, layer);
  return [true, false].map((learns): Case => {
    const { expected, dims, name, buffers, ...same } = coefficients;
    return {
      ...same,
      name: `${name}, behind ${inputs} inputs${learns ? ` of ${act}` : ' without a step'}`,
      kernel: coefficientsWith(SNIPPET, listedRows.coefficients, {
        id: 'coefficients.head',
        link: headWith(inputs, n, act as Act, learns),
      }),
      dims: { ...dims, size, weightAt, biasAt, hasBias: Number(hasBias) },
      buffers: {
        ...{ ...buffers, X: packed(SIZES, plan, false, X), theta },
        ...(learns ? { dX: untouched(X.length) } : {}),
      },
      expected: { ...expected, ...(learns ? { dX: packed(SIZES, plan, false, dX) } : {}) },
    };
  });
});
