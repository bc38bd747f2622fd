import { choicesOf, meanLogp, softmax } from '../../../../core/math/distribution.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { nextMarksWith } from '../../../nextMarks.ts';

type Sizes = Readonly<Record<'S' | 'B' | 'T' | 'actions' | 'n' | 'marksAt' | 'inverse', number>>;
type Given = Readonly<Record<'plan' | 'out' | 'probs' | 'credit', Float32Array>> & { readonly choice: Uint32Array };

/** An objective whose marks read all there is, to test the frame around any. */
const SNIPPET = `fn markOf(A: f32, change: f32) -> f32 { return A + 2.0 * change; }`;

const EMPTY = 77;

/** Marks of the steps of every trajectory with a weight, EMPTY for all others; the rest of `credit` stays. */
export function nextMarks({ S, B, T, actions, n, marksAt, inverse }: Sizes, of: Given): Float32Array {
  const { plan, out, probs, choice } = of;
  const credit = of.credit.slice().fill(EMPTY, marksAt, marksAt + S * B * T);
  const bits = Uint32Array.from({ length: actions }, (_, a) => 1 << a);
  const p = new Float32Array(actions);
  const changeAt = (step: number): number => {
    const legal = choice[step]!;
    softmax({ ...choicesOf(out, step * n, actions, bits), bitsAt: 0, legal, inverse }, p, 0);
    return meanLogp(p, 0, actions, legal) - meanLogp(probs, step * actions, actions, legal);
  };
  for (let row = 0; row < S * B; row++) {
    const [weight, length] = plan.subarray(2 * row) as unknown as [number, number];
    for (let t = 0; weight !== 0 && t < length; t++) {
      const step = row * T + t;
      credit[marksAt + step] = credit[step]! + 2 * (t + 1 < length ? changeAt(step + 1) : 0);
    }
  }
  return credit;
}

/** `wide`: logits so far apart that some probabilities are smaller than an f32 holds. */
const shapes: readonly (readonly [S: number, B: number, T: number, actions: number, values: number, wide?: boolean])[] =
  [
    [1, 1, 1, 2, 0],
    [2, 7, 5, 3, 1],
    [2, 67, 9, 32, 2],
    [1, 3, 65, 5, 0, true],
  ];

export const cases: readonly Case[] = shapes.map(([S, B, T, actions, values, wide = false], k): Case => {
  const N = S * B * T;
  const n = actions + values;
  const sizes = { S, B, T, actions, n, marksAt: 2 * (N + 3), inverse: 1.25 };
  const lengths = wholes(k, S * B, T).map((x) => x + 1);
  const far = wide ? 60 : 2;
  const given: Given = {
    plan: Float32Array.from({ length: 2 * S * B }, (_, at) => (at % 2 === 1 ? lengths[at >> 1]! : (1 + (at >> 1)) % 4)),
    // one action is always legal, as in every world; bits after those of the actions say nothing
    choice: Uint32Array.from({ length: 2 * N }, (_, step) => (wholes(9 * k + step, 1, 2 ** 32)[0]! | 1) >>> 0),
    out: numbers(9 * k + 1, N * n, -far, far),
    // where an action was not legal, nothing is read
    probs: numbers(9 * k + 2, N * actions, 0.01, 1),
    credit: Float32Array.of(...numbers(9 * k + 3, sizes.marksAt, -2, 2), ...untouched(N + 3)),
  };
  const { B: _B, S: _S, ...rest } = sizes;
  return {
    name: `nextMarks ${S}×${B}×${T} of ${actions} actions${wide ? ', some hardly possible' : ''}`,
    kernel: nextMarksWith(SNIPPET),
    dims: { B, ...rest, empty: EMPTY },
    groups: [Math.ceil((B * T) / 64), 1, S],
    buffers: given,
    expected: { credit: nextMarks(sizes, given) },
    // means of up to 32 logarithms of up to 90
    tolerance: { abs: 2e-5, rel: 2e-5 },
  };
});
