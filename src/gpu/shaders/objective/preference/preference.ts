import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { sumCalls } from '../../../sums.ts';
import { processKernels } from '../../processKernels.ts';

type Sizes = { S: number; B: number; T: number; beta: number; mean: boolean };
type Inputs = {
  phi: Float32Array;
  logp: Float32Array;
  length: Uint32Array;
  taskIndex: Uint32Array;
  ending: Uint32Array;
};

/** Scores q, plan = (slope of the loss at every step, length), record = pairs, loss, share ranked rightly, rest as it was. */
export function preference(
  { S, B, T, beta, mean }: Sizes,
  { phi, logp, length, taskIndex, ending }: Inputs,
  record: Float32Array,
): { q: Float32Array; plan: Float32Array; record: Float32Array } {
  const q = Float32Array.from(length, (n, row) => {
    let total = 0;
    for (let k = row * T; k < row * T + n; k++) total += phi[k]! - logp[k]!;
    return (beta * total) / (mean ? n : 1);
  });
  const plan = Float32Array.from({ length: 2 * S * B }, (_, k) => (k % 2 === 1 ? length[k >> 1]! : 0));
  const next = record.slice();
  for (let s = 0; s < S; s++) {
    const slope = new Float64Array(B);
    let [pairs, loss, ranked] = [0, 0, 0];
    for (let i = 0; i < B; i++) {
      for (let j = 0; j < B; j++) {
        const [win, lost] = [s * B + i, s * B + j];
        if (taskIndex[win] !== taskIndex[lost] || ending[4 * win] !== 1 || ending[4 * lost] === 1) continue;
        const margin = q[win]! - q[lost]!;
        pairs++;
        loss += Math.log(1 + Math.exp(-margin));
        if (margin > 1e-5 * beta) ranked++;
        slope[i]! -= 1 / (1 + Math.exp(margin));
        slope[j]! += 1 / (1 + Math.exp(margin));
      }
    }
    if (pairs > 0) {
      slope.forEach((g, i) => (plan[2 * (s * B + i)] = (g * beta) / pairs / (mean ? length[s * B + i]! : 1)));
    }
    next.set([pairs, pairs > 0 ? loss / pairs : 0, pairs > 0 ? ranked / pairs : 0], 8 * s);
  }
  return { q, plan, record: next };
}

/** S, B, T, tasks; rows of a task lie in one block of this many rows; lanes of the sums. */
const shapes = [
  [1, 1, 1, 1, 1, 64],
  [3, 7, 5, 2, 7, 64],
  [2, 64, 3, 4, 16, 64],
  [1, 131, 9, 3, 131, 64],
  [2, 131, 9, 14, 10, 192],
  [2, 300, 3, 43, 7, 128],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks, G, lanes], seed) =>
  [false, true].map((mean): Case => {
    const length = wholes(seed, S * B, T).map((n) => n + 1);
    const padded = (x: Float32Array): Float32Array => x.map((v, k) => (k % T < length[Math.floor(k / T)]! ? v : 1e30));
    const phi = padded(numbers(seed + 1, S * B * T, -3, 0));
    const logp = padded(numbers(seed + 2, S * B * T, -3, 0));
    const anywhere = wholes(seed + 3, S * B, tasks);
    const taskIndex = G === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / G));
    // the last replica fails everywhere: no pair
    const ending = wholes(seed + 4, 4 * S * B, 2).map((e, k) => (S > 1 && k >= 4 * (S - 1) * B ? 0 : e));
    const record = untouched(8 * S);
    const inputs = { phi, logp, length, taskIndex, ending };
    const sizes = { beta: 0.5, mean: mean ? 1 : 0 };
    return {
      name: `preference of ${mean ? 'means' : 'sums'}, ${S}×${B}×${T} in ${tasks} groups on ${lanes} lanes`,
      kernel: processKernels.preferenceScores,
      dims: { rows: S * B, T, ...sizes },
      groups: [Math.ceil((S * B) / 64)],
      after: sumCalls(processKernels.preference, S, { B, G, ...sizes }, true, lanes),
      buffers: {
        ...inputs,
        ...{ q: untouched(S * B), plan: untouched(2 * S * B), record },
        parts: untouched(S * lanes * 3),
      },
      expected: preference({ S, B, T, beta: 0.5, mean }, inputs, record),
      // sums of up to 27 numbers below 3 inside the scores; loss is a mean of up to 4,300 numbers below 10
      tolerance: { abs: 1e-5, rel: 2e-5 },
    };
  }),
);
