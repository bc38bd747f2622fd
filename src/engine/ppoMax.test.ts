import { replicasOf, thetaOf } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { makePaidArrays } from './arrays.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { RUNNING } from '../config/runState.ts';
import { RunningReward } from './cpu/runningReward.ts';
import { makePlan, type Plan } from './plan.ts';
import { Run } from './run.ts';

const SMALL = {
  'advantage.method': 'gae',
  'policy.mlp.hidden': [12],
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 4,
  'run.seeds': 2,
  'objective.epochs': 2,
  'reward.normalize': true,
  'objective.criticWarmup': 2,
};

function planOf(changes: Record<string, unknown>): Plan {
  return must(makePlan(configWith({ ...SMALL, ...changes })));
}

const begin = (changes: Record<string, unknown> = {}): Promise<Run> => Run.create(planOf(changes), makeCpuBackend);

async function train(run: Run, updates: number): Promise<void> {
  for (let u = 0; u < updates; u++) await run.submit();
}

/** A batch of one replica with these returns, each paid in the first of two steps. */
function batchWith(run: Run, returns: readonly number[]) {
  const { B, T } = run.plan;
  const batch = { B, T, length: new Uint32Array(B).fill(2), outcome: Float32Array.from(returns) };
  return { ...batch, reward: new Float32Array(B * T) } as never;
}

test('returns are measured by all returns so far, clipped, and paid at the last step', async () => {
  const run = await begin({ 'reward.normalizeClip': 1.5 });
  const { B, T } = run.plan;
  const running = new RunningReward(run.plan, new Float64Array(2 * RUNNING), makePaidArrays(run.plan));
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    const returns = Array.from({ length: B }, (_, i) => Math.fround(Math.sin(7 * i + round) * (1 + round) + 3));
    seen.push(...returns);
    const mean = seen.reduce((a, b) => a + b, 0) / seen.length;
    const std = Math.sqrt(seen.reduce((a, b) => a + (b - mean) ** 2, 0) / (seen.length - 1));
    const { outcome, reward } = running.pay(batchWith(run, returns), 1);
    let clipped = 0;
    returns.forEach((R, i) => {
      const x = (R - mean) / (std + 1e-6);
      if (Math.abs(x) > 1.5) clipped++;
      expect(outcome[i]).toBeCloseTo(Math.max(-1.5, Math.min(1.5, x)), 5);
      expect([...reward.subarray(i * T, i * T + 3)]).toEqual([0, outcome[i], 0]);
    });
    if (round === 3) expect(clipped).toBeGreaterThan(0);
  }
  expect([...running.state.subarray(0, RUNNING)]).toEqual([0, 0, 0]);
});

test('as long as all returns are equal nothing is paid', async () => {
  const run = await begin();
  const running = new RunningReward(run.plan, new Float64Array(2 * RUNNING), makePaidArrays(run.plan));
  const same = Array.from({ length: run.plan.B }, () => 0.1);
  for (let round = 0; round < 3; round++)
    expect([...running.pay(batchWith(run, same), 0).outcome]).toEqual(same.map(() => 0));
});

test('the estimator sees normalized returns, the curve shows those of the task', async () => {
  const run = await begin({ 'task.grid.level': 'cliff', 'task.grid.w': 4, 'task.grid.h': 2, 'reward.grid.step': -10 });
  const { metrics } = await run.submit();
  const { batch } = await run.backend.view(0);
  expect(Math.min(...batch.outcome)).toBeLessThan(0);
  expect(Math.max(...batch.outcome)).toBeGreaterThan(0);
  expect(Math.max(...batch.outcome.map(Math.abs))).toBeLessThanOrEqual(Math.fround(0.8));
  // the task pays in thousandths, and every step costs ten of them
  const milli = 1000 * run.plan.B * metrics[metricIndex.returnMean]!;
  expect(Math.abs(milli / 10 - Math.round(milli / 10))).toBeLessThan(1e-3);
});

test('in the warm-up the head of the policy rests and that of the critic learns; then both learn', async () => {
  const run = await begin();
  const { actions, layout } = run.plan;
  const head = layout.tensors.find((t) => t.name === 'W2')!;
  const moved = async (before: Float32Array): Promise<{ policy: boolean; critic: boolean }> => {
    const theta = thetaOf(await run.backend.save());
    const differs = (isPolicy: boolean): boolean =>
      Array.from({ length: head.rows * head.cols }, (_, k) => k)
        .filter((k) => k % head.cols < actions === isPolicy)
        .some((k) => theta[head.offset + k] !== before[head.offset + k]);
    return { policy: differs(true), critic: differs(false) };
  };
  const start = thetaOf(await run.backend.save());
  await train(run, 2);
  expect(await moved(start)).toEqual({ policy: false, critic: true });
  const warm = thetaOf(await run.backend.save());
  await train(run, 1);
  expect(await moved(warm)).toEqual({ policy: true, critic: true });
});

test('a warm-up without a critic changes nothing', async () => {
  const after = async (updates: number): Promise<Float32Array> => {
    const run = await begin({ 'advantage.method': 'grpo', 'objective.criticWarmup': updates });
    await train(run, 2);
    return thetaOf(await run.backend.save());
  };
  expect(await after(2)).toEqual(await after(0));
});

test('such a run resumes exactly in its warm-up, and a replica among others is the replica alone', async () => {
  const run = await begin();
  await train(run, 1);
  const middle = await run.checkpoint();
  expect(middle.state.tensors['running'][RUNNING]).toBe(run.plan.B);
  await train(run, 4);
  const again = await Run.create(run.plan, makeCpuBackend, middle);
  await train(again, 4);
  const whole = (await run.checkpoint()).state;
  expect((await again.checkpoint()).state).toEqual(whole);
  const alone = await begin({ 'run.seeds': 1, 'run.seed': run.plan.seeds[1]! });
  await train(alone, 5);
  expect((await alone.checkpoint()).state).toEqual(replicasOf(whole, 2, 1, 1));
});
