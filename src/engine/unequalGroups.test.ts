import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heldBy } from '../contract/columns.ts';
import { creditOf } from './creditOf.ts';
import { defaultsOf } from '../core/settings.ts';
import { estimators } from '../slots/methods.ts';
import { sampleBatch, type SampleTrajectory } from '../slots/advantage/sampleBatch.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

const trajectory = (task: number): fc.Arbitrary<SampleTrajectory> =>
  fc
    .array(fc.record({ reward: fc.constantFrom(0, 0, 1, -0.5), state: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((steps) => ({ task, reward: steps.map(({ reward }) => reward), state: steps.map(({ state }) => state) }));
const group = (task: number, least: number, most: number): fc.Arbitrary<SampleTrajectory[]> =>
  fc.array(trajectory(task), { minLength: least, maxLength: most });

/** Estimators whose columns a played batch has, with their usual settings. COPO compares groups with each other, at ρ = share · ln G. */
const all = estimators.filter((e) => {
  const held = new Set(heldBy(sampleBatch([{ reward: [1], state: [1] }])).map(([name]) => name as string));
  return e.needs.every((name) => held.has(name)) && !e.prepare && e.id !== 'copo';
});

/** Credit of each of these groups in one batch, and each by itself. */
function together(e: (typeof all)[number], groups: readonly SampleTrajectory[][]): readonly [number[], number[]] {
  const params = defaultsOf(e.params);
  const real = (list: readonly SampleTrajectory[]): number[] => {
    const batch = sampleBatch(list);
    const { A } = e.run(batch, params);
    return list.flatMap(({ reward }, i) => reward.map((_, t) => A[i * batch.T + t]!));
  };
  return [real(groups.flat()), groups.flatMap((one) => real(one.map((t) => ({ ...t, task: 0 }))))];
}

/** Largest difference over many batches. */
function apart(e: (typeof all)[number], groups: fc.Arbitrary<SampleTrajectory[][]>): number {
  let worst = 0;
  // some groups agree
  const agreeing: SampleTrajectory[] = [0, 1, 2, 3].map(() => ({ task: 0, reward: [1], state: [1] }));
  const drawn = fc.sample(groups, { seed: 5, numRuns: 40 });
  for (const list of [...drawn, [agreeing, drawn[0]![1]!]]) {
    const [joint, alone] = together(e, list);
    joint.forEach((a, k) => (worst = Math.max(worst, Math.abs(a - alone[k]!))));
  }
  return worst;
}

const equal = fc.tuple(group(0, 4, 4), group(1, 4, 4));
const unequal = fc.tuple(group(0, 2, 2), group(1, 6, 6));
const local = all.filter((e) => apart(e, equal) < 1e-5);

test('many estimators judge a group by its own members alone', () => {
  expect(local.map(({ id }) => id)).toEqual(expect.arrayContaining(['grpo', 'rloo', 'drGrpo', 'gigpo']));
  expect(local.length).toBeGreaterThan(8);
});

test.each(local.map((e) => [e.id, e] as const))(
  '%s gives the rows of unequal groups the credit that they have where all groups are equal',
  (_, e) => {
    expect(apart(e, unequal)).toBeLessThan(1e-5);
  },
);

test.each(local.map((e) => [e.id, e] as const))('%s: rows that were dropped are in no statistics', (_, e) => {
  const list = fc.sample(group(0, 3, 5), { seed: 2, numRuns: 1 })[0]!;
  const others = fc.sample(group(0, 2, 2), { seed: 3, numRuns: 1 })[0]!;
  const batch = sampleBatch([...list, ...others]);
  const kept = Uint8Array.from({ length: batch.B }, (_row, i) => (i < list.length ? 1 : 0));
  const estimator = { estimator: e as never, estimatorParams: defaultsOf(e.params) };
  const { A } = creditOf(estimator, { ...batch, trains: kept, measured: kept });
  const alone = sampleBatch(list);
  const own = e.run(alone, defaultsOf(e.params)).A;
  list.forEach(({ reward }, i) => {
    reward.forEach((_r, t) => expect(Math.abs(A[i * batch.T + t]! - own[i * alone.T + t]!)).toBeLessThan(1e-5));
  });
  expect(A.subarray(list.length * batch.T).every((a) => a === 0)).toBe(true);
});
