import type { Batch } from '../contract/columns.ts';
import { NO_TEXT, type StepTable } from './table.ts';

/** Places of a batch, [B, T] with the room after short episodes: what estimators hold in a dozen arrays at once. */
export const MOST_CELLS = 2 ** 22;

/** Rows from (inclusive) to (exclusive). */
export type Part = { readonly from: number; readonly to: number };

/** A log as estimators read it. */
export type LogBatch = {
  readonly batch: Batch;
  /** columns that the log holds; the others are 0 */
  readonly fields: ReadonlySet<string>;
  /** [B] episode of the table that each row is, and [B + 1] where its steps begin among those of all rows */
  readonly episode: Uint32Array;
  readonly start: Uint32Array;
  /** [P] task of the table that each task of the batch is */
  readonly task: Uint32Array;
  /** rows of each training update: estimators that compare a whole batch compare these */
  readonly parts: readonly Part[];
  readonly notes: readonly string[];
};

/** Which tasks of a table a batch holds: all, or where there would be too many places, as many as fit, evenly spread. */
function chosenTasks(table: StepTable, most: number): { readonly tasks: Uint8Array; readonly count: number } | null {
  const longest = new Uint32Array(table.tasks);
  const members = new Uint32Array(table.tasks);
  for (let i = 0; i < table.episodes; i++) {
    const g = table.task[i]!;
    members[g]!++;
    longest[g] = Math.max(longest[g]!, table.start[i + 1]! - table.start[i]!);
  }
  // a single episode that never ended must not take the room of all others
  const usual = longest.slice().sort()[Math.floor(0.99 * (table.tasks - 1))]!;
  const all = Uint32Array.from(longest.keys());
  const room = (list: Uint32Array): number =>
    list.reduce((sum, g) => sum + members[g]!, 0) * list.reduce((size, g) => Math.max(size, longest[g]!), 0);
  let list = all;
  if (room(list) > most) list = all.filter((g) => longest[g]! <= 8 * usual);
  while (room(list) > most && list.length > 1) {
    const share = Math.min(0.95, most / room(list));
    const kept = list.filter((_, k) => Math.floor((k + 1) * share) > Math.floor(k * share));
    list = kept.length > 0 ? kept : list.slice(0, 1);
  }
  if (room(list) > most) return null;
  const tasks = new Uint8Array(table.tasks);
  for (const g of list) tasks[g] = 1;
  return { tasks, count: list.length };
}

