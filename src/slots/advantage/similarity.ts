import type { Batch } from '../../contract/columns.ts';
import { Clusters } from '../../core/likeness.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { given } from './given.ts';
import { headsOfWords, realSteps, type Heads } from './segments.ts';

/** How alike two observations must be to count as the same place. */
export const likenessParams = settings({
  compare: {
    kind: 'choice',
    label: 'Alike by',
    default: 'cells',
    options: ['cells', 'text'],
    optionLabels: ['share of equal cells', 'share of matching passages'],
    doc: 'Cells fit maps. Passages fit texts, where one word more moves all the others.',
  },
  threshold: {
    kind: 'number',
    label: 'Similarity',
    default: 0.95,
    min: 0,
    max: 1,
    doc: 'Share from which on two observations count as one. A move changes two cells of a map.',
  },
});

type Observed = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'obsCells' | 'apart'>;

/**
 * Steps of a task group whose observations look alike. In row order a step joins the first cluster whose first member
 * shares at least `threshold` of its cells, else it opens one; clusters never merge, so the order of rows matters.
 */
export function similarHeads(batch: Observed, { threshold, compare }: ValuesOf<typeof likenessParams>): Heads {
  if (compare === 'text') return likeTexts(batch, given(batch, 'obsCells'), threshold);
  return alikeHeads(batch, (cells) => mostDifferent(cells, threshold));
}

/**
 * The same where at most `mostOf(cells)` cells may differ.
 *
 * Equal observations always land in the same cluster, so only the first of its kind looks for one. If at most d cells may
 * differ and the cells are cut into d + 1 blocks, similar observations agree in a whole block: only clusters that share a
 * block are compared.
 */
export function alikeHeads(batch: Observed, mostOf: (cells: number) => number): Heads {
  const cells = given(batch, 'obsCells');
  const isCompared = comparedSteps(batch);
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
  const head = equalIn(0, C, isCompared);
  const isFirst = Uint8Array.from(head, (h, k) => (h === k ? 1 : 0));
  const most = mostOf(C);
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
  return aloneToo(head, batch);
}

type Split = Pick<Batch, 'B' | 'T' | 'length' | 'apart'>;

/** 1 for real steps that may be compared with others. */
const comparedSteps = (batch: Split): Uint8Array =>
  realSteps(batch).map((isReal, k) => (batch.apart?.[k] === 1 ? 0 : isReal));

/** Sets in which those that are compared with no other are alone. */
const aloneToo = (head: Heads, { apart }: Split): Heads =>
  apart ? head.map((h, k) => (apart[k] === 1 ? k : h)) : head;

/** Largest number of different cells at which the share of equal ones is still at least `threshold`. */
export function mostDifferent(C: number, threshold: number): number {
  let most = 0;
  while (most < C && (C - most - 1) / C >= threshold) most++;
  return most;
}

/** A move on a map that is seen whole changes two cells: a threshold that lets as many differ tells no places apart. */
export function tellsPlaces({ threshold, compare }: ValuesOf<typeof likenessParams>, cells: number) {
  const most = compare === 'cells' && threshold > 0 ? mostDifferent(cells, threshold) : 0;
  if (most < 2) return null;
  const message = `lets ${most} of ${cells} cells differ; on a map seen whole, a move changes two`;
  return { setting: 'threshold', message, instead: Math.ceil(1000 * (1 - 1 / cells)) / 1000 };
}

/** Number of cells in which steps j and k differ; stops counting above `most`. */
function differ(cells: Uint32Array, C: number, j: number, k: number, most: number): number {
  let different = 0;
  for (let c = 0; c < C && different <= most; c++) if (cells[j * C + c] !== cells[k * C + c]) different++;
  return different;
}

/**
 * The same by how much of two texts agrees (core/likeness.ts): cells are the tokens of an observation, and 0, which stands
 * behind the last one, is none.
 */
function likeTexts({ B, T, length, taskIndex, apart }: Observed, cells: Uint32Array, threshold: number): Heads {
  const clusters = new Clusters(threshold, Infinity);
  const C = cells.length / (B * T);
  const first = new Map<string, number>();
  const head = new Int32Array(B * T).fill(-1);
  for (let i = 0; i < B; i++) {
    for (let t = 0; t < length[i]!; t++) {
      const k = i * T + t;
      if (apart?.[k] === 1) {
        head[k] = k;
        continue;
      }
      let end = C;
      while (end > 0 && cells[k * C + end - 1] === 0) end--;
      const text = String.fromCharCode(...cells.subarray(k * C, k * C + end));
      const name = `${taskIndex[i]} ${clusters.headOf(taskIndex[i]!, text)}`;
      if (!first.has(name)) first.set(name, k);
      head[k] = first.get(name)!;
    }
  }
  return head;
}
