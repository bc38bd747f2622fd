import type { Batch } from '../../core/batch.ts';
import { anchorHeads, headsBy, headsOfWords, type Heads } from './segments.ts';

type Played = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'action' | 'success'>;

/** Lengths of the action sequences that are mined. */
const GRAM_LENGTHS = [3, 4, 5] as const;

/** [B, T] 1 = in this state the episodes of the task group took different actions: the group shows a choice here. */
export function decisionPoints(batch: Played): Uint8Array {
  const head = anchorHeads(batch);
  const isChoice = new Uint8Array(head.length);
  head.forEach((g, k) => {
    if (g >= 0 && batch.action[g] !== batch.action[k]) isChoice[g] = 1;
  });
  return Uint8Array.from(head, (g) => (g < 0 ? 0 : isChoice[g]!));
}

/**
 * [B, T] 1 = the step lies in a strategic sequence: 3 to 5 actions in a row that occur in at least `share` of the
 * successful episodes of at least two tasks (after arXiv 2509.03646, where they are words).
 */
export function strategicGrams(batch: Played, share: number): Uint8Array {
  const mask = new Uint8Array(batch.B * batch.T);
  const successes = new Map<number, number>();
  for (let i = 0; i < batch.B; i++) {
    if (batch.success[i] === 1) successes.set(batch.taskIndex[i]!, (successes.get(batch.taskIndex[i]!) ?? 0) + 1);
  }
  for (const n of GRAM_LENGTHS) {
    const gram = gramHeads(batch, n);
    const tasks = tasksOfGrams(batch, gram, successes, share);
    gram.forEach((g, k) => {
      if (g >= 0 && tasks[g]! >= 2) mask.fill(1, k, k + n);
    });
  }
  return mask;
}

/** Equal sequences of n actions, by the step where they start; −1 where fewer than n steps are left. */
function gramHeads(batch: Played, n: number): Heads {
  const size = batch.B * batch.T;
  const words = new Uint32Array(size * n);
  const starts = new Uint8Array(size);
  for (let i = 0; i < batch.B; i++) {
    for (let t = 0; t + n <= batch.length[i]!; t++) {
      const k = i * batch.T + t;
      starts[k] = 1;
      words.set(batch.action.subarray(k, k + n), k * n);
    }
  }
  return headsOfWords(words, n, starts);
}

/** At the place of each gram: in how many tasks at least `share` of the successful episodes hold it. */
function tasksOfGrams(batch: Played, gram: Heads, successes: ReadonlyMap<number, number>, share: number): Uint32Array {
  const inTask = headsBy(
    batch,
    (i) => batch.taskIndex[i]!,
    (_i, _t, k) => gram[k]!,
  );
  const episodes = new Uint32Array(gram.length);
  const seenBy = new Int32Array(gram.length).fill(-1);
  const tasks = new Uint32Array(gram.length);
  for (let k = 0; k < gram.length; k++) {
    const i = Math.floor(k / batch.T);
    const at = inTask[k]!;
    if (gram[k]! < 0 || batch.success[i] !== 1 || seenBy[at] === i) continue;
    seenBy[at] = i;
    episodes[at]!++;
  }
  for (let k = 0; k < gram.length; k++) {
    if (gram[k]! < 0 || inTask[k] !== k || episodes[k] === 0) continue;
    const all = successes.get(batch.taskIndex[Math.floor(k / batch.T)]!)!;
    if (episodes[k]! >= share * all) tasks[gram[k]!]!++;
  }
  return tasks;
}
