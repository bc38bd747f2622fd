import type { Batch } from '../../contract/columns.ts';
import { headsOfWords, realSteps, type Heads } from './segments.ts';

/** Merged edges of each task group: equal s, a, s′ and equal context of the last min(h, t) (state, action) pairs. */
export function edgeHeads(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'finalStateKey' | 'action' | 'apart'>,
  history: number,
): Heads {
  const { B, T } = batch;
  const isReal = realSteps(batch);
  const pairs = new Uint32Array(B * T * 4);
  const edges = new Uint32Array(B * T * 7);
  for (let i = 0; i < B; i++) {
    const length = batch.length[i]!;
    for (let t = 0; t < length; t++) {
      const k = i * T + t;
      const next = t + 1 < length ? batch.stateKey : batch.finalStateKey;
      const nextAt = t + 1 < length ? 2 * (k + 1) : 2 * i;
      const row = [
        batch.taskIndex[i]!,
        batch.stateKey[2 * k]!,
        batch.stateKey[2 * k + 1]!,
        batch.action[k]!,
        next[nextAt]!,
        next[nextAt + 1]!,
      ];
      edges.set([...row, batch.apart?.[k] === 1 ? k + 1 : 0], 7 * k);
      pairs.set(row.slice(0, 4), 4 * k);
    }
  }
  const pair = headsOfWords(pairs, 4, isReal);
  let head = headsOfWords(edges, 7, isReal);
  for (let m = 1; m <= Math.min(history, T - 1); m++) {
    const words = new Uint32Array(B * T * 2);
    for (let k = 0; k < B * T; k++) {
      words[2 * k] = head[k]!;
      // 0 says that the context already began at the start of the episode
      words[2 * k + 1] = k % T >= m ? pair[k - m]! + 1 : 0;
    }
    head = headsOfWords(words, 2, isReal);
  }
  return head;
}
