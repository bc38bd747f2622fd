import { exp } from '../../../core/fmath.ts';
import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

type Sizes = {
  S: number;
  B: number;
  T: number;
  t: number;
  actions: number;
  n: number;
  maxRows: number;
  minKeep: number;
  topP: number;
  inverse: number;
};
/** `margin`: how near a running sum comes to topP, or two probabilities to each other without being equal. */
type Result = { choice: Uint32Array; before: Uint32Array; counts: Uint32Array; margin: number };

/**
 * Bits of the smallest set of actions whose probability reaches topP, at least minKeep of them; of equal ones the lower
 * index first, none of probability 0.
 */
export function keptOf(
  p: readonly number[],
  { topP, minKeep }: Pick<Sizes, 'topP' | 'minKeep'>,
): { kept: number; margin: number } {
  const order = p.map((x, b) => ({ b, x })).filter(({ x }) => x > 0);
  order.sort((one, two) => two.x - one.x || one.b - two.b);
  let [kept, reached, margin] = [0, 0, Infinity];
  for (let k = 0; k < order.length && (reached < topP || k < minKeep); k++) {
    const { b, x } = order[k]!;
    kept |= 1 << b;
    reached += x;
    if (k + 1 === order.length) break;
    const gap = x - order[k + 1]!.x;
    margin = Math.min(margin, Math.abs(reached - topP), gap > 0 ? gap : Infinity);
  }
  return { kept: kept >>> 0, margin };
}

/** Number of ones among the first `actions` bits. */
export const bitsOf = (x: number, actions: number): number =>
  Array.from({ length: actions }, (_, b) => (x >>> b) & 1).reduce((sum, bit) => sum + bit, 0);

/** For every living trajectory the set under softmax(legal logits / τ) replaces the legal bits of step t. */
export function topSet(d: Sizes, logits: Float32Array, length: Uint32Array, legalBits: Uint32Array): Result {
  const { S, B, T, t, actions, n, maxRows, inverse } = d;
  const result: Result = {
    ...{ choice: legalBits.slice(), before: new Uint32Array(untouched(S * B)) },
    ...{ counts: new Uint32Array(2 * S), margin: Infinity },
  };
  for (let row = 0; row < S * B; row++) {
    if (length[row] !== 0) continue;
    const s = Math.floor(row / B);
    const step = row * T + t;
    const at = (s * maxRows + (row % B)) * n;
    const x = Array.from({ length: actions }, (_, b) =>
      ((legalBits[step]! >>> b) & 1) === 1 ? logits[at + b]! * inverse : -Infinity,
    );
    const top = Math.max(...x);
    const e = x.map((z) => (z === -Infinity ? 0 : exp(z - top)));
    const total = e.reduce((sum, y) => sum + y, 0);
    const { kept, margin } = keptOf(
      e.map((y) => y / total),
      d,
    );
    const legal = bitsOf(legalBits[step]!, actions);
    result.before[row] = legalBits[step]!;
    result.choice[step] = kept;
    result.counts[2 * s]! += legal;
    result.counts[2 * s + 1]! += legal - bitsOf(kept, actions);
    result.margin = Math.min(result.margin, margin);
  }
  return result;
}

const shapes = [
  [1, 1, 1, 1, 0, 0.9, 1],
  [2, 5, 3, 4, 1, 0.5, 2],
  [3, 64, 2, 5, 0, 0.9, 1],
  [1, 65, 2, 17, 1, 0.3, 3],
  [2, 3, 1, 32, 0, 1, 1],
] as const;

function make(seed: number, [S, B, T, actions, critic, topP, minKeep]: (typeof shapes)[number]) {
  const n = actions + critic;
  const maxRows = B + 3;
  const d: Sizes = { S, B, T, t: T - 1, actions, n, maxRows, minKeep, topP, inverse: 1 / 0.7 };
  // every second row has equal logits in pairs
  const logits = numbers(seed, S * maxRows * n, -3, 3).map((z, k, all) =>
    Math.floor(k / n) % 2 === 1 && k % n > 0 && (k % n) % 2 === 1 ? all[k - 1]! : z,
  );
  const length = wholes(seed + 1, S * B, 5).map((x) => (x === 0 ? 1 : 0));
  const choice = new Uint32Array(2 * S * B * T + 7).fill(777);
  const masks = wholes(seed + 3, S * B * T, 2 ** actions);
  for (let k = 0; k < S * B * T; k++) choice[k] = k % 3 === 0 ? masks[k]! || 1 : 0xffffffff;
  return { d, logits, length, choice, want: topSet(d, logits, length, choice) };
}

/** A sum within rounding of topP may fall either way, and so may two nearly equal actions: the next seed is taken. */
function clear(seed: number, shape: (typeof shapes)[number]) {
  for (let k = seed; ; k += 1000) {
    const made = make(k, shape);
    if (made.want.margin > 2e-6) return made;
  }
}

export const cases: readonly Case[] = shapes.flatMap((shape, k): Case[] => {
  const { d, logits, length, choice, want } = clear(k, shape);
  const { S, ...dims } = d;
  const common = { dims, groups: [Math.ceil(d.B / 64), 1, S] as const };
  const before = new Uint32Array(untouched(S * d.B));
  const counts = new Uint32Array(2 * S);
  return [
    {
      ...{ ...common, name: `topSet ${shape.join('×')}`, kernel: kernels.topSet },
      buffers: { logits, length, choice, before, counts },
      expected: { choice: want.choice, before: want.before, counts: want.counts },
    },
    {
      ...{ ...common, name: `topSet ${shape.join('×')} taken back`, kernel: kernels.topSetRestore },
      buffers: { logits, length, choice: want.choice, before: want.before, counts },
      expected: { choice, before: want.before, counts },
    },
  ];
});
