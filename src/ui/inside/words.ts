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

/** What one head gives to the steps with the cue, and which head gives them most; null where nobody says what the cue is. */
export function cueWords(inside: WordInside, layer: number, head: number): string | null {
  const { cues, words, layers, heads } = inside;
  if (cues === null) return null;
  if (cues.length === 0) return 'The cue was in view earlier than any step that is looked back at.';
  const shareOf = (l: number, h: number): number => {
    const shares = sharesOf(inside, l, h);
    return cues.reduce((sum, k) => sum + shares[k]!, 0);
  };
  const all = Array.from({ length: layers * heads }, (_, k) => shareOf(Math.floor(k / heads), k % heads));
  const best = all.indexOf(Math.max(...all));
  const most = `layer ${Math.floor(best / heads) + 1}, head ${(best % heads) + 1}`;
  const other =
    best === layer * heads + head ? ', more than any other' : `; ${most} gives most, ${percent(all[best]!)}`;
  const steps = `${cues.length > 1 ? 'steps' : 'step'} ${cues.map((k) => words[k]!.replace('step ', '')).join(', ')}`;
  return `The cue was in view in ${steps}: this head gives that ${percent(shareOf(layer, head))}${other}.`;
}

/** The words that one head reads most: "“key” 41 %, “door” 22 %". */
export function readingWords(inside: WordInside, layer: number, head: number, most = 3): string {
  const shares = sharesOf(inside, layer, head);
  return Array.from(shares.keys())
    .sort((a, b) => shares[b]! - shares[a]! || a - b)
    .slice(0, most)
    .map((k) => `“${inside.words[k]!}” ${percent(shares[k]!)}`)
    .join(', ');
}
