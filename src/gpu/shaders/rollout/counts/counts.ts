import { threefry } from '../../../../core/random.ts';
import { untouched, wholes, type Case } from '../../../conformance.ts';
import { countCalls } from '../../../counts.ts';

/** How often each step's state was counted with those of this batch, to a power; `known`: counts before it, by name. */
export function countsOf(
  { S, B, T }: { S: number; B: number; T: number },
  nameAt: (s: number, k: number) => string | null,
  known: readonly ReadonlyMap<string, number>[],
  exponent: number,
): Float32Array {
  const y = new Float32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    const counts = new Map(known[s]);
    const names = Array.from({ length: B * T }, (_, k) => nameAt(s, s * B * T + k));
    for (const name of names) if (name !== null) counts.set(name, Math.min(0xffffffff, (counts.get(name) ?? 0) + 1));
    names.forEach((name, k) => {
      if (name !== null) y[s * B * T + k] = counts.get(name)! ** exponent;
    });
  }
  return y;
}

/** A batch over few states; every second replica knows some of them already, and has counted them `before`. */
function caseOf(seed: number, [S, B, T]: readonly [number, number, number], slots: number, before = 5): Case {
  const steps = S * B * T;
  const key = wholes(seed, 2 * steps, 4);
  const finalKey = wholes(seed + 1, 2 * S * B, 4);
  const length = wholes(seed + 2, S * B, T).map((n) => n + 1);
  const assign = wholes(seed + 3, 4 * S * B, 2);
  const keyAt = (k: number): readonly [number, number] | null => {
    const row = Math.floor(k / T);
    const t = k % T;
    if (t >= length[row]!) return null;
    const [from, at] = t + 1 < length[row]! ? [key, 2 * k + 2] : [finalKey, 2 * row];
    return threefry(from[at]!, from[at + 1]!, assign[4 * row + 3]!, 0);
  };
  const known = Array.from({ length: S }, () => new Map<string, number>());
  const table = new Uint32Array(3 * S * slots);
  for (let s = 0; s < S; s += 2) {
    const first = keyAt(s * B * T)!;
    known[s]!.set(first.join(), before);
    table.set([...first, before], 3 * (s * slots + firstSlotOf(first, slots)));
  }
  const exponent = -0.5;
  const [begin, ...after] = countCalls(S, B, T, slots, exponent);
  return {
    name: `counts of ${S}×${B}×${T} in ${slots} slots after ${before}`,
    ...begin!,
    after,
    buffers: {
      ...{ key, finalKey, length, assign, table, y: untouched(steps) },
      ...{ steps: new Uint32Array(3 * steps).fill(9), claims: new Uint32Array(S * (2 * slots + 1)).fill(9) },
    },
    expected: { y: countsOf({ S, B, T }, (_, k) => keyAt(k)?.join() ?? null, known, exponent) },
    // pow is exp2 of a product with log2, each good to a few units in the last place of numbers up to 8
    tolerance: { abs: 0, rel: 1e-5 },
  };
}

const mix = (x: number): number => {
  let h = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
};
const firstSlotOf = ([high, low]: readonly [number, number], slots: number): number =>
  (mix(mix(high) ^ low) & (slots - 1)) >>> 0;

export const cases: readonly Case[] = [
  caseOf(1, [1, 1, 1], 64),
  caseOf(20, [2, 5, 13], 64),
  caseOf(40, [3, 16, 9], 128),
  caseOf(60, [1, 65, 2], 64),
  // as many as a word holds: one more would be 0, a free slot
  caseOf(80, [1, 33, 4], 64, 0xfffffffe),
];
