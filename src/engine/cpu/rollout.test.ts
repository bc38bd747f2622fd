import { thetaOf } from '../../contract/state.ts';
import { describe, expect, test } from 'vitest';
import { checkRules } from '../../config/rules.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { noiseOf } from '../../envs/perturb/pay.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { createRun } from '../run.ts';
import { Snapshots } from '../../lab/snapshot.ts';
import { makeCpuPolicy } from './policy.ts';
import { rolloutReplica } from './rollout.ts';
import { initialState } from '../state.ts';

type Changes = Readonly<Record<string, unknown>>;
const small = { 'run.seeds': 2, 'run.backend': 'cpu', 'rollout.tasksPerBatch': 2, 'analysis.evalEvery': 0 };
const OFF = { 'task.actionDelay': 0, 'task.rewardDelay': 0, 'task.obsNoise': 0, 'task.rewardNoise': 0 };

async function digestOf(changes: Changes): Promise<string> {
  const run = must(await createRun(configWith({ ...small, ...changes })));
  for (let u = 0; u < 4; u++) await run.submit();
  return (await run.digest()).all;
}

// Digests of four updates from before there were perturbations.
test.each([
  [{}, '4bff75f9c61838bbceb0e66b4b0aa6a7d4537b52073eaa37cc70feddec715175'],
  [
    { 'task.grid.level': 'frozenLake4', 'policy.method': 'tabular' },
    '35046cd5edadc6392e6bc0b04a8d90e5e90e02c3e0f653f1d7cc2a2914ad4bd0',
  ],
  [
    { 'task.method': 'sokoban', 'advantage.method': 'grpo' },
    'f421a81002dfff5a09afc91c1b687f755130ef1c12ec12324890a9bb0ad6417e',
  ],
  [
    { 'task.method': 'textmaze', 'advantage.method': 'rloo' },
    '82d18bd07401d82f9291212a0f5e9d3c83e9b12b02ad27e9da9aedd3c8bb14d6',
  ],
])('with everything off a run is what it always was, bit for bit: %o', async (changes, digest) => {
  expect(await digestOf({ ...changes, ...OFF })).toBe(digest);
});

/** One rollout of all replicas with the first weights. */
function roll(changes: Changes): { plan: Plan; arrays: Arrays; seeds: Uint32Array } {
  const plan = must(makePlan(configWith({ ...small, ...changes })));
  const arrays = makeArrays(plan);
  const tasks = makeTasks(plan, 0, 'train');
  const theta = thetaOf(initialState(plan));
  const policy = makeCpuPolicy(plan);
  for (let s = 0; s < plan.S; s++)
    expect(rolloutReplica(plan, arrays, { policy, theta, tasks, mode: 'train' }, s)).toBe(true);
  return { plan, arrays, seeds: tasks.episodeSeed };
}

const PAID = { 'task.grid.level': 'bonusRoom', 'reward.grid.step': -7, 'reward.grid.invalid': -31 };

describe('rewards', () => {
  test('a delay moves rewards inside the episode and touches nothing else', () => {
    const { plan, arrays: now } = roll(PAID);
    const { arrays: late } = roll({ ...PAID, 'task.rewardDelay': 3 });
    expect(late.action).toEqual(now.action);
    expect(late.obs).toEqual(now.obs);
    expect(late.stateKey).toEqual(now.stateKey);
    expect(late.outcome).toEqual(now.outcome);
    expect(late.success).toEqual(now.success);
    expect(late.rewardMilli).not.toEqual(now.rewardMilli);
    for (let row = 0; row < plan.S * plan.B; row++) {
      for (let t = 0; t < now.length[row]! - 1; t++) {
        const from = row * plan.T + t;
        expect(late.rewardMilli[from]).toBe(t < 3 ? 0 : now.rewardMilli[from - 3]);
        expect(late.reward[from]).toBe(Math.fround(late.rewardMilli[from]! * Math.fround(0.001)));
      }
      for (let t = now.length[row]!; t < plan.T; t++) expect(late.reward[row * plan.T + t]).toBe(0);
    }
  });

  test('noise is added to the reward of every step, and delayed with it', () => {
    const { plan, arrays: calm } = roll(PAID);
    const { arrays, seeds } = roll({ ...PAID, 'task.rewardNoise': 0.5 });
    const { arrays: both } = roll({ ...PAID, 'task.rewardNoise': 0.5, 'task.rewardDelay': 2 });
    expect(arrays.action).toEqual(calm.action);
    expect(arrays.success).toEqual(calm.success);
    for (let row = 0; row < plan.S * plan.B; row++) {
      let sum = 0;
      for (let t = 0; t < calm.length[row]!; t++) {
        const k = row * plan.T + t;
        expect(arrays.rewardMilli[k]).toBe(calm.rewardMilli[k]! + noiseOf(500, seeds[row]!, t));
        sum += arrays.rewardMilli[k]!;
        if (t >= 2 && t + 1 < calm.length[row]!) expect(both.rewardMilli[k]).toBe(arrays.rewardMilli[k - 2]);
      }
      expect(arrays.outcome[row]).toBe(Math.fround(sum * Math.fround(0.001)));
      expect(both.outcome[row]).toBe(arrays.outcome[row]);
    }
  });
});

