import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { goldenStack } from '../../check/conformance/golden.ts';
import { estimators } from '../methods.ts';
import { arbitraryBatch, arbitraryTrajectories } from './arbitraryBatch.ts';
import { creditOpsOf, dataOf } from './creditOps.ts';
import { drGrpo } from './drGrpo.ts';
import { combine } from './explain.ts';
import { rloo } from './rloo.ts';
import { sampleBatch, type SampleTrajectory } from './sampleBatch.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

/** The setting that says how often a trajectory counts; GiGPO and its relative had it before the others, by another name. */
const rowsOf = (e: (typeof estimators)[number]): string | undefined =>
  ['rows', 'episodeRows'].find((name) => Object.hasOwn(e.params, name));

/**
 * OPO always weighs by length; the steps of the best of GRPO-Pass@k would tie with each other; HBPO judges an episode by how
 * long it is already; HiMAC compares plans, which have no length.
 */
const ONE_COUNT = ['opo', 'grpoPassK', 'hbpo', 'himac'];

/** Estimators that compare the outcomes of a task group; ReMax compares them with a greedy episode, and a text says itself how it counts. */
const comparing = estimators.filter(
  (e) => e.needs.includes('outcome') && !e.needs.includes('greedyReturn') && !ONE_COUNT.includes(e.id) && !e.prepare,
);

/** Step rows, with all choices that only matter together with them. */
const byStep = comparing.flatMap((e) => {
  const params: AnyValues = { ...defaultsOf(e.params), [rowsOf(e) ?? '']: 'steps' };
  const episodes = e.params['episode']?.kind === 'choice' ? ['added', 'level'] : [];
  if (episodes.length === 0) return [[e.id, e, params] as const];
  return episodes.map((episode) => [`${e.id} ${episode}`, e, { ...params, episode }] as const);
});

test.each(['grpoRowsSteps', 'rlooRowsSteps', 'reinforcePPBaselineRowsSteps'])(
  'statistics over step rows are those of the released stack: %s',
  (key) => {
    const entries = goldenStack(key);
    expect(entries.length).toBe(3);
    expect(entries.filter((e) => !e.passed)).toEqual([]);
  },
);

test('a short success against a long failure, by hand', () => {
  const batch = sampleBatch([{ reward: [1] }, { reward: [0, 0, 0] }]);
  // rows 1, 0, 0, 0: mean ¼, and of the others of the success 0, of a step of the failure ⅓
  expect([...drGrpo.run(batch, { rows: 'steps' }).A]).toEqual([0.75, 0, 0, -0.25, -0.25, -0.25]);
  const A = rloo.run(batch, { ...defaultsOf(rloo.params), rows: 'steps' }).A;
  [1, 0, 0, -1 / 3, -1 / 3, -1 / 3].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 6));
});

test('a set of a single row gets its return only if asked: an episode of one step, or by trajectories of any length', () => {
  const batch = sampleBatch([{ reward: [2] }, { task: 1, reward: [1, 2] }]);
  for (const id of ['grpo', 'rloo', 'gpg']) {
    const e = estimators.find((one) => one.id === id)!;
    const credit = (rows: string, singleton: string) => [
      ...e.run(batch, { ...defaultsOf(e.params), rows, singleton }).A,
    ];
    expect(credit('trajectories', 'zero')).toEqual([0, 0, 0, 0]);
    expect(credit('trajectories', 'return')).toEqual([2, 0, 3, 3]);
    expect(credit('steps', 'return')).toEqual([2, 0, 0, 0]);
  }
});

test('every estimator that compares outcomes in a task group offers both ways of counting, each trajectory once first', () => {
  expect(comparing.length).toBeGreaterThan(15);
  for (const e of comparing) {
    const setting = e.params[rowsOf(e) ?? ''];
    expect(setting, e.id).toMatchObject({
      kind: 'choice',
      options: ['trajectories', 'steps'],
      default: 'trajectories',
    });
  }
});

