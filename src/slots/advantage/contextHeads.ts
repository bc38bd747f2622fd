import type { Batch } from '../../contract/columns.ts';
import { anchorHeads, headsOfWords, realSteps, type Heads } from './segments.ts';

/** Groups of level 0..K: level k refines level k − 1 by the state k steps earlier. */
export function contextHeads(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'apart' | 'pools'>,
  K: number,
): Heads[] {
  const { B, T, length, taskIndex, stateKey, pools } = batch;
  const anchors = anchorHeads({ B, T, length, taskIndex, stateKey, ...(pools && { pools }) });
  const levels = [batch.apart ? anchorHeads(batch) : anchors];
  for (let k = 1; k <= K; k++) {
    const before = levels[k - 1]!;
    const words = new Uint32Array(before.length * 2);
    for (let at = k; at < before.length; at++) {
      words[2 * at] = before[at]!;
      words[2 * at + 1] = anchors[at - k]!;
    }
    levels.push(headsOfWords(words, 2, realSteps(batch, k)));
  }
  return levels;
}
