import { expect, test } from 'vitest';
import type { Batch } from '../../contract/columns.ts';
import { defaultsOf } from '../../core/settings.ts';
import type { Estimator } from '../types.ts';
import { withNotesApart } from './apart.ts';
import { contextHeads } from './contextHeads.ts';
import { gigpo } from './gigpo.ts';
import { grpo } from './grpo.ts';
import { hgpo } from './hgpo.ts';
import { salt } from './salt.ts';
import { sampleBatch } from './sampleBatch.ts';

/** Three episodes of one task: a note (action 4 or 5) in state 7, then a move in state 8; the first two succeed. */
const batch = sampleBatch([
  { task: 0, reward: [0, 1], state: [7, 8], action: [4, 0] },
  { task: 0, reward: [0, 1], state: [7, 8], action: [5, 0] },
  { task: 0, reward: [0, 0], state: [7, 8], action: [4, 1] },
]);
const NOTE = 4;
const creditOf = (estimator: Estimator, params: object, of: Batch = batch) =>
  estimator.run(of, { ...defaultsOf(estimator.params), ...params } as never);

test('a note gets the outcome’s advantage and nothing from those who wrote in the same state; moves stay as they were', () => {
  const params = { gamma: 1, mode: 'mean' };
  const plain = creditOf(gigpo as Estimator, params);
  const apart = creditOf(withNotesApart(gigpo as Estimator, NOTE), params);
  // returns 1, 1, 0: the mean is 2/3
  const third = 1 / 3;
  expect([...plain.parts!['step']!].map((x) => +x.toFixed(5))).toEqual(
    [third, third, third, third, -2 * third, -2 * third].map((x) => +x.toFixed(5)),
  );
  expect([...apart.parts!['step']!].map((x) => +x.toFixed(5))).toEqual(
    [0, third, 0, third, 0, -2 * third].map((x) => +x.toFixed(5)),
  );
  expect(apart.parts!['episode']).toEqual(plain.parts!['episode']);
});

test('windows of HGPO still look back over notes, and edges of SALT with a note hold it alone', () => {
  const action = Uint32Array.from(batch.action);
  const split = { ...batch, apart: Uint8Array.from(action, (a) => (a >= NOTE ? 1 : 0)) };
  // the move after a note has the same past in all three rows
  expect([...contextHeads(split, 1)[1]!]).toEqual([-1, 1, -1, 1, -1, 1]);
  const made = withNotesApart(salt as Estimator, NOTE);
  const A = creditOf(made, { history: 0 }).A;
  const episode = creditOf(grpo as Estimator, {}).A;
  // rows 0 and 2 wrote the same symbol, but what came of it differs
  expect([A[0], A[4]]).toEqual([episode[0], episode[4]]);
  expect(creditOf(salt as Estimator, { history: 0 }).A[0]).not.toBe(A[0]);
});

test('without notes, and where no states are compared, an estimator is what it was', () => {
  expect(withNotesApart(gigpo as Estimator, null)).toBe(gigpo);
  expect(withNotesApart(grpo as Estimator, NOTE)).toBe(grpo);
  for (const estimator of [gigpo, hgpo, salt] as unknown as Estimator[]) {
    const none = creditOf(withNotesApart(estimator, 9), {});
    expect(none.A).toEqual(creditOf(estimator, {}).A);
  }
});
