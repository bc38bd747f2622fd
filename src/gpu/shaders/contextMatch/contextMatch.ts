import { wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';
import { keyMatch, keysFor, shapes } from '../keyMatch/keyMatch.ts';

const NONE = 0xffffffff;
type Sizes = { S: number; B: number; T: number; past: number; edge: boolean };
type Steps = {
  head: Uint32Array;
  action: Uint32Array;
  key: Uint32Array;
  finalKey: Uint32Array;
  length: Uint32Array;
};

/**
 * For every real step the smallest flat index of a step of its task group with the same history. States: the last
 * past + 1 states agree, earlier steps are in no set. Edges: (s, a, s′) and the last min(past, t) pairs (s, a) agree.
 */
export function contextMatch({ S, B, T, past, edge }: Sizes, x: Steps): Uint32Array {
  const match = new Uint32Array(S * B * T).fill(NONE);
  for (let s = 0; s < S; s++) {
    const first = new Map<string, number>();
    for (let i = 0; i < B; i++) {
      const row = s * B + i;
      const length = x.length[row]!;
      for (let t = 0; t < length; t++) {
        if (!edge && t < past) continue;
        const k = row * T + t;
        const words: number[] = [x.head[k]!];
        if (edge) {
          const [keys, at] = t + 1 < length ? [x.key, 2 * (k + 1)] : [x.finalKey, 2 * row];
          words.push(x.action[k]!, keys[at]!, keys[at + 1]!);
        }
        for (let m = 1; m <= Math.min(past, t); m++) words.push(x.head[k - m]!, ...(edge ? [x.action[k - m]!] : []));
        const name = words.join(',');
        if (!first.has(name)) first.set(name, i * T + t);
        match[k] = first.get(name)!;
      }
    }
  }
  return match;
}

const kinds = [
  [0, false],
  [2, false],
  [0, true],
  [1, true],
  [9, true],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], seed) =>
  kinds.map(([past, edge]): Case => {
    const key = keysFor(seed, S * B * T);
    const length = wholes(seed + 5, S * B, T).map((n) => n + 1);
    const taskIndex = wholes(seed + 6, S * B, tasks);
    const action = wholes(seed + 7, S * B * T, 2);
    const finalKey = keysFor(seed + 8, S * B);
    const { head } = keyMatch(S, B, T, key, length, taskIndex);
    return {
      name: `contextMatch of ${edge ? 'edges' : 'states'}, past ${past}, ${S}×${B}×${T} in ${tasks} groups`,
      kernel: kernels.contextMatch,
      dims: { B, T, block: B, past, edge: edge ? 1 : 0 },
      groups: [Math.ceil((B * T) / 64), 1, S],
      buffers: { head, action, key, finalKey, length, taskIndex, match_: new Uint32Array(S * B * T).fill(777) },
      expected: { match_: contextMatch({ S, B, T, past, edge }, { head, action, key, finalKey, length }) },
    };
  }),
);
