import { exp } from '../../../core/fmath.ts';
import { numbers, wholes, type Case } from '../../conformance.ts';
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
type Result = { choice: Uint32Array; counts: Uint32Array; margin: number };

/**
 * For every living trajectory the smallest set of legal actions whose probability under softmax(logits / τ) reaches topP,
 * at least minKeep of them; of equal ones the lower index first. It replaces the legal bits of step t.
 */
export function topSet(d: Sizes, logits: Float32Array, length: Uint32Array, before: Uint32Array): Result {
  const { S, B, T, t, actions, n, maxRows, minKeep, topP, inverse } = d;
  const choice = before.slice();
  const counts = new Uint32Array(2 * S);
  let margin = Infinity;
  for (let row = 0; row < S * B; row++) {
    if (length[row] !== 0) continue;
    const s = Math.floor(row / B);
    const step = row * T + t;
    const at = (s * maxRows + (row % B)) * n;
    const legal = Array.from({ length: actions }, (_, b) => b).filter((b) => ((before[step]! >>> b) & 1) === 1);
    const top = Math.max(...legal.map((b) => logits[at + b]! * inverse));
    const e = legal.map((b) => exp(logits[at + b]! * inverse - top));
    const total = e.reduce((x, y) => x + y, 0);
    const order = legal.map((b, k) => ({ b, p: e[k]! / total })).filter(({ p }) => p > 0);
    order.sort((x, y) => y.p - x.p || x.b - y.b);
    let kept = 0;
    let reached = 0;
    for (let k = 0; k < order.length && (reached < topP || k < minKeep); k++) {
      kept |= 1 << order[k]!.b;
      reached += order[k]!.p;
      if (k + 1 < order.length) margin = Math.min(margin, Math.abs(reached - topP));
      const gap = k + 1 < order.length ? order[k]!.p - order[k + 1]!.p : 0;
      if (gap > 0) margin = Math.min(margin, gap);
      counts[2 * s + 1]!--;
    }
    choice[step] = kept;
    counts[2 * s]! += legal.length;
    counts[2 * s + 1]! += legal.length;
  }
  return { choice, counts, margin };
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

export const cases: readonly Case[] = shapes.map((shape, k): Case => {
  const { d, logits, length, choice, want } = clear(k, shape);
  const { S, ...dims } = d;
  return {
    name: `topSet ${shape.join('×')}`,
    kernel: kernels.topSet,
    dims,
    groups: [Math.ceil(d.B / 64), 1, S],
    buffers: { logits, length, choice, counts: new Uint32Array(2 * S) },
    expected: { choice: want.choice, counts: want.counts },
  };
});
