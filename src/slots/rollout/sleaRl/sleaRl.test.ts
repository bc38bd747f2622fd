import { expect, test } from 'vitest';
import type { Batch } from '../../../contract/columns.ts';
import type { Finished, MemoryContext } from '../memory/types.ts';
import { Library, sleaMemory } from './sleaMemory.ts';
import { ACTIONS } from './sleaRl.ts';

const WIDTH = 2 * ACTIONS;
const memoryOf = (n: number) => ({ keys: new Uint32Array(3 * n), counts: new Float32Array(WIDTH * n) });
const counts = (of: Readonly<Record<number, number>>): Float32Array => Object.assign(new Float32Array(WIDTH), of);
/** Good and bad counts of the first actions. */
const known = (library: Library, key: number, actions = 2) => {
  const own = library.of([7, 0, key]);
  return (
    own && [...own.subarray(0, actions), ...own.subarray(ACTIONS, ACTIONS + actions)].map((x) => Number(x.toFixed(4)))
  );
};

test('a full library gives up the state with the fewest counts, to one that has more', () => {
  const memory = memoryOf(2);
  const library = new Library(memory);
  expect(library.admit([7, 0, 1], counts({ 0: 2 }))).toBe(true);
  expect(library.admit([7, 0, 2], counts({ 1: 3 }))).toBe(true);
  expect(library.admit([7, 0, 3], counts({ 0: 2 }))).toBe(false);
  expect(library.admit([7, 0, 4], counts({ 0: 1, [ACTIONS]: 2 }))).toBe(true);
  expect([1, 2, 3, 4].map((key) => known(library, key))).toEqual([null, [0, 3, 0, 0], null, [1, 0, 2, 0]]);
  // another level is another state
  expect(library.of([8, 0, 2])).toBeNull();
  // what is remembered stands in the tensors alone
  expect(known(new Library(memory), 4)).toEqual([1, 0, 2, 0]);
});

test('counts fade by their factor, and a state that has faded away leaves its place', () => {
  const memory = memoryOf(2);
  const library = new Library(memory);
  library.admit([7, 0, 1], counts({ 0: 1 }));
  library.admit([7, 0, 2], counts({ 0: 0.1 }));
  library.fade(0.4);
  expect([known(library, 1), known(library, 2), library.size]).toEqual([[0.4, 0, 0, 0], null, 1]);
  expect(memory.counts.subarray(WIDTH).every((x) => x === 0)).toBe(true);
});

/** Two episodes of one task: a success through states 1 and 2, a failure through 1 and 3; A is given for each step. */
function report(A: readonly number[], settings: { admitted: number; dropout?: number }) {
  const memory = memoryOf(8);
  const batch = {
    ...{ B: 2, T: 2, taskIndex: Uint32Array.of(0, 0), length: Uint32Array.of(2, 2), success: Uint32Array.of(1, 0) },
    ...{ action: Uint32Array.of(0, 1, 1, 1), stateKey: Uint32Array.of(0, 1, 0, 2, 0, 1, 0, 3) },
  } as unknown as Batch;
  const finished = { batch, A: Float32Array.from(A), name: () => ({ levelSeed: 7, maxSteps: 0, variant: 0 }) };
  const context = { draw: () => 0.5, actions: 2 } as unknown as MemoryContext;
  const params = { keys: 8, forget: 0.9, dropout: 0, evaluated: 'alone', ...settings } as const;
  const tell = () => sleaMemory.report!(memory, finished as unknown as Finished, context, params);
  return { tell, library: () => new Library(memory) };
}

test('by hand: good steps of successes and bad steps of failures are counted, and nothing else', () => {
  const { tell, library } = report([1, 0.5, -1, -2], { admitted: 16 });
  expect(tell()).toEqual({ recalledShare: 0 });
  expect([1, 2, 3].map((key) => known(library(), key))).toEqual([
    [0.9, 0, 0, 0.9],
    [0, 0.9, 0, 0],
    [0, 0, 0, 0.9],
  ]);
  // the next time all four steps are recalled, and (0.9 + 1)·0.9 = 1.71
  expect(tell()).toEqual({ recalledShare: 1 });
  expect(known(library(), 1)).toEqual([1.71, 0, 0, 1.71]);
  // a success that was blamed and a failure that was praised tell nothing
  const other = report([-1, -0.5, 1, 0], { admitted: 16 });
  other.tell();
  expect(other.library().size).toBe(0);
});

test('a task adds the states with the largest credit first, and no more than it may', () => {
  const { tell, library } = report([1, 0.5, -1, -3], { admitted: 1 });
  tell();
  expect([1, 2, 3].map((key) => known(library(), key) !== null)).toEqual([false, false, true]);
});

test('episodes without the library recall nothing', () => {
  const { tell } = report([1, 1, -1, -1], { admitted: 16, dropout: 0.6 });
  tell();
  expect(tell()).toEqual({ recalledShare: 0 });
});
