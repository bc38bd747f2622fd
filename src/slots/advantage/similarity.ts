import type { Batch } from '../../contract/columns.ts';
import { given } from './given.ts';
import { headsOfWords, realSteps, type Heads } from './segments.ts';

/**
 * Steps of a task group whose observations look alike. In row order a step joins the first cluster whose first member
 * shares at least `threshold` of its cells, else it opens one; clusters never merge, so the order of rows matters.
 *
 * Equal observations always land in the same cluster, so only the first of its kind looks for one. If at most d cells may
 * differ and the cells are cut into d + 1 blocks, similar observations agree in a whole block: only clusters that share a
 * block are compared.
 */
export function similarHeads(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'obsCells'>,
  threshold: number,
): Heads {
  const cells = given(batch, 'obsCells');
  const n = batch.B * batch.T;
  const C = cells.length / n;
  const taskOf = (k: number): number => batch.taskIndex[Math.floor(k / batch.T)]!;
  const equalIn = (from: number, to: number, isMember: Uint8Array): Heads => {
    const stride = 1 + to - from;
    const words = new Uint32Array(n * stride);
    for (let k = 0; k < n; k++) {
      words[k * stride] = taskOf(k);
      words.set(cells.subarray(k * C + from, k * C + to), k * stride + 1);
    }
    return headsOfWords(words, stride, isMember);
  };
  const head = equalIn(0, C, realSteps(batch));
  const isFirst = Uint8Array.from(head, (h, k) => (h === k ? 1 : 0));
  const most = mostDifferent(C, threshold);
  const count = Math.min(most, C) + 1;
  const blocks = Array.from({ length: count }, (_, b) =>
    equalIn(Math.floor((b * C) / count), Math.floor(((b + 1) * C) / count), isFirst),
  );
  const clusters = blocks.map(() => new Map<number, number[]>());
  for (let k = 0; k < n; k++) {
    if (head[k]! < 0) continue;
    if (isFirst[k] === 0) {
      head[k] = head[head[k]!]!;
      continue;
    }
    let found = k;
    blocks.forEach((block, b) => {
      for (const c of clusters[b]!.get(block[k]!) ?? []) {
        if (c >= found) break; // clusters are in the order in which they were opened
        if (differ(cells, C, c, k, most) <= most) found = c;
      }
    });
    head[k] = found;
    if (found === k) {
      blocks.forEach((block, b) => {
        const list = clusters[b]!.get(block[k]!);
        if (list) list.push(k);
        else clusters[b]!.set(block[k]!, [k]);
      });
    }
  }
  return head;
}

/** Largest number of different cells at which the share of equal ones is still at least `threshold`. */
function mostDifferent(C: number, threshold: number): number {
  let most = 0;
  while (most < C && (C - most - 1) / C >= threshold) most++;
  return most;
}

/** Number of cells in which steps j and k differ; stops counting above `most`. */
function differ(cells: Uint8Array, C: number, j: number, k: number, most: number): number {
  let different = 0;
  for (let c = 0; c < C && different <= most; c++) if (cells[j * C + c] !== cells[k * C + c]) different++;
  return different;
}