test.each(byStep)('%s: where lengths differ, counting steps gives another credit', (_, e, params) => {
  // two tasks: Whiten takes back a shift that is the same on all steps
  const batch = sampleBatch([
    { reward: [0, 1], state: [1, 2], entropy: [0, 1] },
    { reward: [0, 0, 0, 0, 0], state: [1, 3, 3, 3, 3], finalState: 3 },
    { reward: [0, 0.5], state: [1, 2], finalState: 4 },
    { task: 1, reward: [1, 0] },
    { task: 1, reward: [0, 0] },
  ]);
  expect(e.run(batch, params).A).not.toEqual(e.run(batch, { ...params, [rowsOf(e)!]: 'trajectories' }).A);
});

test('where all lengths of a group agree, Dr. GRPO is the same by either count', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, fc.integer({ min: 1, max: 4 }), (list, n) => {
      const batch = sampleBatch(
        list.map(({ task = 0, reward }) => ({ task, reward: new Array<number>(n).fill(reward[0]!) })),
      );
      const once = drGrpo.run(batch, { rows: 'trajectories' }).A;
      drGrpo.run(batch, { rows: 'steps' }).A.forEach((a, k) => expect(Math.abs(a - once[k]!)).toBeLessThan(1e-6));
    }),
    { numRuns: 40 },
  );
});

/** Every step as a trajectory of its own with the outcome of the one it came from. */
const cutUp = (list: readonly SampleTrajectory[]): SampleTrajectory[] =>
  list.flatMap(({ task = 0, reward }) => {
    const R = reward.reduce((a, b) => a + b, 0);
    return reward.map(() => ({ task, reward: [R] }));
  });

test.each(['grpo', 'drGrpo', 'rloo', 'loop', 'flowGrpo', 'litePpo', 'gpg', 'reinforcePPBaseline'])(
  '%s over step rows equals its credit where every step is an episode of its own',
  (id) => {
    const e = estimators.find((x) => x.id === id)!;
    const params = defaultsOf(e.params);
    fc.assert(
      fc.property(arbitraryTrajectories, (list) => {
        const batch = sampleBatch(list);
        const { A } = e.run(batch, { ...params, rows: 'steps' });
        const want = e.run(sampleBatch(cutUp(list)), params).A;
        const real = A.filter((_a, k) => k % batch.T < batch.length[Math.floor(k / batch.T)]!);
        expect(real.length).toBe(want.length);
        real.forEach((a, k) => expect(Math.abs(a - want[k]!)).toBeLessThan(2e-5 * Math.max(1, Math.abs(want[k]!))));
      }),
      { numRuns: 40 },
    );
  },
);

test('REINFORCE++ baseline over step rows leaves groups that agree at 0: there is no mean over all steps to take away', () => {
  const list = [{ reward: [1] }, { reward: [0, 0, 0] }, { task: 1, reward: [1, 0] }, { task: 1, reward: [0, 1] }];
  const credit = (rows: 'trajectories' | 'steps'): number =>
    estimators.find((e) => e.id === 'reinforcePPBaseline')!.run(sampleBatch(list), { rows }).A[2 * 3]!;
  expect(Math.abs(credit('steps'))).toBeLessThan(1e-6);
  expect(Math.abs(credit('trajectories'))).toBeGreaterThan(0.1);
});

test('Dr. GRPO over step rows has the length-weighted baseline of OPO: credit of all steps of a group adds up to 0', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = drGrpo.run(batch, { rows: 'steps' });
      const total = new Float64Array(3);
      A.forEach((a, k) => (total[batch.taskIndex[Math.floor(k / batch.T)]!]! += a));
      for (const sum of total) expect(Math.abs(sum)).toBeLessThan(1e-4);
    }),
    { numRuns: 40 },
  );
});

test.each(byStep.filter(([, e]) => e.gpu ?? e.explain))(
  '%s over step rows: the GPU composition means the same, and explanations give A',
  (_, e, params) => {
    fc.assert(
      fc.property(arbitraryBatch, (batch) => {
        const { A } = e.run(batch, params);
        if (e.gpu) {
          const got = dataOf(e.gpu(creditOpsOf(batch), params).A);
          A.forEach((a, k) => expect(Math.abs(got[k]! - a)).toBeLessThan(2e-5 * Math.max(1, Math.abs(a))));
        }
        for (let k = 0; e.explain && k < A.length; k++) {
          if (k % batch.T < batch.length[Math.floor(k / batch.T)]!)
            expect(combine(e.explain(batch, params, k)) + 0).toBe(A[k]! + 0);
        }
      }),
      { numRuns: 25 },
    );
  },
);
