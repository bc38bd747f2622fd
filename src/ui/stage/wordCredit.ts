import type { Snapshot } from '../../worker/protocol.ts';
import { credit } from '../credit/sentences.ts';

/** A word that was a decision, and its credit. */
export type Credited = { readonly word: string; readonly A: number };

/** The decided words of each step of an episode, in their order, where words have credit of their own. */
export function creditedWords({ written, length, T }: Snapshot, i: number): readonly (readonly Credited[])[] {
  if (!written?.A) return [];
  const { A, commands, command, decisions } = written;
  return Array.from({ length: length[i]! }, (_, t) => {
    const k = i * T + t;
    const { words, decided } = commands[command[k]!]!;
    return words
      .filter((_word, at) => decided[at])
      .map((word, d) => ({ word: word === '<stop>' ? '(end)' : word, A: A[k * decisions + d]! }));
  });
}

/** Names of the lanes: what each decision of a command is, in its order. */
export function laneNames(decisions: number, isTagged: boolean): readonly string[] {
  const first = isTagged ? 1 : 0;
  return Array.from({ length: decisions }, (_, d) => (d < first ? 'tag' : `word ${d - first + 1}`));
}

/** The largest credit of a word in the batch: the strongest color. */
export const largestOf = (A: Float32Array): number => A.reduce((most, a) => Math.max(most, Math.abs(a)), 0) || 1;

/** The words of a step with the credit of each. */
export const creditSentence = (t: number, words: readonly Credited[]): string =>
  `Step ${t + 1}: ${words.map(({ word, A }) => `${word} ${credit(A)}`).join(', ')}`;
