import { units } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { processKernels } from '../../processKernels.ts';

type State = { norms: Float32Array; steps: Uint32Array; rates: Float32Array };

/** Replicas with pairs and a good norm count a step and get its rates; the others get the norm −1 and rates 0. */
export function stepRates(
  most: number,
  record: Float32Array,
  table: Float32Array,
  rate: Float32Array,
  state: State,
): State {
  const next = { norms: state.norms.slice(), steps: state.steps.slice(), rates: new Float32Array(state.rates.length) };
  next.steps.forEach((count, s) => {
    if (record[8 * s] === 0 || state.norms[2 * s]! < 0) {
      next.norms[2 * s] = -1;
      return;
    }
    next.steps[s] = count + 1;
    const n = Math.min(count + 1, most) - 1;
    next.rates.set([rate[0]! * table[3 * n]!, table[3 * n + 1]!, table[3 * n + 2]!, 0], 4 * s);
  });
  return next;
}

export const cases: readonly Case[] = [1, 64, 65].map((S): Case => {
  const most = 5;
  const record = numbers(S, 8 * S).map((v, k) => (k % 24 === 16 ? 0 : v + 2));
  const table = numbers(S + 1, 3 * most);
  const rate = Float32Array.of(0.25, 9, 9, 9);
  const norms = numbers(S + 2, 2 * S).map((v, k) => (k % 8 === 2 ? -1 : v + 2));
  const state = { norms, steps: wholes(S + 3, S, 9), rates: untouched(4 * S) };
  return {
    name: `stepRates of ${S}`,
    kernel: processKernels.stepRates,
    dims: { S, most },
    groups: [Math.ceil(S / 64)],
    buffers: { record, table, rate, ...state },
    expected: stepRates(most, record, table, rate, state),
    // one product
    tolerance: units(1),
  };
});
