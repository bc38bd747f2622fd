import { expect, test } from 'vitest';
import { whatCame } from '../credit/BesideStrips.tsx';
import { stepName } from '../credit/sentences.ts';
import type { BesideShown, Snapshot } from '../../worker/protocol.ts';
import { batchOf, besideOf, cameFrom, howItTrains, isBeside, weightAt, weightsOf, type Beside } from './beside.ts';
import { episodeSentence } from './episodes.ts';

const row = (came: object, isImitated = false, times = 1) => ({ came, isImitated, times });
const beside = {
  ...{ B: 4, T: 2, update: 26, length: Uint32Array.of(2, 1, 1, 2), success: Uint32Array.of(1, 0, 1, 1) },
  ...{ outcome: Float32Array.of(1, 0, 1, 1), judged: null, actions: ['left', 'right'] },
  action: Uint32Array.of(0, 1, 1, 0, 0, 0, 1, 1),
  ratio: Float32Array.of(0.5, 1.5, 1, 99, 1, 99, 1, 1),
  rows: [
    row({ origin: 'replay', update: 4 }),
    row({ origin: 'peer', update: 20, sender: 2 }),
    row({ origin: 'search' }, true, 3),
    row({ origin: 'demo' }, true),
  ],
  ...{ weight: 0.25, left: 2, of: {} },
} as unknown as Beside;

test('an episode beside the batch says where it is from, how it trains and with which weights', () => {
  expect([0, 1, 2, 3].map((i) => cameFrom(beside, i))).toEqual([
    'from update 5',
    'from tab 2',
    'by search',
    'by the solver',
  ]);
  expect([0, 2, 3].map((i) => howItTrains(beside, i))).toEqual(['trains again', 'imitated 3 times', 'imitated']);
  expect(weightsOf(beside, 0)).toEqual({ mean: '1.00', low: '0.50', high: '1.50' });
  expect(weightAt(beside, 0, 1)).toBe('1.50');
  expect(stepName(beside, 0, 1)).toBe('Episode 1 beside the batch (from update 5), step 2 of 2: right');
  expect(episodeSentence(beside, 0)).toBe(
    'Batch of update 27: an episode beside it reached the goal in 2 steps, return 1. It was played in update 5. It trains beside the batch, with importance weights π/π_old of 0.50 to 1.50, 1.00 on average.',
  );
  expect(episodeSentence(beside, 2)).toContain('It was found by a search. A separate step imitates it, 3 times.');
  expect(whatCame(beside)).toBe(
    '1 episode played before, 1 episode of other tabs, 1 solution of the solver, 1 solution of a search; their mean loss counts 0.25 times; a separate step imitates 2; 2 more are not shown',
  );
});

test('what trained beside a batch is a batch of its own, always the same one, and knows whose it is', () => {
  const shown = { ...beside, B: 4 } as BesideShown;
  const batch = { B: 12, update: 26, parts: [{}], exact: {}, judged: {}, beside: shown } as unknown as Snapshot;
  const own = besideOf(batch)!;
  expect(besideOf(batch)).toBe(own);
  expect([isBeside(own), isBeside(batch), batchOf(own), batchOf(batch)]).toEqual([true, false, batch, batch]);
  expect(own).toMatchObject({ B: 4, update: 26, parts: [], exact: null, judged: null });
  expect(besideOf({ ...batch, beside: { ...shown, B: 0 } } as Snapshot)).toBeNull();
});
