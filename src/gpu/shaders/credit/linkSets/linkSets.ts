import { wholes, type Case } from '../../../conformance.ts';
import { linkCall } from '../../../match.ts';
import { keyMatch, keysFor, shapes } from '../keyMatch/keyMatch.ts';

const NONE = 0xffffffff;

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

export const cases: readonly Case[] = [...shapes, [2, 9, 130, 3] as const].flatMap(([S, B, T, tasks], k) =>
  [B, 4].flatMap((block) =>
    [false, true].map((inOrder): Case => {
      const length = wholes(k + 5, S * B, T).map((n) => n + 1);
      const anywhere = wholes(k + 6, S * B, tasks);
      const taskIndex = block === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
      const match = keyMatch(S, B, T, keysFor(k, S * B * T), length, taskIndex);
      return {
        name: `linkSets ${S}×${B}×${T} in blocks of ${block}${inOrder ? ', step by step' : ''}`,
        ...linkCall({ S, B, T, block }, inOrder),
        buffers: {
          match_: match,
          table: new Uint32Array(2 * S * B * T).fill(777),
          next: new Uint32Array(S * B * T).fill(777),
        },
        expected: { next: linksOf(S, match) },
      };
    }),
  ),
);
