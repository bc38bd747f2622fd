import { thetaOf } from '../contract/state.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makeArrays } from './arrays.ts';
import { makeCpuPolicy } from './cpu/policy.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { sideOfPlan, sideTasks } from './sideEpisodes.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import type { Run } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';
import { initialState } from './state.ts';
import { networkOf, prepareNetwork } from '../networks/policy.ts';

// policies are made here without a run
beforeAll(async () => void (await prepareNetwork(networkOf('transformer'))));

const small = {
  'advantage.method': 'remax',
  'task.grid.level': 'frozenLake4',
  'task.grid.maxSteps': 20,
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 4,
  'run.seeds': 2,
  'run.updates': 40,
  'policy.mlp.hidden': [8],
};
const words = { 'policy.method': 'transformer', 'policy.transformer.width': 16, 'policy.transformer.layers': 1 };

function planOf(changes: Record<string, unknown> = {}): Plan {
  return must(makePlan(configWith({ ...small, ...changes })));
}

const open = (changes: Record<string, unknown> = {}): Promise<Run> => sampleRun({ ...small, ...changes });

describe('greedy episodes', () => {
  test.each([
    ['layers', {}],
    ['words', words],
  ])('take the most likely action of every step and end at the same step limit: %s', (_name, changes) => {
    const plan = planOf({ ...changes, 'rollout.temperature': 3 });
    const greedy = sideOfPlan(plan)!.plan;
    const arrays = makeArrays(greedy);
    const theta = thetaOf(initialState(plan));
    const tasks = sideTasks(plan, makeTasks(plan, 0, 'train'));
    rolloutReplica(greedy, arrays, { policy: makeCpuPolicy(greedy), theta, tasks, mode: 'side' }, 0);
    const probs = new Float32Array(plan.actions);
    const policy = makeCpuPolicy(plan);
    let steps = 0;
    for (let i = 0; i < greedy.B; i++) {
      expect(arrays.length[i]).toBeGreaterThan(0);
      expect(arrays.length[i]).toBeLessThanOrEqual(20);
      // a transformer with commands behind it decides by them too; its first step has none
      for (let t = 0; t < (plan.policy.words === null ? arrays.length[i]! : 1); t++) {
        const at = (i * (plan.T + 1) + t) * plan.obsWords;
        const obs = arrays.obs.slice(at, at + plan.obsWords);
        policy.probsOf(theta, obs, arrays.legal.slice(i * plan.T + t, i * plan.T + t + 1), 1, probs);
        expect(probs[arrays.action[i * plan.T + t]!]).toBe(Math.max(...probs));
        steps++;
      }
    }
    expect(steps).toBeGreaterThanOrEqual(3);
  });

  test('one per task, on its level; draws of the world are their own unless the group shares them', () => {
    for (const isCommon of [false, true]) {
      const plan = planOf({ 'rollout.commonNoise': isCommon, 'task.grid.level': 'doorKey', 'task.levels': 0 });
      const tasks = makeTasks(plan, 3, 'train');
      const greedy = sideTasks(plan, tasks);
      expect([...greedy.taskIndex]).toEqual([0, 1, 2, 0, 1, 2]);
      for (let k = 0; k < 6; k++) {
        expect(greedy.levelOf[k]).toBe(tasks.levelOf[k * 4]);
        expect(tasks.episodeSeed.includes(greedy.episodeSeed[k]!)).toBe(isCommon);
      }
      expect(new Set(greedy.episodeSeed).size).toBe(6);
    }
  });

  test('exist for methods that compare with them only', () => {
    expect(sideOfPlan(planOf())).not.toBeNull();
    expect(sideOfPlan(planOf({ 'advantage.method': 'rloo' }))).toBeNull();
  });
});

test('ReMax subtracts the return of the greedy episode of the task, and its steps are counted', async () => {
  const run = await open();
  const records = await train(run, 3);
  const { batch, A } = await run.backend.view(1);
  for (let i = 0; i < batch.B; i++) {
    expect(A[i * batch.T]).toBe(Math.fround(batch.outcome[i]! - batch.greedyReturn![batch.taskIndex[i]!]!));
  }
  const without = await open({ 'advantage.method': 'rloo' });
  const [first] = await train(without, 1);
  // the first batch is the same one: 24 episodes, and 6 greedy ones of at least one step each
  expect(records[0]!.hash).toEqual(first!.hash);
  expect(records[0]!.envSteps).toBeGreaterThanOrEqual(first!.envSteps + 6);
});

test('with one episode per task ReMax still learns', async () => {
  const run = await open({ 'rollout.groupSize': 1, 'rollout.tasksPerBatch': 16 });
  await train(run, 6);
  expect(thetaOf(await run.backend.save())).not.toEqual(thetaOf(initialState(run.plan)));
});

test('greedy episodes of seeds side by side are those of single runs', async () => {
  const together = await open({ 'run.seed': 3, 'run.seeds': 3 });
  await train(together, 5);
  const { perSeed } = await together.digest();
  for (let r = 0; r < 3; r++) {
    const alone = await open({ 'run.seed': 3 + r, 'run.seeds': 1 });
    await train(alone, 5);
    expect((await alone.digest()).perSeed[0]).toBe(perSeed[r]);
  }
});

test('what LOOP leaves out moves nothing, not even through the entropy bonus', async () => {
  // three steps are too few for any success: every group agrees
  const silent = { 'task.grid.maxSteps': 3, 'objective.entropyCoef': 0.1, 'objective.epochs': 2 };
  const loop = await open({ ...silent, 'advantage.method': 'loop' });
  const rloo = await open({ ...silent, 'advantage.method': 'rloo' });
  await train(loop, 2);
  await train(rloo, 2);
  expect(thetaOf(await loop.backend.save())).toEqual(thetaOf(initialState(loop.plan)));
  expect(thetaOf(await rloo.backend.save())).not.toEqual(thetaOf(initialState(rloo.plan)));
});
