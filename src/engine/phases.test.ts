import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { groupsOf } from '../core/batch.ts';
import { must } from '../core/problem.ts';
import { originOf } from '../contract/rows.ts';
import { thetaOf } from '../contract/state.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { forking } from '../slots/fixtures/forking.ts';
import type { RolloutScheme } from '../slots/rollout/types.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { Run } from './run.ts';
import { initialState } from './state.ts';

function planOf(scheme: RolloutScheme, changes: Record<string, unknown> = {}): Plan {
  const small = {
    ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 2, 'run.seeds': 2, 'analysis.evalEvery': 2 },
    // without a bonus a batch of failures teaches nothing
    ...{ 'objective.entropyCoef': 0.1, 'policy.mlp.hidden': [8], 'task.grid.maxSteps': 16 },
  };
  const plan = must(makePlan(configWith({ 'run.backend': 'cpu', ...small, ...changes })));
  return { ...plan, scheme, B: plan.B + (scheme.spare ?? 0) };
}

const CASES: [string, Record<string, unknown>][] = [
  ['a network', {}],
  ['blanked observations and late rewards', { 'task.obsNoise': 51, 'task.rewardDelay': 2 }],
  [
    'commands of words',
    { 'task.method': 'textmaze', 'policy.method': 'transformer', 'policy.transformer.width': 8, 'run.seeds': 2 },
  ],
  ['a critic', { 'advantage.method': 'gae' }],
];

test.each(CASES)('a fork repeats its parent up to its first own step and goes on by itself: %s', async (_, changes) => {
  const plan = planOf(forking, changes);
  const run = await Run.create(plan, makeCpuBackend);
  await run.submit();
  const { batch, state, probs } = await run.backend.view(1);
  const { T, B } = plan;
  expect([...batch.origin!]).toEqual(
    ['own', 'own', 'own', 'own', 'fork', 'fork', 'late'].map((o) => originOf(o as 'own')),
  );
  expect([...batch.branchParent!]).toEqual([-1, -1, -1, -1, 0, 2, -1]);
  expect(groupsOf(batch)).toEqual([
    [0, 1, 4, 6],
    [2, 3, 5],
  ]);
  for (const [child, parent] of [
    [4, 0],
    [5, 2],
  ] as const) {
    const prefix = <V extends { slice(a: number, b: number): V }>(values: V, row: number, width = 1): V =>
      values.slice(row * T * width, (row * T + 2) * width);
    for (const name of ['action', 'logp', 'entropy', 'value'] as const)
      expect(prefix(batch[name] as Float32Array, child), name).toEqual(prefix(batch[name] as Float32Array, parent));
    expect(prefix(batch.stateKey, child, 2)).toEqual(prefix(batch.stateKey, parent, 2));
    expect(prefix(probs, child, plan.actions)).toEqual(prefix(probs, parent, plan.actions));
    const words = plan.env.words;
    const at = (row: number): number => (row * (T + 1) + 2) * words;
    // the state it goes on from
    expect(state.slice(at(child), at(child) + words)).toEqual(state.slice(at(parent), at(parent) + words));
    expect(batch.length[child]).toBeGreaterThan(2);
    // its own draws from there on
    expect(batch.action.slice(child * T + 2, (child + 1) * T)).not.toEqual(
      batch.action.slice(parent * T + 2, (parent + 1) * T),
    );
    const rewards = batch.reward.slice(child * T, (child + 1) * T).reduce((a, b) => a + b, 0);
    if (changes['task.rewardDelay'] === undefined) expect(batch.outcome[child]).toBeCloseTo(rewards, 5);
  }
  expect(B).toBe(7);
});

test('parents never notice: what they play is what they play without a second phase', async () => {
  const alone = planOf({ id: 'alone' });
  const [one, two] = await Promise.all([
    Run.create(planOf(forking), makeCpuBackend),
    Run.create(alone, makeCpuBackend),
  ]);
  await Promise.all([one.submit(), two.submit()]);
  const [a, b] = [(await one.backend.view(0)).batch, (await two.backend.view(0)).batch];
  for (const name of ['action', 'reward', 'logp', 'outcome', 'length'] as const)
    expect(a[name].subarray(0, b[name].length)).toEqual(b[name]);
});

