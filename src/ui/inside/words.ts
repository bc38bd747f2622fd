import { percent, signed } from '../format.ts';
import type { DenseInside, WordInside } from '../../worker/protocol.ts';

/** The largest of some numbers by size, in words: "unit 12 +0.98, unit 3 −0.97". */
export function loudestUnits(values: ArrayLike<number>, most = 3): string {
  return Array.from({ length: values.length }, (_, k) => k)
    .sort((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!) || a - b)
    .slice(0, most)
    .map((k) => `unit ${k + 1} ${signed(values[k]!)}`)
    .join(', ');
}

/** What the policy does at this step: "right 62 %, down 30 %, …", the most likely first. */
export function choiceWords(actions: readonly string[], probs: ArrayLike<number>): string {
  return actions
    .map((name, a) => ({ name, p: probs[a]! }))
    .sort((a, b) => b.p - a.p)
    .slice(0, 4)
    .map(({ name, p }) => `${name} ${percent(p)}`)
    .join(', ');
}

/** What a chain of layers does with the observation, in one sentence. */
export function chainWords({ isTable, features, on, layers }: DenseInside): string {
  if (isTable) return `The table has a row for each of ${features} states; this step reads row ${(on[0] ?? 0) + 1}.`;
  const hidden = layers.length - 1;
  return `${on.length} of ${features} inputs are on; ${hidden === 0 ? 'no hidden layer' : `${hidden} hidden ${hidden === 1 ? 'layer' : 'layers'}`}.`;
}

/** Share of attention that each word gets from one head, [words]. */
export const sharesOf = ({ attention, words, heads }: WordInside, layer: number, head: number): Float32Array =>
  attention.subarray((layer * heads + head) * words.length, (layer * heads + head + 1) * words.length);

/** The words that one head reads most: "“key” 41 %, “door” 22 %". */
export function readingWords(inside: WordInside, layer: number, head: number, most = 3): string {
  const shares = sharesOf(inside, layer, head);
  return Array.from(shares.keys())
    .sort((a, b) => shares[b]! - shares[a]! || a - b)
    .slice(0, most)
    .map((k) => `“${inside.words[k]!}” ${percent(shares[k]!)}`)
    .join(', ');
}
