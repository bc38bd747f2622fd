import { LEFT_OUT } from '../../../../core/math/clip.ts';
import { choicesOf, softmax } from '../../../../core/math/distribution.ts';
import { keptByExcess } from '../../../../core/math/keptByExcess.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { excessMarksWith } from '../../../excessMarks.ts';

type Sizes = Readonly<Record<'S' | 'B' | 'T' | 'actions' | 'n' | 'marksAt' | 'inverse', number>>;
type Given = Readonly<Record<'plan' | 'stats' | 'sampled' | 'out' | 'credit', Float32Array>> &
  Readonly<Record<'choice' | 'counts', Uint32Array>>;

/** An excess that reads all there is. Without credit it is 1 to the last digit, and such a unit stays. */
const SNIPPET = `fn excessOf(u: Unit) -> f32 {
  if (u.A == 0.0) { return 1.0; }
  return u.weight * u.A + 2.0 * u.delta - u.logp + 3.0 * u.squares - 5.0 * u.cubes;
}`;

/** Marks of the steps of every trajectory with a weight by sorting their excess, LEFT_OUT for all others; the rest of `credit` stays. */
export function excessMarks({ S, B, T, actions, n, marksAt, inverse }: Sizes, of: Given): Float32Array {
  const { plan, stats, sampled, out, choice, counts } = of;
  const credit = of.credit.slice().fill(LEFT_OUT, marksAt, marksAt + S * B * T);
  const bits = Uint32Array.from({ length: actions }, (_, a) => 1 << a);
  const p = new Float64Array(actions);
  for (let s = 0; s < S; s++) {
    const steps = Array.from({ length: B * T }, (_, k) => s * B * T + k).filter(
      (step) => plan[2 * Math.floor(step / T)] !== 0 && step % T < plan[2 * Math.floor(step / T) + 1]!,
    );
    const weightOf = (step: number): number => plan[2 * Math.floor(step / T)]!;
    const mean = steps.reduce((sum, step) => sum + weightOf(step), 0) / steps.length;
    const excess = Float64Array.from(steps, (step) => {
      softmax({ ...choicesOf(out, step * n, actions, bits), bitsAt: 0, legal: choice[step]!, inverse }, p, 0);
      const power = (k: number): number => p.reduce((sum, x) => sum + x ** k, 0);
      const [A, delta] = [credit[step]!, stats[6 * step + 4]!];
      if (A === 0) return 1;
      return (weightOf(step) / mean) * A + 2 * delta - (sampled[step]! + delta) + 3 * power(2) - 5 * power(3);
    });
    const kept = keptByExcess(excess, counts[2 * steps.length]!);
    steps.forEach((step, u) => (credit[marksAt + step] = kept[u]!));
  }
  return credit;
}

/** `kinds`: so many different units, of which many are equal; none: all differ. */
type Shape = {
  readonly of: readonly [S: number, B: number, T: number];
  readonly actions: number;
  readonly share: number;
  readonly kinds?: number;
  readonly lacksNumbers?: boolean;
};
const shapes: readonly Shape[] = [
  { of: [1, 1, 1], actions: 3, share: 1 },
  { of: [2, 7, 5], actions: 4, share: 0.3 },
  // none may go
  { of: [1, 5, 7], actions: 4, share: 0 },
  // fewer are above 1 than may go
  { of: [2, 67, 9], actions: 5, share: 0.99 },
  { of: [3, 301, 3], actions: 32, share: 0.08 },
  { of: [1, 3, 301], actions: 2, share: 0.3, kinds: 4 },
  { of: [2, 41, 11], actions: 4, share: 0.22, kinds: 3 },
  { of: [2, 13, 7], actions: 4, share: 0.5, lacksNumbers: true },
];

export const cases: readonly Case[] = shapes.map(({ of, actions, share, kinds, lacksNumbers = false }, k): Case => {
  const [S, B, T] = of;
  const N = S * B * T;
  const n = actions + 1;
  const sizes: Sizes = { S, B, T, actions, n, marksAt: 2 * (N + 3), inverse: 1 / 1.25 };
  const lengths = wholes(k, S * B, T).map((x) => x + 1);
  const kind = kinds === undefined ? Uint32Array.from({ length: N }, (_, step) => step) : wholes(9 * k, N, kinds);
  /** numbers of every step by its kind, `width` each */
  const made = (which: number, width: number, low: number, high: number): Float32Array => {
    const table = numbers(9 * k + which, (kinds ?? N) * width, low, high);
    return Float32Array.from(
      { length: N * width },
      (_, at) => table[kind[Math.floor(at / width)]! * width + (at % width)]!,
    );
  };
  const A = made(1, 1, -2, 3).map((x) => (Math.abs(x) < 0.3 ? 0 : x));
  const stats = made(2, 6, -1, 1);
  if (lacksNumbers) for (let step = 3; step < N; step += 5) stats[6 * step + 4] = NaN;
  const buffers: Given = {
    // with kinds all trajectories weigh alike, or none
    plan: Float32Array.from({ length: 2 * S * B }, (_, at) =>
      at % 2 === 1 ? lengths[at >> 1]! : kinds === undefined ? (1 + (at >> 1)) % 4 : Number((at >> 1) % 4 !== 3),
    ),
    stats,
    sampled: Float32Array.of(...made(3, 1, -3, 0), ...untouched(N)),
    // the first two are always legal
    choice: Uint32Array.of(
      ...kind.map((x) => (3 | wholes(9 * k + 4, kinds ?? N, 2 ** 32)[x]!) >>> 0),
      ...wholes(k, N, 9),
    ),
    out: made(5, n, -3, 3),
    counts: Uint32Array.from({ length: 2 * (B * T + 1) }, (_, at) =>
      at % 2 === 0 ? Math.floor(share * (at >> 1)) : 99,
    ),
    credit: Float32Array.of(...A, ...numbers(9 * k + 6, sizes.marksAt - N, -2, 2), ...untouched(N + 3)),
  };
  return {
    name: `excessMarks ${S}×${B}×${T}, share ${share}${kinds === undefined ? '' : `, ${kinds} kinds`}${lacksNumbers ? ', NaN' : ''}`,
    kernel: excessMarksWith(SNIPPET),
    dims: { B, T, actions, n, marksAt: sizes.marksAt, inverse: sizes.inverse },
    groups: [1, 1, S],
    buffers,
    expected: { credit: excessMarks(sizes, buffers) },
    // every mark is one of the given numbers; which units go is decided far from rounding
    tolerance: { abs: 0, rel: 0 },
  };
});
