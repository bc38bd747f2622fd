import { replicasOf, thetaOf } from '../contract/state.ts';
import { describe, expect, test } from 'vitest';
import { configWith, defaultConfig } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex, METRICS } from '../slots/metrics/metrics.ts';
import { roundWeights } from '../networks/precision.ts';
import { behaviorOf, versionOf } from './behavior.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { Run } from './run.ts';
import { weightsAt } from './versions.ts';

const SMALL = {
  'task.grid.level': 'bonusRoom',
  'reward.grid.step': -7,
  'run.seeds': 2,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'optimizer.learningRate': 0.02,
  'analysis.evalEvery': 0,
};
const words = {
  'task.method': 'textmaze',
  'policy.method': 'transformer',
  'policy.transformer.width': 16,
  'policy.transformer.layers': 1,
};

function planOf(changes: Record<string, unknown>): Plan {
  return must(makePlan(configWith({ ...SMALL, ...changes })));
}

/** θ before every update, the batch of every update, and the records. */
async function watch(plan: Plan, updates: number) {
  const run = await Run.create(plan, makeCpuBackend);
  const theta: Float32Array[] = [];
  const views = [];
  const metrics: Float64Array[] = [];
  for (let u = 0; u < updates; u++) {
    theta.push(thetaOf(await run.backend.save()));
    metrics.push((await run.submit()).metrics);
    views.push(await run.backend.view(1));
  }
  return { run, theta, views, metrics };
}

/** Four updates old, in episodes of at most 30 steps. */
const at = (changes: Readonly<Record<string, string>>) => ({
  behavior: behaviorOf({ ...defaultConfig().rollout, staleness: 4, ...changes }),
  T: 30,
});

describe('versions', () => {
  test('fixed: k updates old, the first version until there are so many', () => {
    expect([0, 3, 4, 5, 40].map((u) => versionOf(at({}), 1, u, 0, 7))).toEqual([0, 0, 0, 1, 36]);
  });

  test('interrupted: k + 1 equal parts of the step limit, the last one played by the newest', () => {
    const b = at({ ages: 'interrupted' });
    expect([0, 5, 6, 12, 29].map((t) => versionOf(b, 1, 10, 0, t))).toEqual([6, 6, 7, 8, 10]);
  });

  test('mixed: each age 0 … k about equally often, the same for all steps of a group', () => {
    const b = at({ ages: 'mixed' });
    const count = [0, 0, 0, 0, 0];
    for (let u = 100; u < 1100; u++) {
      const version = versionOf(b, 7, u, 3, 0);
      expect(versionOf(b, 7, u, 3, 29)).toBe(version);
      count[u - version]!++;
    }
    // binomial sd of 1000 · 0.2 is 12.6
    for (const n of count) expect(Math.abs(n - 200)).toBeLessThan(5 * 12.6);
  });
});