const ASKED = { 'task.question.on': true, 'task.grid.level': 'corridor', 'task.grid.n': 6 };
/** Rows that walk on for six steps, past three signs of that corridor, before the policy chooses. */
const walking: RolloutScheme['first'] = ({ tasks }) =>
  Array.from(tasks, (task) => ({ task, origin: 'own', actions: [0, 0, 0, 0, 0, 0] }));

test('forks of a world with a question keep its answer and what they have read, and late rows have their own', async () => {
  const answers: number[][] = [];
  for (const seed of [1, 2, 3, 4]) {
    const plan = planOf({ ...forking, first: walking }, { ...ASKED, 'run.seed': seed, 'run.seeds': 1 });
    const tasks = makeTasks(plan, 0, 'train');
    const { env, T } = plan;
    const store = (await Run.create(plan, makeCpuBackend)).backend;
    await store.rollout(tasks, 'train');
    const { batch, state } = await store.view(0);
    const truth = Array.from(tasks.episodeSeed, (of) => env.asks!.truth(of));
    for (const [child, parent] of [
      [4, 0],
      [5, 2],
    ] as const) {
      expect(truth[child]).toBe(truth[parent]);
      for (let t = 0; t <= batch.length[child]!; t++)
        expect(env.asks!.fits(tasks.episodeSeed[child]!, state, (child * (T + 1) + t) * env.words)).toBe(true);
    }
    answers.push(truth);
  }
  expect(answers.some((truth) => truth[6] !== truth[0])).toBe(true);
});

/** Row 1 of a task is forked from row 0 before its third step, and row 2 from row 1 two steps later. */
const grandchild: RolloutScheme = {
  ...{ id: 'grandchild', spare: 4, forks: true, needs: ['taskIndex', 'length'] },
  next({ taskIndex, count, length }, { tasks }) {
    return [0, 1].map((task) => {
      const parent = taskIndex.subarray(0, count).lastIndexOf(task);
      return { task, origin: 'fork', parent, branchStep: Math.min(count > tasks.length ? 4 : 2, length[parent]! - 1) };
    });
  },
};

test.each([
  // what was written is no single action, which alone can be given
  ...CASES.filter(([name]) => !/late rewards|words/.test(name)),
  ['a network with a memory', { 'policy.method': 'gru', 'policy.gru.hidden': 8 }],
  ['delayed actions', { 'task.actionDelay': 2 }],
  ['late rewards', { 'task.rewardDelay': 3, 'reward.grid.step': -30 }],
  ['a question, on a slippery floor', { ...ASKED, 'task.grid.slip': [1, 5, 2] }],
  ['chance that groups share', { 'rollout.commonNoise': true, 'task.grid.slip': [1, 5, 2] }],
] as [string, Record<string, unknown>][])(
  'a fork of a fork equals the row that is played from the start with the same draws: %s',
  async (_, changes) => {
    const asked = changes['task.question.on'] === true;
    const plan = planOf(asked ? { ...grandchild, first: walking } : grandchild, { 'rollout.groupSize': 1, ...changes });
    const run = await Run.create(plan, makeCpuBackend);
    await run.submit();
    const { batch, state, probs } = await run.backend.view(1);
    const { T } = batch;
    expect([...batch.branchParent!]).toEqual([-1, -1, 0, 1, 2, 3]);
    const actions = [4, 5].map((i) => Array.from(batch.action.subarray(i * T, i * T + batch.length[i]!)));
    const again = await Run.create(
      planOf(
        {
          id: 'again',
          first: ({ tasks }) => Array.from(tasks, (task, k) => ({ task, origin: 'own', actions: actions[k]! })),
        },
        { 'rollout.groupSize': 1, ...changes },
      ),
      makeCpuBackend,
    );
    await again.submit();
    const whole = await again.backend.view(1);
    const of = <V extends { slice(a: number, b: number): V; length: number }>(values: V, B: number, row: number): V =>
      values.slice((row * values.length) / B, ((row + 1) * values.length) / B);
    for (const [k, row] of [4, 5].entries()) {
      expect(batch.branchStep![row]!).toBeGreaterThan(batch.branchStep![row - 2]!);
      for (const name of ['length', 'action', 'reward', 'stateKey', 'logp', 'entropy', 'value', 'outcome'] as const)
        expect(of(batch[name] as Float32Array, 6, row), name).toEqual(of(whole.batch[name] as Float32Array, 2, k));
      expect(of(probs, 6, row)).toEqual(of(whole.probs, 2, k));
      expect(of(state, 6, row)).toEqual(of(whole.state, 2, k));
    }
  },
);

