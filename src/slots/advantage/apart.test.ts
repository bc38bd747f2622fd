import { expect, test } from 'vitest';
import type { Batch } from '../../contract/columns.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import type { Estimator } from '../types.ts';
import { withNotesApart } from './apart.ts';
import { contextHeads } from './contextHeads.ts';
import { prepareEstimators } from '../estimatorOf.ts';
import { estimators } from '../methods.ts';
import { g2po } from './g2po.ts';
import { gigpo } from './gigpo.ts';
import { graphGpo } from './graphGpo.ts';
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

/** Two tasks of four episodes: before each move one or two symbols, with keys that episodes share. */
const written = () => {
  const states = [
    [7, 8, 9, 17, 18, 19],
    [7, 8, 9, 27, 28, 29],
    [7, 8, 9, 17, 18, 19],
    [7, 8, 9, 9, 27, 28, 29],
  ];
  const row = (task: number) => (state: readonly number[], i: number) => ({
    ...{ task, state: state.map((s) => s + 100 * task), finalState: 99 + i },
    // the last state of three is that of a move; where four come, the third is a move as well
    action: state.map((s) => (s % 10 === 9 ? (i + s) % 3 : 4 + ((i + s) % 2))),
    reward: state.map((_, t) => (t === state.length - 1 && i !== 1 ? 1 : 0)),
    success: i !== 1,
  });
  return sampleBatch([...states.map(row(0)), ...states.map(row(1))]);
};

test('in every estimator that compares states, it says nothing which notes began in one state', async () => {
  await prepareEstimators(estimators.map(({ id }) => id));
  const batch = written();
  const alone: Batch = { ...batch, stateKey: batch.stateKey.slice() };
  for (let k = 0; k < batch.B * batch.T; k++) if (batch.action[k]! >= NOTE) alone.stateKey[2 * k] = 1000 + k;
  // windows of HGPO tell histories apart, what was written among them
  const compared = estimators.filter(({ needs, id }) => needs.includes('stateKey') && id !== 'hgpo');
  expect(compared.map(({ id }) => id)).toEqual(expect.arrayContaining(['gigpo', 'salt', 'g2po', 'graphGpo']));
  for (const estimator of compared) {
    const made = withNotesApart(estimator, NOTE);
    const [shared, own] = [creditOf(made, {}, batch), creditOf(made, {}, alone)];
    expect([...shared.A], estimator.id).toEqual([...own.A]);
    for (const x of shared.A) expect(Number.isFinite(x)).toBe(true);
  }
});

/** Every estimator with its defaults, each choice taken once, each switch turned, and each number at its least. */
const variants = (estimator: Estimator): AnyValues[] => {
  const base = defaultsOf(estimator.params);
  const others = Object.entries(estimator.params).flatMap(([name, s]): AnyValues[] => {
    if (s.kind === 'choice') return s.options.map((option) => ({ ...base, [name]: option }));
    if (s.kind === 'switch') return [{ ...base, [name]: !s.default }];
    return s.kind === 'number' || s.kind === 'integer' ? [{ ...base, [name]: s.min }] : [];
  });
  return [base, ...others];
};

test('which estimators give notes nothing is what their records say', async () => {
  await prepareEstimators(estimators.map(({ id }) => id));
  const batch = written();
  const silent = new Set<string>();
  for (const estimator of estimators.filter(({ needs }) => needs.includes('stateKey')))
    for (const params of variants(estimator)) {
      const { A } = creditOf(withNotesApart(estimator, NOTE), params, batch);
      const credits = (isNote: boolean): boolean => A.some((a, k) => a !== 0 && batch.action[k]! >= NOTE === isNote);
      // with some settings it gives nothing to anybody
      if (!credits(true) && !credits(false)) continue;
      const says = estimator.comparesStatesAlone?.(params as never) ?? false;
      expect(says, `${estimator.id} ${JSON.stringify(params)}`).toBe(!credits(true));
      if (says) silent.add(estimator.id);
    }
  expect([...silent].sort()).toEqual(['graft', 'graphGpo', 'graphGpoSimilar', 'hgpo', 'rtmc']);
});

test('G²PO and GraphGPO judge a move by the state behind the note that follows it, and by steps of the world', () => {
  // one state, then a goal; the second episode goes round once more. Notes 4 and 5 stand before each move
  const long = sampleBatch([
    { task: 0, reward: [0, 1], state: [7, 8], action: [4, 0] },
    { task: 0, reward: [0, 0, 0, 1], state: [7, 8, 7, 8], action: [4, 1, 5, 0] },
  ]);
  const short = sampleBatch([
    { task: 0, reward: [1], state: [8], action: [0] },
    { task: 0, reward: [0, 1], state: [8, 8], action: [1, 0] },
  ]);
  for (const estimator of [g2po, graphGpo] as unknown as Estimator[]) {
    const noted = creditOf(withNotesApart(estimator, NOTE), {}, long);
    const plain = creditOf(estimator, {}, short);
    const moves = [1, 5, 7].map((k) => noted.A[k]!);
    expect(moves).toEqual([0, 2, 3].map((k) => plain.A[k]!));
    // the steps that write keep the outcome’s part alone
    for (const k of [0, 4, 6]) expect(noted.A[k]).toBe(noted.parts!['episode']![k]);
  }
});
