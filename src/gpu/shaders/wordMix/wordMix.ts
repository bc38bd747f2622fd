import { log } from '../../../core/fmath.ts';
import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { bound, free, grammarWords, pathOf, type CommandGrammar } from '../commandWorld.ts';
import { kernels } from '../kernels.ts';

/** record [S, 16]: at 1 the mean over words of H / log(legal words), at 3 the mean over steps of Σ log(legal words). */
export function wordMix(
  g: CommandGrammar,
  [S, B, T]: readonly [number, number, number],
  length: Uint32Array,
  legal: Uint32Array,
  commands: Uint32Array,
  entropy: Float32Array,
  record: Float32Array,
): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    let [steps, words, share, most] = [0, 0, 0, 0];
    for (let row = s * B; row < (s + 1) * B; row++) {
      for (let step = row * T; step < row * T + length[row]!; step++) {
        steps++;
        pathOf(g, commands[step]!).forEach((c, k) => {
          const own = g.slots.filter((slot) => slot.node === g.slots[c]!.node);
          const n = own.filter((slot) => !g.masked || (slot.actions & legal[step]!) !== 0).length;
          words++;
          if (n < 2) return;
          share += entropy[step * g.decisions + k]! / log(n);
          most += log(n);
        });
      }
    }
    result[16 * s + 1] = share / words;
    result[16 * s + 3] = most / steps;
  }
  return result;
}

export const cases: readonly Case[] = (
  [
    [bound, 1, 1, 1],
    [bound, 2, 65, 7],
    [free, 3, 5, 4],
  ] as const
).map(([g, S, B, T], seed): Case => {
  const N = S * B * T;
  const K = g.decisions;
  const section = N + 3;
  const length = wholes(seed, S * B, T).map((n) => n + 1);
  const picks = wholes(seed + 1, N, g.commands.length);
  // the written command is always legal; every third step allows everything
  const legal = wholes(seed + 2, N, 2 ** g.commands.length).map((bits, k) =>
    k % 3 === 0 ? 0xffffffff : bits | (1 << picks[k]!),
  );
  const commands = picks.map((a) => g.commands[a]!);
  const choice = new Uint32Array(3 * section).fill(777);
  choice.set(legal);
  choice.set(commands, 2 * section);
  const entropy = numbers(seed + 3, N * K, 0, 1);
  const sampled = numbers(seed + 4, (3 + 2 * K) * section, 5, 6);
  sampled.set(entropy, (3 + K) * section);
  const record = untouched(S * 16);
  return {
    name: `wordMix ${S}×${B}×${T}, ${g.masked ? 'only commands' : 'any words'}`,
    kernel: kernels.wordMix,
    dims: { B, T, J: g.prefixes.length, masked: g.masked ? 1 : 0, decisions: K, section, floatSection: section },
    groups: [1, 1, S],
    buffers: { grammar: grammarWords(g), length, choice, sampled, record },
    expected: { record: wordMix(g, [S, B, T], length, legal, commands, entropy, record) },
    // means of at most 910 numbers below 3; log of a GPU has an error of 2⁻²¹ in the middle of its range
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});