test('a run whose groups are unequal trains in minibatches, evaluates and resumes exactly', async () => {
  const plan = planOf(forking, { 'objective.minibatches': 2 });
  const run = await Run.create(plan, makeCpuBackend);
  await run.submit();
  const middle = await run.checkpoint();
  for (let u = 0; u < 2; u++) await run.submit();
  const whole = await run.checkpoint();
  expect(thetaOf(whole.state)).not.toEqual(thetaOf(initialState(plan)));
  const again = await Run.create(plan, makeCpuBackend, middle);
  for (let u = 0; u < 2; u++) await again.submit();
  expect((await again.checkpoint()).state).toEqual(whole.state);
  expect(run.series.at(2, 0, metricIndex.evalSuccess)).not.toBeNaN();
});

test('rows that do not train leave the weights alone, and rows that are not measured leave the curves alone', async () => {
  const marked = (mark: object, which: (i: number) => boolean): RolloutScheme => ({
    id: 'marked',
    first: ({ tasks }) => Array.from(tasks, (task, i) => ({ task, origin: 'own', ...(which(i) ? mark : {}) })),
  });
  const train = async (scheme: RolloutScheme) => {
    const run = await Run.create(planOf(scheme, { 'rollout.groupSize': 4, 'optimizer.method': 'sgd' }), makeCpuBackend);
    const { metrics } = await run.submit();
    return { theta: thetaOf(await run.backend.save()), length: metrics[metricIndex.lengthMean]!, run };
  };
  const plain = await train(marked({}, () => true));
  const none = await train(marked({ trains: false }, () => true));
  expect(none.theta).toEqual(thetaOf(initialState(none.run.plan)));
  const some = await train(marked({ trains: false }, (i) => i % 2 === 0));
  expect(some.theta).not.toEqual(plain.theta);
  expect(some.length).toBe(plain.length);
  const unmeasured = await train(marked({ measured: false }, (i) => i % 4 > 0));
  const { batch } = await unmeasured.run.backend.view(0);
  // sums are taken in other parts
  const apart = unmeasured.theta.map((x, k) => Math.abs(x - plain.theta[k]!));
  expect(Math.max(...apart)).toBeLessThan(1e-6);
  expect(unmeasured.length).toBeCloseTo((batch.length[0]! + batch.length[4]!) / 2, 12);
});

test('a scheme that plans other rows than a batch has is told so', async () => {
  const wrong = async (scheme: RolloutScheme) => (await Run.create(planOf(scheme), makeCpuBackend)).submit();
  await expect(wrong({ ...forking, spare: 5 })).rejects.toThrow('forking plans 7 rows for a batch of 9.');
  await expect(wrong({ ...forking, spare: 1 })).rejects.toThrow('forking plans more rows than the 5 of a batch.');
  const late: RolloutScheme = {
    ...forking,
    next: () => [0, 1, 2].map(() => ({ task: 0, origin: 'fork', parent: 0, branchStep: 999 })),
  };
  await expect(wrong(late)).rejects.toThrow('Row 4 goes on from step 999 of row 0, which was not played that far.');
});
