import { wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

const NONE = 0xffffffff;

/** First step of every set and, in order, the next one; the last points back at the first. 0xffffffff outside sets. */
export type Matches = { readonly match: Uint32Array; readonly next: Uint32Array };

/** The next step of the same set for every step of a replica, circular, from the first step of each set. */
export function linksOf(S: number, match: Uint32Array): Uint32Array {
  const next = match.slice();
  const size = match.length / S;
  for (let s = 0; s < S; s++) {
    const last = new Map<number, number>();
    for (let k = s * size; k < (s + 1) * size; k++) {
      if (match[k] === NONE) continue;
      const before = last.get(match[k]!);
      if (before !== undefined) next[before] = k % size;
      last.set(match[k]!, k);
    }
  }
  return next;
}

/** Sets of real steps of a replica whose words are equal; null: in no set. Steps are flat indices inside their replica. */
export function matchWords(
  S: number,
  B: number,
  T: number,
  length: Uint32Array,
  wordsOf: (row: number, t: number) => readonly number[] | null,
): Matches {
  const match = new Uint32Array(S * B * T).fill(NONE);
  for (let s = 0; s < S; s++) {
    const first = new Map<string, number>();
    for (let i = 0; i < B; i++) {
      for (let t = 0; t < length[s * B + i]!; t++) {
        const name = wordsOf(s * B + i, t)?.join(',');
        if (name === undefined) continue;
        if (!first.has(name)) first.set(name, i * T + t);
        match[(s * B + i) * T + t] = first.get(name)!;
      }
    }
  }
  return { match, next: linksOf(S, match) };
}

/** Steps of a task group with equal state keys. */
export function keyMatch(
  S: number,
  B: number,
  T: number,
  key: Uint32Array,
  length: Uint32Array,
  taskIndex: Uint32Array,
): Matches {
  return matchWords(S, B, T, length, (row, t) => {
    const k = row * T + t;
    return [taskIndex[row]!, key[2 * k]!, key[2 * k + 1]!];
  });
}

/** Scratch and outputs as a kernel finds them. */
export const blankMatches = (steps: number) => ({
  table: new Uint32Array(2 * steps).fill(777),
  match_: new Uint32Array(steps).fill(777),
  next: new Uint32Array(steps).fill(777),
});

/** Keys that agree in one word only must not match. */
export function keysFor(seed: number, steps: number): Uint32Array {
  const high = wholes(seed, steps, 3);
  const low = wholes(seed + 1, steps, 3);
  return Uint32Array.from({ length: 2 * steps }, (_, k) => (k % 2 === 0 ? high : low)[k >> 1]! * 0x9e3779b1);
}

export const shapes = [
  [1, 1, 1, 1],
  [2, 5, 3, 2],
  [1, 13, 5, 3],
  [3, 9, 8, 1],
  [2, 12, 33, 2],
] as const;

const caseOf = (k: number, block: number | null): Case => {
  const [S, B, T, tasks] = shapes[k]!;
  const key = keysFor(k, S * B * T);
  const length = wholes(k + 5, S * B, T).map((n) => n + 1);
  const anywhere = wholes(k + 6, S * B, tasks);
  const taskIndex = block === null ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
  const { match, next } = keyMatch(S, B, T, key, length, taskIndex);
  return {
    name: `keyMatch ${S}×${B}×${T}, ${block === null ? `${tasks} groups anywhere` : `groups of ${block} in a row`}`,
    kernel: kernels.keyMatch,
    dims: { B, T, block: block ?? B },
    groups: [Math.ceil(B / (block ?? B)), 1, S],
    buffers: { key, length, taskIndex, ...blankMatches(S * B * T) },
    expected: { match_: match, next },
  };
};

export const cases: readonly Case[] = [
  ...shapes.map((_, k) => caseOf(k, null)),
  ...[1, 2, 3, 4].map((k) => caseOf(k, 4)),
];