test('noise in the observation hides some bits of each step and shows none that are not there', () => {
  const { plan, arrays: calm } = roll({ 'task.grid.level': 'bonusRoom' });
  const { arrays } = roll({ 'task.grid.level': 'bonusRoom', 'task.obsNoise': 128 });
  // the first observation of every episode is of the same state
  let hidden = 0;
  for (let row = 0; row < plan.S * plan.B; row++) {
    const at = row * (plan.T + 1) * plan.obsWords;
    for (let w = at; w < at + plan.obsWords; w++) {
      expect(arrays.obs[w]! & ~calm.obs[w]!).toBe(0);
      if (arrays.obs[w] !== calm.obs[w]) hidden++;
    }
  }
  // the room is empty but for one bonus and the goal: half of the time each is hidden
  expect(hidden).toBeGreaterThan(plan.S * plan.B * 0.3);
});

test('a delayed run learns from states with their queue, on every environment', async () => {
  for (const method of ['grid', 'sokoban', 'textmaze']) {
    const { plan, arrays } = roll({ 'task.method': method, 'task.actionDelay': 2 });
    expect(plan.env.words).toBe({ grid: 8, sokoban: 11, textmaze: 5 }[method]);
    const at = 2 * plan.env.words;
    expect(arrays.state[at]).toBe(arrays.action[0]! | (arrays.action[1]! << 8));
    expect(await digestOf({ 'task.method': method, 'task.actionDelay': 2 })).not.toBe(
      await digestOf({ 'task.method': method }),
    );
  }
});

describe('exact credit', () => {
  async function exactOf(changes: Changes): Promise<Float32Array | null> {
    const run = must(
      await createRun(configWith({ ...small, 'task.grid.level': 'corridor', 'task.grid.n': 4, ...changes })),
    );
    await run.submit();
    return (await new Snapshots().make(run, 0)).exact;
  }

  test('stays with delayed actions and noisy rewards', async () => {
    expect((await exactOf({}))!.some((x) => x !== 0)).toBe(true);
    const late = (await exactOf({ 'task.actionDelay': 1 }))!;
    expect(late.some((x) => x !== 0)).toBe(true);
    expect((await exactOf({ 'task.rewardNoise': 1 }))!.some((x) => x !== 0)).toBe(true);
  });

  test('is off where values depend on more than the state', async () => {
    expect(await exactOf({ 'task.rewardDelay': 1 })).toBeNull();
    expect(await exactOf({ 'task.obsNoise': 1 })).toBeNull();
    expect(await exactOf({ 'task.grid.noisyTiles': true })).toBeNull();
  });
});

test.each([[{ 'policy.method': 'tabular' }], [{ 'task.grid.view': 'index' }]])(
  'the number of a state cannot be blanked, and both check and run say so: %o',
  (changes) => {
    const config = configWith({ ...changes, 'task.obsNoise': 9 });
    const plan = makePlan(config);
    expect(!plan.ok && plan.problem).toMatchObject({ issues: [{ path: 'task.obsNoise' }] });
    const [issue] = checkRules(config);
    expect(issue).toMatchObject({ path: 'task.obsNoise', severity: 'error' });
    expect(makePlan(configWith({ 'task.obsNoise': issue!.repair!.set[0]!.value }, config)).ok).toBe(true);
  },
);
