import { wholes, type Case } from '../../../conformance.ts';
import { linkCall } from '../../../match.ts';
import { keyMatch, keysFor, linksOf, shapes } from '../keyMatch/keyMatch.ts';

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