/** The batch of a table; a sentence where even one task is too large for one. */
export function batchOf(table: StepTable, most = MOST_CELLS): LogBatch | string {
  const chosen = chosenTasks(table, most);
  if (!chosen)
    return 'Its episodes are too long to be compared with each other. Split the log, or leave out the longest ones.';
  const notes: string[] = [];
  const episode = Uint32Array.from({ length: table.episodes }, (_, i) => i).filter(
    (i) => chosen.tasks[table.task[i]!] === 1,
  );
  const B = episode.length;
  const start = new Uint32Array(B + 1);
  episode.forEach((e, i) => (start[i + 1] = start[i]! + table.start[e + 1]! - table.start[e]!));
  const length = Uint32Array.from(episode, (_, i) => start[i + 1]! - start[i]!);
  const T = length.reduce((size, n) => Math.max(size, n), 1);
  if (chosen.count < table.tasks) {
    const n = (x: number): string => x.toLocaleString('en-US');
    notes.push(
      `The log is larger than what is compared at once: ${n(chosen.count)} of ${n(table.tasks)} tasks with ${n(start[B]!)} of ${n(table.steps)} steps are shown, evenly spread. Statistics within a task are complete.`,
    );
  }
  const number = new Map<number, number>();
  const taskIndex = Uint32Array.from(episode, (e) => {
    const g = table.task[e]!;
    if (!number.has(g)) number.set(g, number.size);
    return number.get(g)!;
  });
  const P = number.size;
  const perStep = <A extends Float32Array | Uint32Array>(from: A | null | undefined, empty: A, width = 1): A => {
    if (from)
      for (let i = 0; i < B; i++) {
        const at = width * table.start[episode[i]!]!;
        empty.set(from.subarray(at, at + width * length[i]!), width * i * T);
      }
    return empty;
  };
  const real = (from: Float32Array | null | undefined): Float32Array => perStep(from, new Float32Array(B * T));
  const fields = new Set(['outcome', 'reward', 'taskIndex', 'length', 'success', 'terminated', 'units']);
  const success = successOf(table, episode, notes);
  const terminated = Uint32Array.from(episode, (e) => (table.terminated[e] === 0 ? 0 : 1));
  const valueFinal = Float32Array.from(episode, (e) => table.finalValue[e]! || 0);
  const { logp, entropy, value, scoreNorm, logpPhi } = table.numbers;
  const mayKnow = (name: string, isKnown: boolean): void => void (isKnown && fields.add(name));
  mayKnow('stateKey', table.stateKey !== null);
  mayKnow('action', table.action !== null);
  mayKnow('finalStateKey', table.stateKey !== null && episode.every((e) => table.finalText[e] !== NO_TEXT));
  for (const [name, numbers] of Object.entries({ logp, entropy, value, scoreNorm, logpPhi }))
    mayKnow(name, numbers !== undefined);
  // beyond an episode that ended by itself nothing is worth anything, whatever a critic says
  mayKnow(
    'valueFinal',
    episode.every((e, i) => terminated[i] === 1 || !Number.isNaN(table.finalValue[e]!)),
  );
  const task = Uint32Array.from(number.keys());
  const greedyReturn = Float32Array.from(task, (g) => table.greedy[g]!);
  const hasGreedy = greedyReturn.every((x) => !Number.isNaN(x));
  mayKnow('greedyReturn', hasGreedy);
  const batch: Batch = {
    ...{ P, G: Math.max(1, Math.round(B / P)), B, T, length, taskIndex, success, terminated, valueFinal },
    outcome: Float32Array.from(episode, (e) => table.outcome[e]!),
    reward: real(table.reward),
    stateKey: perStep(table.stateKey, new Uint32Array(2 * B * T), 2),
    finalStateKey: Uint32Array.from({ length: 2 * B }, (_, k) => table.finalKey[2 * episode[k >> 1]! + (k & 1)]!),
    action: perStep(table.action, new Uint32Array(B * T)),
    ...{ logp: real(logp), entropy: real(entropy), value: real(value) },
    ...(scoreNorm ? { scoreNorm: real(scoreNorm) } : {}),
    ...(logpPhi ? { logpPhi: real(logpPhi) } : {}),
    ...(hasGreedy ? { greedyReturn } : {}),
  };
  const update = (i: number): number => table.update[table.task[episode[i]!]!]!;
  const parts: { from: number; to: number }[] = [];
  for (let i = 0; i < B; i++) {
    if (i === 0 || update(i) !== update(i - 1)) parts.push({ from: i, to: i });
    parts.at(-1)!.to = i + 1;
  }
  if (parts.length > 1)
    notes.push(
      `The episodes are of ${parts.length.toLocaleString('en-US')} training updates: each is a batch of its own.`,
    );
  return { batch, fields, episode, start, task, parts, notes };
}

/** Whether each episode succeeded: as the log says, else if its outcome is above 0. */
function successOf(table: StepTable, episode: Uint32Array, notes: string[]): Uint32Array {
  const isSaid = episode.every((e) => table.success[e] !== 2);
  if (!isSaid)
    notes.push('The log does not say which episodes succeeded: those with an outcome above 0 count as successes.');
  return Uint32Array.from(episode, (e) => (isSaid ? table.success[e]! : table.outcome[e]! > 0 ? 1 : 0));
}

/** Some rows of a batch as a batch, without copying; they hold whole tasks. */
export function partOf(batch: Batch, { from, to }: Part): Batch {
  if (from === 0 && to === batch.B) return batch;
  const first = batch.taskIndex[from]!;
  const taskIndex = batch.taskIndex.slice(from, to).map((g) => g - first);
  const [B, P] = [to - from, taskIndex.at(-1)! + 1];
  const part: Record<string, unknown> = { ...batch, B, P, G: Math.max(1, Math.round(B / P)), taskIndex };
  for (const [name, values] of Object.entries(batch)) {
    if (typeof values === 'number' || name === 'taskIndex') continue;
    const [size, at, count] = name === 'greedyReturn' ? [1, first, P] : [values.length / batch.B, from, B];
    part[name] = values.subarray(at * size, (at + count) * size);
  }
  return part as Batch; // the same columns, of fewer rows
}

/** What an estimator says of every real step, update by update, episode after episode. */
export function creditOf({ batch, start, parts }: LogBatch, run: (batch: Batch) => Float32Array): Float32Array {
  const result = new Float32Array(start[batch.B]!);
  for (const part of parts) {
    const A = run(partOf(batch, part));
    for (let i = part.from; i < part.to; i++) {
      const at = (i - part.from) * batch.T;
      result.set(A.subarray(at, at + batch.length[i]!), start[i]!);
    }
  }
  return result;
}
