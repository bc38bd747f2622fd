import { expect, test } from 'vitest';
import type { Batch } from '../../contract/columns.ts';
import { newStates } from './newStates.ts';

/** One episode of five steps: 1 2 1 3 2 and 4 at its end; only the first 1, 2, 3 and 4 are new. */
const batch = {
  ...{ B: 1, T: 6, length: Uint32Array.of(5), finalStateKey: Uint32Array.of(0, 4) },
  stateKey: Uint32Array.of(0, 1, 0, 2, 0, 1, 0, 3, 0, 2, 0, 0),
} as unknown as Batch;

const paid = (params: Partial<Parameters<typeof newStates.run>[1]>, updates = 0): [number[], number] => {
  const out = new Float32Array(6);
  const memory = { updates: Uint32Array.of(updates) };
  newStates.run(batch, { bonus: 0.5, cap: 10, fade: 4, ...params }, out, memory);
  return [[...out], memory.updates[0]!];
};

test('each state pays once in an episode, and where it began pays nothing', () => {
  expect(paid({})).toEqual([[0.5, 0, 0.5, 0, 0.5, 0], 1]);
});

test('the cap cuts what is earned, the bonus fades by a cosine and is gone in the end', () => {
  expect(paid({ cap: 0.75 })[0]).toEqual([0.5, 0, 0.25, 0, 0, 0]);
  expect(paid({}, 2)[0]).toEqual([0.25, 0, 0.25, 0, 0.25, 0]);
  expect(paid({}, 4)[0]).toEqual([0, 0, 0, 0, 0, 0]);
});

test('what is forgotten can be paid again alike', () => {
  const memory = { updates: Uint32Array.of(1) };
  newStates.forget!(batch, memory);
  expect(memory.updates[0]).toBe(0);
});
