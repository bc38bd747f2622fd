import { expect, test } from 'vitest';
import type { Batch } from '../../../contract/columns.ts';
import { originOf, type Origin } from '../../../contract/rows.ts';
import { zeros } from '../../../contract/numbers.ts';
import { FLAG, type Environment } from '../../../envs/types.ts';
import { storedIn } from '../again/episodeStore.ts';
import type { Finished, MemoryContext } from '../memory/types.ts';
import type { RowContext } from '../types.ts';
import { deepSearch } from './deepSearch.ts';
import { replayed } from './replayed.ts';
import { solutionCache } from './solutionCache.ts';

const T = 4;
const params = { cache: 3, hardUpTo: 0.25 };

function memoryOf(cache: number) {
  const spec = (deepSearch.state as (of: object) => Record<string, { type: 'f64'; width: number; per: string }>)({
    cache,
  });
  return Object.fromEntries(
    Object.entries(spec).map(([name, { type, width, per }]) => [name, zeros(type, per === 'step' ? T * width : width)]),
  );
}

/** A world in which action 1 goes on and action 2 reaches the goal, unless the chance of the episode forbids it. */
const env = {
  words: 1,
  reset: (_, state, at) => void (state[at] = 0),
  legal: () => 0b110,
  step: (_, state, at, { action, seed }, result) => {
    state[at]!++;
    result.flags = action === 2 ? FLAG.terminated | (seed === 13 ? 0 : FLAG.success) : 0;
  },
} as Partial<Environment>;

type Row = { readonly actions: readonly number[]; readonly won: boolean; origin?: Origin; seed?: number };
const won: Row = { actions: [1, 2], won: true };
const lost: Row = { actions: [1, 1, 1, 1], won: false };

/** One group of a level, finished in an update. */
function report(
  memory: ReturnType<typeof memoryOf>,
  rows: readonly Row[],
  { levelSeed = 7, update = 5, begins = null as Uint32Array | null } = {},
) {
  const batch = {
    ...{ B: rows.length, T, taskIndex: new Uint32Array(rows.length) },
    length: Uint32Array.from(rows, ({ actions }) => actions.length),
    success: Uint32Array.from(rows, (row) => Number(row.won)),
    outcome: Float32Array.from(rows, (row) => Number(row.won)),
    action: Uint32Array.from(rows.flatMap(({ actions }) => Array.from({ length: T }, (_, t) => actions[t] ?? 0))),
    origin: Uint8Array.from(rows, ({ origin = 'own' }) => originOf(origin)),
  } as unknown as Batch;
  const finished = {
    ...{ batch, name: () => ({ levelSeed, maxSteps: 0, variant: 0 }), begins: () => begins },
    logp: new Float32Array(rows.length * T),
    episodeSeed: (row: number) => rows[row]!.seed ?? row,
  } as unknown as Finished;
  const context = { env, T, K: 1, update, level: () => ({}) } as unknown as MemoryContext;
  return solutionCache.report!(memory, finished, context, params);
}

test('solutions of a hard task are kept, once each; nothing of a task that is easy, or that nobody solved', () => {
  const memory = memoryOf(3);
  report(memory, [lost, lost, lost, lost]);
  report(memory, [won, won, lost, lost], { levelSeed: 8 });
  expect(storedIn(memory)).toEqual([]);
  report(memory, [won, lost, lost, lost]);
  expect(storedIn(memory)).toMatchObject([{ slot: 0, levelSeed: 7, length: 2, update: 5 }]);
  expect([...memory['actions']!.slice(0, 2)]).toEqual([1, 2]);
  report(memory, [lost, won, lost, lost]);
  expect(storedIn(memory)).toHaveLength(1);
  // another way is another solution
  report(memory, [lost, { actions: [1, 1, 2], won: true }, lost, lost]);
  expect(storedIn(memory)).toHaveLength(2);
});

test('a level whose own episodes succeed more often is forgotten; its replays do not count', () => {
  const memory = memoryOf(3);
  report(memory, [won, lost, lost, lost]);
  const again: Row = { ...won, origin: 'replay' };
  expect(report(memory, [again, again, lost, lost, lost, lost])).toEqual({ replayedTasks: 1 });
  expect(storedIn(memory)).toHaveLength(1);
  report(memory, [again, won, won, lost, lost]);
  expect(storedIn(memory)).toEqual([]);
});

test('what does not succeed from the start with the chance that it met later is not kept', () => {
  const memory = memoryOf(3);
  report(memory, [{ ...won, seed: 13 }, lost, lost, lost]);
  expect(storedIn(memory)).toEqual([]);
});

test('a full cache gives up its oldest solution', () => {
  const memory = memoryOf(3);
  for (const levelSeed of [1, 2, 3, 4]) report(memory, [won, lost, lost, lost], { levelSeed, update: levelSeed });
  expect(storedIn(memory).map(({ levelSeed }) => levelSeed)).toEqual([4, 2, 3]);
});

test('a task with stored solutions is not searched: they are replayed, the others begin at the start', () => {
  const memory = memoryOf(3);
  report(memory, [won, lost, lost, lost]);
  report(memory, [{ actions: [1, 1, 2], won: true }, lost, lost, lost]);
  const context = (levelSeed: number, G: number) =>
    ({
      memory,
      G,
      T,
      begins: () => null,
      name: () => ({ levelSeed, maxSteps: 0, variant: 0 }),
    }) as unknown as RowContext;
  const replay = (actions: readonly number[]) => ({ task: 2, origin: 'replay', episodeSeed: 0, actions });
  const late = { task: 2, origin: 'late' };
  expect(replayed(context(7, 8), 2, [0, 1], params)).toEqual([
    replay([1, 2]),
    replay([1, 1, 2]),
    ...Array(4).fill(late),
  ]);
  // no more of them than a quarter of the group, but one
  expect(replayed(context(7, 4), 2, [0, 1], params)).toEqual([replay([1, 2]), late]);
  expect(replayed(context(7, 4), 2, [0, 1, 2, 3], params)).toEqual([]);
  expect(replayed(context(9, 8), 2, [0, 1], params)).toBeNull();
  // what begins in a saved state of the level is another task
  const inside = { ...context(7, 4), begins: () => Uint32Array.of(1) };
  expect(replayed(inside, 2, [0, 1], params)).toBeNull();
  report(memory, [{ actions: [2], won: true }, lost, lost, lost], { begins: Uint32Array.of(1) });
  expect(replayed(inside, 2, [0, 1], params)).toEqual([replay([2]), late]);
  expect(replayed(context(7, 4), 2, [0, 1], params)).toEqual([replay([1, 2]), late]);
  expect(replayed(context(7, 8), 2, [0, 1], { ...params, cache: 0 })).toBeNull();
});
