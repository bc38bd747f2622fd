import type { Batch } from '../../core/batch.ts';
import { given } from './given.ts';
import { headsOfWords, realSteps, type Heads } from './segments.ts';

/**
 * Steps of a task group whose observations look alike. In row order a step joins the first cluster whose first member
 * shares at least `threshold` of its cells, else it opens one; clusters never merge, so the order of rows matters.
 *
 * Equal observations always land in the same cluster, so only different ones are compared: at most D·clusters pairs for
 * D different observations of a task.
 */
export function similarHeads(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'obsCells'>,
  threshold: number,
): Heads {
  const cells = given(batch, 'obsCells');
  const n = batch.B * batch.T;
  const C = cells.length / n;
  const words = new Uint32Array(n * (C + 1));
  for (let k = 0; k < n; k++) {
    words[k * (C + 1)] = batch.taskIndex[Math.floor(k / batch.T)]!;
    words.set(cells.subarray(k * C, (k + 1) * C), k * (C + 1) + 1);
  }
  const head = headsOfWords(words, C + 1, realSteps(batch));
  const firstMembers = new Map<number, number[]>();
  for (let k = 0; k < n; k++) {
    if (head[k]! < 0) continue;
    if (head[k] !== k) {
      head[k] = head[head[k]!]!; // an equal observation came before
      continue;
    }
    const task = words[k * (C + 1)]!;
    let clusters = firstMembers.get(task);
    if (!clusters) firstMembers.set(task, (clusters = []));
    const found = clusters.find((c) => isSimilar(cells, C, c, k, threshold));
    if (found !== undefined) head[k] = found;
    else clusters.push(k);
  }
  return head;
}

/** Share of equal cells ≥ threshold; stops as soon as too many differ. */
function isSimilar(cells: Uint8Array, C: number, j: number, k: number, threshold: number): boolean {
  let different = 0;
  for (let c = 0; c < C; c++) {
    if (cells[j * C + c] !== cells[k * C + c]) {
      different++;
      if ((C - different) / C < threshold) return false;
    }
  }
  return true;
}
