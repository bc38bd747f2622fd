import type { Batch } from '../../contract/columns.ts';
import type { Explanation, Quantity, Rows } from '../types.ts';
import { after, outcomeTerm, show } from './explain.ts';
import { anchorHeads, headsBy, headsOfWords, type Heads } from './segments.ts';

type Played = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'action' | 'success'>;

/** Lengths of the action sequences that are mined. */
const GRAM_LENGTHS = [3, 4, 5] as const;

/** Nothing yet, and more than one. */
const [NONE, SEVERAL] = [-1, -3];

/**
 * [B, T] how many actions are not dominated in the state of each step: places it leads to that the task group reached as
 * soon from no other state. A move that changes nothing, one that goes back, and one of two equally short ways to the same
 * place are dominated: what they lead to needs no choice here. The goal counts as one place, an end without success and
 * what lies behind the step limit as none.
 */
export function openWays(batch: Played): Uint32Array {
  const { B, T, length, success } = batch;
  const head = anchorHeads(batch);
  const since = earliest(batch, head);
  const owner = ownersOf(batch, head, since);
  const ways = new Uint32Array(head.length);
  owner.forEach((from) => void (from >= 0 && ways[from]!++));
  const wins = new Uint8Array(head.length);
  for (let i = 0; i < B; i++) if (success[i] === 1) wins[head[i * T + length[i]! - 1]!] = 1;
  return Uint32Array.from(head, (g) => (g < 0 ? 0 : ways[g]! + wins[g]!));
}

/** At the place of each state: the step at which an episode of the group came there first. */
function earliest({ T }: Played, head: Heads): Int32Array {
  const since = new Int32Array(head.length).fill(T);
  head.forEach((g, k) => void (g >= 0 && (since[g] = Math.min(since[g]!, k % T))));
  return since;
}

/** At the place of each state: the one state from which it was reached soonest; negative where that are none or several. */
function ownersOf({ T }: Played, head: Heads, since: Int32Array): Int32Array {
  const owner = new Int32Array(head.length).fill(NONE);
  const least = new Int32Array(head.length);
  head.forEach((g, k) => {
    const from = k % T === 0 || g < 0 ? NONE : head[k - 1]!;
    // who was here before anybody was there has gone back
    if (from < 0 || from === g || since[from]! >= since[g]!) return;
    if (owner[g] === NONE || since[from]! < least[g]!) {
      owner[g] = from;
      least[g] = since[from]!;
    } else if (since[from] === least[g] && owner[g] !== from) owner[g] = SEVERAL;
  });
  return owner;
}

/** [B, T] 1 = a junction: more than one action is not dominated. */
export function decisionPoints(batch: Played): Uint8Array {
  return Uint8Array.from(openWays(batch), (n) => (n > 1 ? 1 : 0));
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

/** HICRA: GRPO, and what planning steps get on top. `ways`: actions that are not dominated, where junctions are planning. */
export function planningTerms(
  batch: Batch,
  { base, alpha, p, ways, rows }: { base: number; alpha: number; p: number; ways: number | null; rows: Rows },
  step: number,
): Explanation {
  const value = alpha * Math.abs(base) * p;
  const open: Quantity = {
    symbol: 'n',
    value: ways ?? 0,
    what: 'actions here that are not dominated; a junction has two',
  };
  return {
    terms: [
      outcomeTerm('episode', batch, step, { rule: 'std', rows }),
      {
        name: 'planning',
        value,
        formula: 'α · |Aᴳᴿᴾᴼ| · p',
        filled: `${after(alpha)} · ${after(Math.abs(base))} · ${p} = ${show(value)}`,
        quantities: [
          { symbol: 'α', value: alpha, what: 'how much more credit planning steps get' },
          { symbol: 'Aᴳᴿᴾᴼ', value: base, what: 'GRPO credit of this episode' },
          { symbol: 'p', value: p, what: p === 1 ? 'this is a planning step' : 'this is not a planning step' },
          ...(ways === null ? [] : [open]),
        ],
      },
    ],
  };
}
