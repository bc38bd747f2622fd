import { expect, test } from 'vitest';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { sampleRun, train } from './sampleRun.ts';

/** A key, its door and the goal behind it, with time for a detour. */
const SMALL = {
  ...{ 'run.backend': 'cpu', 'task.subgoals.on': true, 'policy.method': 'mlp' },
  ...{ 'task.grid.level': 'custom', 'task.grid.text': 'S.a\n#A#\n..G' },
  ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 16, 'objective.entropyCoef': 0.02 },
};

/** Of each seed: the first update with a success of 0.8, −1 for none, and the success of the last one. */
async function learned(changes: Readonly<Record<string, unknown>>, updates: number) {
  const run = await sampleRun({ ...SMALL, ...changes });
  const records = await train(run, updates);
  const seeds = Array.from({ length: run.plan.S }, (_, s) => s);
  run.dispose();
  const success = (u: number, s: number): number => records[u]!.metrics[s * METRICS + metricIndex.success]!;
  return {
    first: seeds.map((s) => records.findIndex((_, u) => success(u, s) >= 0.8)),
    last: seeds.map((s) => success(updates - 1, s)),
  };
}

const judged = {
  ...{ 'advantage.method': 'hiper', 'optimizer.learningRate': 0.005, 'policy.mlp.hidden': [32], 'run.seeds': 3 },
  ...{ 'objective.epochs': 8, 'objective.valueCoef': 2, 'task.grid.maxSteps': 48 },
};
const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0);

test('HAE and flat GAE over the same steps both solve it on three seeds, and HAE is not the sooner one', async () => {
  const hae = await learned(judged, 9);
  const flat = await learned({ ...judged, 'advantage.hiper.levels': 'flat' }, 5);
  for (const { first } of [hae, flat]) for (const update of first) expect(update).toBeGreaterThanOrEqual(0);
  expect(sum(hae.first)).toBeGreaterThanOrEqual(sum(flat.first));
});

const groups = { 'optimizer.learningRate': 0.02, 'policy.mlp.hidden': [16], 'run.seeds': 3, 'task.grid.maxSteps': 40 };

test.each([
  ['nested', {}],
  [
    'with new executions of the best plan',
    { 'rollout.blueprints.again': 'best', 'rollout.blueprints.plans': 8, 'advantage.himac.acts': 'best' },
  ],
])('plans and their execution are learned without a critic, %s', async (_, changes) => {
  const plans = { 'task.subgoals.mode': 'blueprint', 'task.subgoals.entries': 3, 'rollout.method': 'blueprints' };
  const { first } = await learned({ ...groups, ...plans, 'advantage.method': 'himac', ...changes }, 15);
  for (const update of first) expect(update).toBeGreaterThanOrEqual(0);
});

test('planner and executor learn in turns: the executor begins, and greedy plans succeed once it can act', async () => {
  const turns = {
    ...{ 'task.subgoals.mode': 'blueprint', 'task.subgoals.entries': 3, 'rollout.method': 'blueprints' },
    ...{ 'rollout.blueprints.learn': 'turns', 'advantage.method': 'himac', 'advantage.himac.acts': 'best' },
    ...{ 'reward.grid.step': -20, 'objective.entropyCoef': 0.05 },
  };
  const { first } = await learned({ ...groups, ...turns }, 28);
  for (const update of first) expect(update).toBeGreaterThanOrEqual(10);
});

test('with a reward for choosing what comes true it is learned about as soon as by the outcome alone', async () => {
  const hrpo = await learned({ ...groups, 'advantage.method': 'hrpo' }, 9);
  const grpo = await learned({ ...groups, 'advantage.method': 'grpo' }, 9);
  for (const { first } of [hrpo, grpo]) for (const update of first) expect(update).toBeGreaterThanOrEqual(0);
  expect(Math.abs(sum(hrpo.first) - sum(grpo.first))).toBeLessThanOrEqual(6);
});

test('who acts can learn alone, who plans cannot: its plans are carried out by chance', async () => {
  const masked = { ...groups, 'advantage.method': 'grpo', 'revise.trainedRoles.on': true };
  for (const success of (await learned({ ...masked, 'revise.trainedRoles.role': 'executor' }, 15)).last)
    expect(success).toBeGreaterThan(0.9);
  for (const success of (await learned(masked, 15)).last) expect(success).toBeLessThan(0.6);
});