describe.each([
  ['a dense policy', {}],
  ['written commands', words],
])('%s', (_, kind) => {
  test('old batches are those that the old weights would play, bit for bit', async () => {
    const plan = planOf({ ...kind, 'rollout.staleness': 2 });
    const { theta, views } = await watch(plan, 5);
    const now = planOf(kind);
    for (const [u, view] of views.entries()) {
      const old = theta[Math.max(0, u - 2)]!;
      const backend = await makeCpuBackend(now, {
        update: u,
        steps: 0,
        tensors: { theta: old, reference: old },
      });
      await backend.rollout(makeTasks(now, u, 'train'), 'train');
      await backend.credit();
      const played = await backend.view(1);
      expect(view.batch.action).toEqual(played.batch.action);
      expect(view.batch.logp).toEqual(played.batch.logp);
      expect(view.theta).toEqual(played.theta);
    }
  });

  test('mixed, interrupted and from a queue: every step is what its own version would choose there', async () => {
    for (const ages of ['mixed', 'interrupted', 'queue']) {
      const four = { ...kind, 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 2 };
      const plan = planOf({ ...four, 'rollout.staleness': 3, 'rollout.ages': ages, 'rollout.generators': 6 });
      const { theta, views } = await watch(plan, 6);
      const view = views[5]!;
      const alone = planOf(four);
      /** log π of the steps that a version would play in this update, by version */
      const played = new Map<number, Float32Array>();
      for (let i = 0; i < plan.B; i++) {
        for (let t = 0; t < view.batch.length[i]!; t++) {
          const version = versionOf(plan, plan.seeds[1]!, 5, view.batch.taskIndex[i]!, t);
          if (!played.has(version)) {
            const state = { update: 5, steps: 0, tensors: { theta: theta[version]! } };
            const backend = await makeCpuBackend(alone, state);
            await backend.rollout(makeTasks(alone, 5, 'train'), 'train');
            await backend.credit();
            played.set(version, (await backend.view(1)).batch.logp);
          }
          const { size } = plan.layout;
          expect(weightsAt(view, i, t)).toEqual(theta[version]!.slice(size, 2 * size));
          // the first step of an episode depends on its version alone
          if (t === 0) expect(played.get(version)![i * plan.T]).toBe(view.batch.logp[i * plan.T]);
        }
      }
      expect(played.size).toBeGreaterThan(1);
    }
  });

  test('pause and resume in mid-run give the same bits, and a replica alone is the replica among others', async () => {
    const changes = { ...kind, 'rollout.staleness': 3, 'rollout.ages': 'mixed', 'rollout.rolloutPrecision': 'int4' };
    const plan = planOf(changes);
    const whole = await Run.create(plan, makeCpuBackend);
    for (let u = 0; u < 4; u++) await whole.submit();
    const middle = await whole.checkpoint();
    for (let u = 4; u < 7; u++) await whole.submit();
    const again = await Run.create(plan, makeCpuBackend, middle);
    for (let u = 4; u < 7; u++) await again.submit();
    expect((await again.checkpoint()).state).toEqual((await whole.checkpoint()).state);
    const alone = planOf({ ...changes, 'run.seeds': 1, 'run.seed': plan.seeds[1]! });
    const second = await Run.create(alone, makeCpuBackend);
    for (let u = 0; u < 7; u++) await second.submit();
    expect((await second.checkpoint()).state).toEqual(replicasOf((await whole.checkpoint()).state, 2, 1, 1));
  });
});

test('staleness is measured: 0, 1, 2, 2 updates at k = 2; the effective sample size falls from 1 before the first step', async () => {
  const { metrics } = await watch(planOf({ 'rollout.staleness': 2 }), 4);
  const of = (id: keyof typeof metricIndex): number[] => metrics.map((m) => m[METRICS + metricIndex[id]]!);
  expect(of('staleness')).toEqual([0, 1, 2, 2]);
  const ess = of('essStart');
  expect(ess[0]).toBeCloseTo(1, 6);
  expect(ess[2]).toBeLessThan(1 - 1e-4);
});

test('rounded rollouts are played by rounded weights, and the mismatch grows as bits are taken away', async () => {
  const kl: number[] = [];
  const most: number[] = [];
  for (const precision of ['f16', 'int8', 'int4'] as const) {
    const plan = planOf({ 'rollout.rolloutPrecision': precision });
    const { theta, views, metrics } = await watch(plan, 3);
    const { size } = plan.layout;
    const rounded = new Float32Array(2 * size);
    roundWeights(plan.layout, precision, theta[2]!, size, rounded);
    expect(views[2]!.theta).toEqual(rounded.slice(size));
    kl.push(metrics[2]![METRICS + metricIndex.klMismatch]!);
    most.push(metrics[2]![METRICS + metricIndex.mismatchMax]!);
  }
  expect(kl[0]).toBeGreaterThan(0);
  expect(kl[0]).toBeLessThan(1e-6);
  expect(kl[1]).toBeGreaterThan(kl[0]!);
  expect(kl[2]).toBeGreaterThan(10 * kl[1]!);
  // KL is about E[Δ²] / 2, and the largest is more than the typical one
  most.forEach((x, k) => expect(x).toBeGreaterThan(Math.sqrt(2 * kl[k]!)));
  expect(most[0]).toBeLessThan(0.01);
});

test('with the same rounding in training the batch is fresh again: every ratio starts at 1', async () => {
  const { metrics } = await watch(
    planOf({ 'rollout.rolloutPrecision': 'int4', 'rollout.unifiedPrecision': true, 'objective.epochs': 2 }),
    3,
  );
  expect(metrics[2]![METRICS + metricIndex.klStart]).toBeLessThan(1e-12);
  expect(metrics[2]![METRICS + metricIndex.approxKL]).toBeGreaterThan(1e-9);
});
