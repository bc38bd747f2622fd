import { wholes, type Case } from '../../../conformance.ts';
import { tokenKernels } from '../../tokenKernels.ts';
import { pack, treeOf, type Token } from '../../tokenWorld.ts';

type Sizes = {
  S: number;
  B: number;
  T: number;
  R: number;
  M: number;
  J: number;
  history: number;
  words: number;
  observation: number;
  obsWords: number;
  behind: number;
};
type Batch = { obs: Uint32Array; commands: Uint32Array; grammar: Uint32Array };
type Packed = { list: Uint32Array; tokens: Uint32Array; rows: Uint32Array };

/** Sequences of the next R steps of the list, which are then done: the last commands, the observation, the prefixes; <pad> is skipped, its place stays. */
export function tokenPack(d: Sizes, batch: Batch, before: Packed): Packed {
  const list = before.list.slice();
  const tokens = before.tokens.slice();
  const rows = before.rows.slice();
  const byte = (word: number, k: number): number => (word >>> (8 * (k & 3))) & 255;
  for (let s = 0; s < d.S; s++) {
    const start = s * (2 + d.B * d.T);
    const out = s * (4 + 2 * d.R);
    const done = list[start + 1]!;
    const live = Math.min(d.R, Math.max(0, list[start]! - done));
    list[start + 1] = done + live;
    let count = 0;
    for (let row = 0; row < live; row++) {
      const step = list[start + 2 + done + row]!;
      const i = s * d.B + Math.floor(step / d.T);
      const t = step % d.T;
      const first = count;
      const put = (t: Omit<Token, 'row' | 'first'>): void =>
        tokens.set(pack({ ...t, row, first }), 4 * (s * d.M + count++));
      const context = (token: number, place: number): void => {
        if (token > 0) put({ token, prefix: -1, place, order: count - first, ancestors: 0 });
      };
      for (let age = Math.min(d.history, t + d.behind); age >= 1; age--) {
        const command = batch.commands[i * d.T + t + d.behind - age]!;
        for (let k = 0; k < d.words; k++) context(byte(command, k), (d.history - age) * d.words + k);
      }
      const seen = (i * (d.T + 1) + (d.behind === 1 ? d.T : t)) * d.obsWords;
      for (let k = 0; k < d.observation; k++) context(byte(batch.obs[seen + (k >> 2)]!, k), d.history * d.words + k);
      const length = count - first;
      for (let j = 0; j < d.J; j++) {
        const [token, depth, ancestors] = batch.grammar.subarray(5 * j) as unknown as [number, number, number];
        const place = d.history * d.words + d.observation + depth;
        put({ token, prefix: j, place, order: length + depth, ancestors });
      }
      rows[out + 4 + row] = count;
      rows[out + 4 + d.R + row] = step;
    }
    rows.set([live, count, live * d.J, 0], out);
  }
  return { list, tokens, rows };
}

type Variant = { R: number; done?: number; history?: number; observation: number; behind?: number; parents: number[] };
const variants: readonly Variant[] = [
  { R: 1, observation: 1, parents: [0] },
  { R: 5, observation: 7, history: 2, parents: [0, 0, 1] },
  { R: 4, done: 4, observation: 6, history: 1, parents: [0, 0] },
  { R: 3, observation: 5, history: 2, behind: 1, parents: [0, 0, 0] },
  { R: 256, observation: 3, history: 3, parents: [0] },
];

export const cases: readonly Case[] = variants.map((v, seed): Case => {
  const { R, observation, history = 0, behind = 0, done = 0, parents } = v;
  const [S, B, T, words] = [3, R === 256 ? 100 : 4, 3, 3];
  const J = parents.length;
  const obsWords = Math.ceil(observation / 4);
  const M = R * (history * words + observation + J);
  const d: Sizes = { S, B, T, R, M, J, history, words, observation, obsWords, behind };
  // replica 0 has every step, replica 1 none, replica 2 some in order; what lies behind the list is garbage
  const list = new Uint32Array(S * (2 + B * T)).fill(0xffff_ffff);
  const entries = [Array.from({ length: B * T }, (_, k) => k), [], [1, 3, 4, 8, 9]];
  entries.forEach((steps, s) => list.set([steps.length, Math.min(done, steps.length), ...steps], s * (2 + B * T)));
  const bytes = (n: number, salt: number): Uint32Array => {
    const parts = wholes(seed + salt, 4 * n, 9);
    return Uint32Array.from({ length: n }, (_, k) =>
      [0, 1, 2, 3].reduce((word, b) => word | ((parts[4 * k + b]! * 28) << (8 * b)), 0),
    );
  };
  const tree = treeOf(parents);
  const grammar = Uint32Array.from(tree.flatMap(({ depth, ancestors }, j) => [1 + 3 * j, depth, ancestors, 99, 99]));
  const batch: Batch = { obs: bytes(S * B * (T + 1) * obsWords, 40), commands: bytes(S * B * T, 50), grammar };
  const before: Packed = {
    list,
    tokens: new Uint32Array(S * M * 4).fill(777),
    rows: new Uint32Array(S * (4 + 2 * R)).fill(777),
  };
  const { S: _, ...dims } = d;
  return {
    name: `tokenPack of ${R} rows after ${done}, history ${history}${behind ? ', last states' : ''}`,
    kernel: tokenKernels.tokenPack,
    dims,
    groups: [1, 1, S],
    buffers: { ...batch, ...before },
    expected: tokenPack(d, batch, before),
  };
});
