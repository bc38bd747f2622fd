import { wholes, type Case } from '../../../conformance.ts';
import { blockCall, matchCalls } from '../../../match.ts';

const NONE = 0xffffffff;

/** First steps of the sets of real steps of a replica whose words are equal; null: in no set. Flat indices inside a replica. */
export function matchWords(
  S: number,
  B: number,
  T: number,
  length: Uint32Array,
  wordsOf: (row: number, t: number) => readonly number[] | null,
): Uint32Array {
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
  return match;
}

/** Steps of a task group with equal state keys. */
export function keyMatch(
  S: number,
  B: number,
  T: number,
  key: Uint32Array,
  length: Uint32Array,
  taskIndex: Uint32Array,
): Uint32Array {
  return matchWords(S, B, T, length, (row, t) => {
    const k = row * T + t;
    return [taskIndex[row]!, key[2 * k]!, key[2 * k + 1]!];
  });
}

/** Scratch and output as the kernels find them; `owner`: what an update before has left in the table. */
export const blankMatches = (steps: number, owner = 777) => ({
  table: new Uint32Array(2 * steps).fill(owner),
  match_: new Uint32Array(steps).fill(777),
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

/** The next step of the same set for every step of a replica, circular; 0xffffffff for steps in no set. */
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

const caseOf = (k: number, block: number | null, inBlocks = false): Case => {
  const [S, B, T, tasks] = shapes[k]!;
  const key = keysFor(k, S * B * T);
  const length = wholes(k + 5, S * B, T).map((n) => n + 1);
  const anywhere = wholes(k + 6, S * B, tasks);
  const taskIndex = block === null ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
  // a step that is not real any more
  const padded = length.findIndex((n) => n < T) % B;
  const steps = { S, B, T, block: block ?? B };
  const [first, ...after] = inBlocks ? [blockCall('key', steps)] : matchCalls('key', steps);
  const match = keyMatch(S, B, T, key, length, taskIndex);
  const links = inBlocks ? { next: linksOf(S, match) } : {};
  return {
    name: `keyMatch ${S}×${B}×${T}, ${block === null ? `${tasks} groups anywhere` : `groups of ${block} in a row`}${inBlocks ? ', a workgroup each' : ''}`,
    ...first!,
    after,
    buffers: {
      ...{ key, length, taskIndex, ...blankMatches(S * B * T, padded < 0 ? 777 : (padded + 1) * T) },
      ...(inBlocks ? { next: new Uint32Array(S * B * T).fill(777) } : {}),
    },
    expected: { match_: match, ...links },
  };
};

export const cases: readonly Case[] = [
  ...shapes.map((_, k) => caseOf(k, null)),
  ...[1, 2, 3, 4].map((k) => caseOf(k, 4)),
  ...shapes.map((_, k) => caseOf(k, null, true)),
  ...[1, 2, 3, 4].map((k) => caseOf(k, 4, true)),
];
