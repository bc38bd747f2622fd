import { expect, test } from 'vitest';
import { originOf } from '../../contract/rows.ts';
import { searchOf } from './searched.ts';

const [own, search] = [originOf('own'), originOf('search')];
/** A failure of four steps, and a success of two that goes on from its first step; another task beside them. */
const batch = {
  ...{
    B: 3,
    T: 4,
    length: Uint32Array.of(4, 2, 1),
    taskIndex: Uint32Array.of(0, 0, 1),
    success: Uint32Array.of(0, 1, 0),
  },
  ...{ entropy: new Float32Array(12), origin: Uint8Array.of(own, search, own) },
  forks: { parent: Int32Array.of(-1, 0, -1), step: Uint32Array.of(0, 1, 0), decisions: [] },
};

test('a searched task tells which episodes were backed up, and what of each state', () => {
  const found = searchOf(batch, 0)!;
  expect([...found.isChosen]).toEqual([0, 1]);
  // the success took the place of the failure in the state that both passed: 1/2, in two visits
  expect(found.at(1, 1)).toEqual({ q: 0.25, visits: 2 });
  expect(found.at(0, 1)).toEqual({ q: 0.25, visits: 2 });
  expect(found.at(0, 2)).toEqual({ q: -0.5, visits: 1 });
  expect(found.at(0, 0)).toBeNull();
});

test('a task without a search has nothing of it, nor one where nothing forks', () => {
  expect(searchOf(batch, 1)).toBeNull();
  const { forks, ...plain } = batch;
  expect(forks.decisions).toEqual([]);
  expect(searchOf(plain, 0)).toBeNull();
});
