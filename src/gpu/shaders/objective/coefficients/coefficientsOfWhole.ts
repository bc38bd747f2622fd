import { numbers, untouched, type Case } from '../../../conformance.ts';
import { wholeWith } from '../../../head.ts';
import { listedRows } from '../../../listedRows.ts';
import { coefficientsWith } from '../../kernels.ts';
import { packed } from '../../rollout/liveSteps/liveSteps.ts';
import { randomBits } from '../../network/sparseForward/sparseForward.ts';
import { SIZES, SNIPPET, type caseOf } from './coefficients.ts';
import { behindLayer } from './coefficientsOfHead.ts';

const ACTS = { tanh: Math.tanh, relu: (z: number) => Math.max(z, 0), none: (z: number) => z } as const;

type Variant = readonly [
  variant: Parameters<typeof caseOf>[0],
  features: number,
  hidden: number,
  act: keyof typeof ACTS,
  hasBias?: boolean,
];
const variants: readonly Variant[] = [
  [['objective alone', {}, 0], 1, 4, 'tanh'],
  [['entropy bonus without a bias', { entropyCoef: 0.3 }, 0], 33, 20, 'relu', false],
  [['marks', {}, 0, true], 70, 8, 'none'],
  [['critic with clip, one of two warms up', { entropyCoef: 0.1, valueClip: 0.2, warmsUp: true }, 1], 64, 64, 'tanh'],
  [['two values', { valueClip: 0.4, valueMode: 2, valueHuber: 0.5 }, 2], 95, 128, 'relu'],
];

/** Coefficients of the outputs of a network with a hidden layer, h = act(b + Σ W[f] over the set bits f). */
export const cases: readonly Case[] = variants.flatMap(([variant, features, hidden, act, hasBias = true], k) => {
  const { S, B, T } = SIZES;
  const n = 5 + variant[2];
  const words = Math.ceil(features / 32);
  // words that nobody reads are behind those of an observation
  const obsWords = words + 1;
  const firstBiasAt = 4 + features * hidden;
  const weightAt = firstBiasAt + hidden;
  const biasAt = weightAt + hidden * n;
  const size = biasAt + 4 * Math.ceil(n / 4) + 4;
  // outputs as large as those of the other cases
  const theta = numbers(k + 40, S * size, -0.3, 0.3);
  const bits = randomBits(k, S * B * (T + 1), 32 * obsWords);
  // nor does a network read bits behind its features
  for (let at = 0; at < bits.length; at++) {
    const w = at % obsWords;
    if (w === words - 1 && features % 32 !== 0) bits[at]! &= (1 << (features % 32)) - 1;
  }
  const X = Float32Array.from({ length: S * B * T * hidden }, (_, id) => {
    const [row, j] = [Math.floor(id / hidden), id % hidden];
    const from = Math.floor(row / (B * T)) * size;
    let z = hasBias ? theta[from + firstBiasAt + j]! : 0;
    for (let f = 0; f < features; f++) {
      const word = bits[(row + Math.floor(row / T)) * obsWords + (f >>> 5)]!;
      if ((word >>> (f & 31)) & 1) z += theta[from + 4 + f * hidden + j]!;
    }
    return ACTS[act](z);
  });
  const layer = { inputs: hidden, act, size, weightAt, biasAt: hasBias ? biasAt : -1 };
  const { plan, dX, coefficients } = behindLayer(variant, k, X, theta, layer);
  return [true, false].map((learns): Case => {
    const { expected, dims, name, buffers, ...same } = coefficients;
    return {
      ...same,
      name: `${name}, ${features} bits behind ${hidden} numbers${learns ? ` of ${act}` : ' without a step'}`,
      kernel: coefficientsWith(SNIPPET, listedRows.coefficients, {
        id: 'coefficients.whole',
        link: wholeWith(words, hidden, n, act, learns),
      }),
      dims: { ...dims, size, weightAt, biasAt, hasBias: Number(hasBias), firstAt: 4, firstBiasAt, obsWords },
      groups: [Math.ceil(dims['mostRows']! / 16), 1, S],
      buffers: {
        ...{ ...buffers, bits, theta },
        ...(learns ? { X: untouched(X.length), dX: untouched(X.length) } : {}),
      },
      expected: {
        ...expected,
        ...(learns ? { X: packed(SIZES, plan, false, X), dX: packed(SIZES, plan, false, dX) } : {}),
      },
    };
  });
});
