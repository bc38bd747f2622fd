import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupsOf } from '../core/batch.ts';
import { estimators } from '../slots/methods.ts';
import { defaultsOf } from '../core/settings.ts';
import { arbitraryBatch } from '../slots/advantage/arbitraryBatch.ts';
import { sampleBatch } from '../slots/advantage/sampleBatch.ts';
import { joinBatches, selectGroups } from '../contract/creditSubset.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

const two = sampleBatch([
  { task: 0, reward: [1, 2], action: [3, 4], greedy: 5 },
  { task: 1, reward: [6], action: [7], greedy: 8 },
]);

test('a group is cut out with everything that belongs to it, and numbered from 0', () => {
  const { batch, rows } = selectGroups(two, [[1]]);
  expect(rows).toEqual([1]);
  expect(batch).toMatchObject({ P: 1, B: 1, T: 2 });
  expect([...batch.action]).toEqual([7, 0]);
  expect([...batch.taskIndex]).toEqual([0]);
  expect([...batch.greedyReturn!]).toEqual([8]);
  expect([...batch.stateKey]).toEqual([...two.stateKey.subarray(4)]);
});

test('what belongs to the whole replica stays as it is, however few rows are taken', () => {
  const { batch } = selectGroups({ ...two, modelError: Float64Array.of(0.25) } as never, [[1]]);
  expect([...(batch as unknown as { modelError: Float64Array }).modelError]).toEqual([0.25]);
});

test('joined batches keep their tasks apart, and arrays that one of them lacks are left out', () => {
  const { greedyReturn, ...bare } = two;
  expect(greedyReturn).toBeDefined();
  const joined = joinBatches([two, bare]);
  expect(joined).toMatchObject({ P: 4, B: 4, T: 2 });
  expect([...joined.taskIndex]).toEqual([0, 1, 2, 3]);
  expect(joined.greedyReturn).toBeUndefined();
  expect([...joinBatches([two, two]).greedyReturn!]).toEqual([5, 8, 5, 8]);
});

/** What compares only inside of a task group gives a group the same credit with and without the others. */
const LOCAL = ['grpo', 'drGrpo', 'rloo', 'gigpo', 'hgpo', 'salt', 'loop', 'remax', 'rtmc'];

test.each(estimators.filter((e) => LOCAL.includes(e.id)).map((e) => [e.id, e] as const))(
  '%s: a group alone gets the credit that it gets among others',
  (_, estimator) => {
    fc.assert(
      fc.property(arbitraryBatch, (some) => {
        // tasks may be missing in between; renumbered as in real batches
        const { batch } = selectGroups({ ...some, P: some.greedyReturn!.length }, groupsOf(some));
        const params = defaultsOf(estimator.params);
        const whole = estimator.run(batch, params).A;
        for (const group of groupsOf(batch)) {
          const alone = selectGroups(batch, [group]);
          const A = estimator.run(alone.batch, params).A;
          alone.rows.forEach((i, k) =>
            expect([...A.subarray(k * batch.T, (k + 1) * batch.T)]).toEqual([
              ...whole.subarray(i * batch.T, (i + 1) * batch.T),
            ]),
          );
        }
      }),
      { numRuns: 30 },
    );
  },
);
