import { actionTree } from '../../../../contract/units.ts';
import { topSet as topSetOf, type TopRule } from '../../../../core/math/topSet.ts';
import TOP from '../../../../core/math/topSet.wgsl?raw';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { actionsAt } from '../../commandWorld.ts';
import { restrictWith } from '../../restrictKernels.ts';

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
type Result = { choice: Uint32Array; before: Uint32Array; counts: Uint32Array; margin: number };

/** How near a running sum of the most likely actions comes to topP, or two of them to each other without being equal. */
function marginOf(p: readonly number[], { topP, minKeep }: TopRule): number {
  const order = p.filter((x) => x > 0).sort((x, y) => y - x);
  let [reached, margin] = [0, Infinity];
  for (let k = 0; k + 1 < order.length && (reached < topP || k < minKeep); k++) {
    reached += order[k]!;
    const gap = order[k]! - order[k + 1]!;
    margin = Math.min(margin, Math.abs(reached - topP), gap > 0 ? gap : Infinity);
  }
  return margin;
}

/** Number of ones among the first `actions` bits. */
const bitsOf = (x: number, actions: number): number =>
  Array.from({ length: actions }, (_, b) => (x >>> b) & 1).reduce((sum, bit) => sum + bit, 0);

/** The set under π of each of these steps, π [actions] as `probsAt` tells it, takes the place of its legal bits. */
export function narrowed(
  { S, B, T }: Pick<Sizes, 'S' | 'B' | 'T'>,
  actions: number,
  rule: TopRule,
  legalBits: Uint32Array,
  steps: readonly { readonly step: number; readonly p: readonly number[] }[],
): Result {
  const result: Result = {
    ...{ choice: legalBits.slice(), before: new Uint32Array(untouched(S * B)) },
    ...{ counts: new Uint32Array(2 * S), margin: Infinity },
  };
  for (const { step, p } of steps) {
    const s = Math.floor(step / (B * T));
    const kept = topSetOf(p, 0, actions, rule);
    const legal = bitsOf(legalBits[step]!, actions);
    result.before[Math.floor(step / T)] = legalBits[step]!;
    result.choice[step] = kept;
    result.counts[2 * s]! += legal;
    result.counts[2 * s + 1]! += legal - bitsOf(kept, actions);
    result.margin = Math.min(result.margin, marginOf(p, rule));
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
  const tree = actionTree(actions);
  const playing = [...length.keys()].filter((row) => length[row] === 0);
  const steps = playing.map((row) => {
    const step = row * T + T - 1;
    const z = (Math.floor(row / B) * maxRows + (row % B)) * n;
    return { step, p: actionsAt(tree, (c) => logits[z + c]!, choice[step]!, d.inverse) };
  });
  return { d, logits, length, choice, want: narrowed(d, actions, d, choice, steps) };
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
  const { S, minKeep, topP, ...sizes } = d;
  const dims = { ...sizes, p0: topP, p1: minKeep, p2: 0, p3: 0 };
  const common = { dims, groups: [Math.ceil(d.B / 64), 1, S] as const };
  const before = new Uint32Array(untouched(S * d.B));
  const counts = new Uint32Array(2 * S);
  return [
    {
      ...{ ...common, name: `restrict ${shape.join('×')}`, kernel: restrictWith(TOP, 'main') },
      buffers: { logits, length, choice, before, counts },
      expected: { choice: want.choice, before: want.before, counts: want.counts },
    },
    {
      ...{ ...common, name: `restrict ${shape.join('×')} taken back`, kernel: restrictWith(TOP, 'restore') },
      buffers: { logits, length, choice: want.choice, before: want.before, counts },
      expected: { choice, before: want.before, counts },
    },
  ];
});
