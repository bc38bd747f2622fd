import { wholes, type Case } from '../../../conformance.ts';
import { likeSets as kernel } from '../../likeKernels.ts';
import { blankMatches, shapes } from '../keyMatch/keyMatch.ts';

const NONE = 0xffffffff;
/** How bits of an observation are cells; see the kernel. */
type Seen = { words: number; features: number; parts: number; bits: number; stride: number; step: number };

/** The cells of the observation at word `at`: the bits of each part as a number, each bit behind them, or which bit is set. */
function cellsAt(obs: Uint32Array, at: number, { words, features, parts, bits, stride, step }: Seen): number[] {
  const bitOf = (f: number): number => (obs[at + Math.floor(f / 32)]! >>> (f % 32)) & 1;
  if (parts === 0) {
    const word = Array.from({ length: words }, (_, w) => w).find((w) => obs[at + w] !== 0)!;
    return [32 * word + 31 - Math.clz32(obs[at + word]!)];
  }
  const ofParts = Array.from({ length: parts }, (_, k) =>
    Array.from({ length: bits }, (_b, j) => bitOf(k * stride + j * step) * 2 ** j).reduce((sum, x) => sum + x),
  );
  return [...ofParts, ...Array.from({ length: features - parts * bits }, (_, k) => bitOf(parts * bits + k))];
}

/** Steps of an action from `first` on are alone; for others the first set, in row order, of the same task whose first step differs in at most `most` cells; else a step opens one. */
export function likeSets(
  { S, B, T, most, first, ...seen }: Seen & { S: number; B: number; T: number; most: number; first: number },
  { obs, length, taskIndex, action }: Record<'obs' | 'length' | 'taskIndex' | 'action', Uint32Array>,
): Uint32Array {
  const match = new Uint32Array(S * B * T).fill(NONE);
  for (let s = 0; s < S; s++) {
    const sets: { k: number; task: number; cells: readonly number[] }[] = [];
    for (let k = 0; k < B * T; k++) {
      const row = s * B + Math.floor(k / T);
      if (k % T >= length[row]!) continue;
      if (action[s * B * T + k]! >= first) {
        match[s * B * T + k] = k;
        continue;
      }
      const cells = cellsAt(obs, (row * (T + 1) + (k % T)) * seen.words, seen);
      const task = taskIndex[row]!;
      const differ = (other: readonly number[]): number => cells.filter((x, c) => x !== other[c]).length;
      const found = sets.find((set) => set.task === task && differ(set.cells) <= most);
      if (!found) sets.push({ k, task, cells });
      match[s * B * T + k] = found?.k ?? k;
    }
  }
  return match;
}

/** As worlds are seen: a map in planes with keys behind it, single bits, tokens with bits behind them, the number of a state. */
const SEEN: Readonly<Record<string, Seen>> = {
  map: { words: 5, features: 3 * 45 + 2, parts: 45, bits: 3, stride: 1, step: 45 },
  bits: { words: 2, features: 63, parts: 63, bits: 1, stride: 1, step: 0 },
  tokens: { words: 3, features: 8 * 9 + 3, parts: 9, bits: 8, stride: 8, step: 1 },
  state: { words: 2, features: 40, parts: 0, bits: 0, stride: 0, step: 0 },
};

/**
 * Observations a few bits away from one of two, so that some differ in exactly `most` cells and some in one more; several of
 * the bits may be in one cell. Bits behind the last feature, and padding, are never the same.
 */
function observations(seed: number, rows: number, seen: Seen): Uint32Array {
  const { words, features, parts } = seen;
  const noise = wholes(seed, rows * words, 2 ** 32);
  const obs = new Uint32Array(rows * words);
  const [base, flips, spots] = [
    wholes(seed + 1, rows, 2),
    wholes(seed + 2, rows, 5),
    wholes(seed + 3, 5 * rows, features),
  ];
  const set = (at: number, f: number): void => void (obs[at + (f >> 5)]! ^= 2 ** (f & 31));
  for (let i = 0; i < rows; i++) {
    const at = i * words;
    if (parts === 0) {
      set(at, spots[i]! % 40);
      continue;
    }
    for (let f = 0; f < features; f += base[i] === 1 ? 3 : 5) set(at, f);
    for (let j = 0; j < flips[i]!; j++) set(at, spots[5 * i + j]!);
    for (let f = features; f < 32 * words; f++) if ((noise[at + (f >> 5)]! >>> (f & 31)) & 1) set(at, f);
  }
  return obs;
}

const caseOf = (name: string, most: number, k: number, block: number | null): Case => {
  const seen = SEEN[name]!;
  const [S, B, T, tasks] = shapes[k]!;
  const length = wholes(k + 5, S * B, T).map((n) => n + 1);
  const anywhere = wholes(k + 6, S * B, tasks);
  const taskIndex = block === null ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
  const obs = observations(k + 11, S * B * (T + 1), seen);
  const action = wholes(k + 13, S * B * T, 4);
  const first = k % 2 === 0 ? NONE : 3;
  const where = block === null ? `${tasks} groups anywhere` : `groups of ${block} in a row`;
  const rows = block ?? B;
  return {
    name: `likeSets ${S}×${B}×${T}, ${name}, up to ${most} cells, ${where}`,
    kernel,
    dims: { B, T, block: rows, most, first, ...seen },
    groups: [Math.ceil(B / rows), 1, S],
    buffers: { obs, length, taskIndex, action, ...blankMatches(S * B * T) },
    expected: { match_: likeSets({ S, B, T, most, first, ...seen }, { obs, length, taskIndex, action }) },
  };
};

export const cases: readonly Case[] = Object.keys(SEEN).flatMap((name) => [
  ...shapes.map((_, k) => caseOf(name, k % 4, k, null)),
  ...[1, 3, 4].map((k) => caseOf(name, k === 3 ? 0 : 2, k, 4)),
]);
