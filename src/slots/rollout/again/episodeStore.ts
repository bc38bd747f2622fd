import type { NumberArray } from '../../../contract/numbers.ts';
import type { StateSpec, Tensors } from '../../../contract/state.ts';
import type { Finished, MemoryContext, Replay } from '../memory/types.ts';

/** Numbers of a stored episode. */
const FIELDS = [
  ...(['update', 'levelSeed', 'maxSteps', 'variant', 'episodeSeed'] as const),
  ...(['length', 'outcome', 'success', 'advantage'] as const),
] as const;
const W = FIELDS.length;

/** A stored episode; `update`: that of its batch. */
export type Stored = { readonly slot: number } & Readonly<Record<(typeof FIELDS)[number], number>>;

/**
 * Room for n episodes that all begin at the start of their level: the numbers of each, its actions and log π_old of its units;
 * `update` is stored + 1, 0 is an empty place.
 */
export const fromStartStore = (n: number): StateSpec => ({
  rows: { type: 'f64', per: 'replica', width: n * W, onFork: ['tasks'] },
  actions: { type: 'u8', per: 'step', width: n, onFork: ['tasks'] },
  logp: { type: 'f32', per: 'unit', width: n, onFork: ['tasks'] },
});

/** Room for n episodes, and for the saved states in which they may begin. */
export const episodeStore = (n: number): StateSpec => ({
  ...fromStartStore(n),
  // 1 where an episode began in a saved state, which is beside it
  saved: { type: 'u8', per: 'replica', width: n, onFork: ['tasks'] },
  starts: { type: 'u32', per: 'word', width: n, onFork: ['tasks'] },
});

/** The stored episodes, in the order of their places. */
export function storedIn(memory: Tensors): readonly Stored[] {
  const rows = memory['rows']!;
  const found: Stored[] = [];
  for (let slot = 0; slot < rows.length / W; slot++) if (rows[slot * W] !== 0) found.push(storedAt(rows, slot));
  return found;
}

/** The fields in their order, written out: memories read all their places in every update. */
function storedAt(rows: NumberArray, slot: number): Stored {
  const at = slot * W;
  return {
    slot,
    update: rows[at]! - 1,
    levelSeed: rows[at + 1]!,
    maxSteps: rows[at + 2]!,
    variant: rows[at + 3]!,
    episodeSeed: rows[at + 4]!,
    length: rows[at + 5]!,
    outcome: rows[at + 6]!,
    success: rows[at + 7]!,
    advantage: rows[at + 8]!,
  };
}

/** Frees the places of these episodes. */
export function drop(memory: Tensors, stored: Iterable<Pick<Stored, 'slot'>>): void {
  for (const { slot } of stored) memory['rows']!.fill(0, slot * W, (slot + 1) * W);
}

/** A row of a finished batch, with the advantage it is stored with. */
export type Entry = { readonly row: number; readonly advantage: number };

/** What a row of a finished batch played. */
export function playedIn(finished: Finished, { row, advantage }: Entry, { T, K, update }: MemoryContext) {
  const { batch, logp } = finished;
  const length = batch.length[row]!;
  const numbers = { update, ...finished.name(row), episodeSeed: finished.episodeSeed(row), length, advantage };
  return {
    ...{ ...numbers, outcome: batch.outcome[row]!, success: batch.success[row]! },
    actions: batch.action.subarray(row * T, row * T + length),
    logp: logp.subarray(row * T * K, (row * T + length) * K),
    begins: finished.begins(row),
  };
}

/** The first empty place, else that of the oldest. */
export function roomIn({ rows }: Tensors): number {
  let slot = 0;
  for (let k = 1; k * W < rows!.length && rows![slot * W] !== 0; k++) if (rows![k * W]! < rows![slot * W]!) slot = k;
  return slot;
}

/** Stores rows of a finished batch, each where there is room. */
export function store(memory: Tensors, finished: Finished, entries: readonly Entry[], context: MemoryContext): void {
  for (const entry of entries) place(memory, roomIn(memory), playedIn(finished, entry, context), context);
}

/** An episode with its actions, where they are known log π_old of its units, and the saved state that it began in, if any. */
export type Played = Readonly<Record<(typeof FIELDS)[number], number>> & {
  readonly actions: ArrayLike<number>;
  readonly logp?: ArrayLike<number> | undefined;
  readonly begins?: ArrayLike<number> | null;
};

/** Puts an episode in a place. */
export function place(memory: Tensors, slot: number, played: Played, { T, K }: Pick<MemoryContext, 'T' | 'K'>): void {
  memory['rows']!.set(
    FIELDS.map((name, k) => played[name] + (k === 0 ? 1 : 0)),
    slot * W,
  );
  memory['actions']!.set(played.actions, slot * T);
  // not every memory keeps them
  if (played.logp) memory['logp']?.set(played.logp, slot * T * K);
  if (memory['saved']) memory['saved'][slot] = played.begins ? 1 : 0;
  if (played.begins) memory['starts']!.set(played.begins, slot * played.begins.length);
}

/** The saved state that a stored episode began in; null: the start of its level. */
export function beginsAt({ saved, starts }: Tensors, slot: number): NumberArray | null {
  if (saved?.[slot] !== 1) return null;
  const words = starts!.length / saved.length;
  return starts!.slice(slot * words, (slot + 1) * words);
}

/** A stored episode as it is played again. */
export function replayOf(memory: Tensors, stored: Stored, advantage: number, { T, K }: MemoryContext): Replay {
  const begins = beginsAt(memory, stored.slot);
  const { slot, update, levelSeed, maxSteps, variant, episodeSeed, length, outcome } = stored;
  return {
    name: { levelSeed, maxSteps, variant },
    ...{ episodeSeed, advantage, outcome, came: { origin: 'replay', update } },
    actions: memory['actions']!.slice(slot * T, slot * T + length),
    logp: memory['logp']!.slice(slot * T * K, (slot * T + length) * K),
    ...(begins && { begins }),
  };
}

/** Mean credit of the steps of every row. */
export function creditOfRows({ batch, A }: Finished): Float64Array {
  const { T } = batch;
  return Float64Array.from(batch.length, (length, i) => {
    let sum = 0;
    for (let t = 0; t < length; t++) sum += A[i * T + t]!;
    return length > 0 ? sum / length : 0;
  });
}
