import { replicasOf } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex, METRICS, type MetricId } from '../slots/metrics/metrics.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, type Plan } from './plan.ts';
import { replayUpdate } from '../lab/replay.ts';
import { Run } from './run.ts';
import type { AnyValues } from '../core/settings.ts';
import { BoundedQueue, queueSettingsOf } from '../slots/rollout/versions/queue/boundedQueue.ts';
import { Snapshots } from '../lab/snapshot.ts';

const QUEUE = {
  'task.grid.level': 'bonusRoom',
  'reward.grid.step': -7,
  'run.seeds': 2,
  'rollout.tasksPerBatch': 4,
  'rollout.groupSize': 2,
  'rollout.staleness': 3,
  'rollout.ages': 'queue',
  'rollout.generators': 6,
  'policy.mlp.hidden': [16],
  'optimizer.learningRate': 0.02,
  'analysis.evalEvery': 0,
};

function queuePlan(changes: Record<string, unknown> = {}): Plan {
  return must(makePlan(configWith({ ...QUEUE, ...changes })));
}

async function trained(plan: Plan, updates: number): Promise<{ run: Run; metrics: Float64Array[] }> {
  const run = await Run.create(plan, makeCpuBackend);
  const metrics: Float64Array[] = [];
  for (let u = 0; u < updates; u++) metrics.push((await run.submit()).metrics);
  return { run, metrics };
}

const of = (metrics: Float64Array, s: number, id: MetricId): number => metrics[s * METRICS + metricIndex[id]]!;

test.each([
  ['drawn times', {}],
  ['times of the longest episodes', { 'rollout.timeBy': 'lengths', 'rollout.publishEvery': 2 }],
])(
  '%s: a run can be stopped and gone on with, played again, looked back at, and be a replica among others',
  async (_, changes) => {
    const planOf = (more: Record<string, unknown> = {}): Plan => queuePlan({ ...changes, ...more });
    const plan = planOf();
    const { run: whole } = await trained(plan, 5);
    const middle = await whole.checkpoint();
    const shown = await new Snapshots().make(whole, 1);
    for (let u = 5; u < 9; u++) await whole.submit();
    const { state } = await whole.checkpoint();
    const again = await Run.create(planOf(), makeCpuBackend, middle);
    for (let u = 5; u < 9; u++) await again.submit();
    expect((await again.checkpoint()).state).toEqual(state);
    const { run: twin } = await trained(planOf(), 9);
    expect((await twin.checkpoint()).chain).toEqual((await whole.checkpoint()).chain);
    const { run: alone } = await trained(planOf({ 'run.seeds': 1, 'run.seed': plan.seeds[1]! }), 9);
    expect((await alone.checkpoint()).state).toEqual(replicasOf(state, 2, 1, 1));
    const { run: start } = await trained(plan, 4);
    const looked = await replayUpdate(whole, await start.checkpoint(), 1, new Snapshots());
    expect(looked.action).toEqual(shown.action);
    expect(looked.ages).toEqual(shown.ages);
  },
);

test('what is measured: no unit above the bound, the clock of the simulation, and ages as the histogram shows them', async () => {
  const plan = queuePlan();
  const run = await Run.create(plan, makeCpuBackend);
  const snapshots = new Snapshots();
  const clock = new BoundedQueue(queueSettingsOf(configWith(QUEUE).rollout as AnyValues), plan.seeds[1]!);
  const all = new Set<number>();
  for (let u = 0; u < 12; u++) {
    const { metrics } = await run.submit();
    const { ages } = await snapshots.make(run, 1);
    const queue = clock.at(u);
    expect(of(metrics, 1, 'staleOver')).toBe(0);
    expect(of(metrics, 1, 'simTime')).toBe(queue.end);
    expect(of(metrics, 1, 'throughput')).toBe(((u + 1) * 8) / queue.end);
    expect(of(metrics, 1, 'speedUp')).toBeGreaterThanOrEqual(1);
    const units = [...ages!.units];
    const n = units.reduce((a, b) => a + b);
    expect(ages!.bound).toBe(3);
    expect(units).toHaveLength(5);
    expect(units[4]).toBe(0);
    expect(units.findLastIndex((k) => k > 0)).toBe(of(metrics, 1, 'stalenessMax'));
    expect(of(metrics, 1, 'staleness')).toBeCloseTo(units.reduce((sum, k, age) => sum + k * age, 0) / n, 12);
    units.forEach((k, age) => k > 0 && all.add(age));
  }
  expect(all.size).toBeGreaterThan(2);
});

test('with staleness 0 the queue trains as a fresh run does, bit for bit, and only its clock is new', async () => {
  const { run: queue, metrics } = await trained(queuePlan({ 'rollout.staleness': 0 }), 4);
  const { run: fresh } = await trained(queuePlan({ 'rollout.staleness': 0, 'rollout.ages': 'fixed' }), 4);
  expect((await queue.checkpoint()).state).toEqual((await fresh.checkpoint()).state);
  expect(metrics.map((m) => of(m, 0, 'speedUp'))).toEqual([1, 1, 1, 1]);
  expect(metrics.map((m) => of(m, 0, 'stalenessMax'))).toEqual([0, 0, 0, 0]);
});

test('weights taken over in mid-episode are younger on average than those that a group began with', async () => {
  const ages = [];
  for (const interrupt of [true, false]) {
    const { metrics } = await trained(queuePlan({ 'rollout.interrupt': interrupt }), 10);
    ages.push(metrics.reduce((sum, m) => sum + of(m, 0, 'staleness') + of(m, 1, 'staleness'), 0) / 20);
  }
  expect(ages[0]).toBeLessThan(ages[1]!);
});

test('with times of the longest episodes, the clock is told what was played', async () => {
  const plan = queuePlan({ 'rollout.timeBy': 'lengths', 'run.seeds': 1, 'rollout.staleness': 0 });
  const run = await Run.create(plan, makeCpuBackend);
  let time = 0;
  for (let u = 0; u < 4; u++) {
    const { metrics } = await run.submit();
    const { batch } = await run.backend.view(0);
    // playTime 2: a whole episode of T steps
    time += 1 + (2 * Math.max(...batch.length)) / plan.T;
    expect(of(metrics, 0, 'simTime')).toBeCloseTo(time, 9);
    expect(of(metrics, 0, 'speedUp')).toBeCloseTo(1, 9);
    expect(of(metrics, 0, 'queueLength')).toBeNaN();
  }
});

test('mixed lengths: with overlap forty updates take less than half of the simulated time', async () => {
  const timeOf = async (id: string): Promise<number> => {
    const { metrics } = await trained(must(makePlan(presetConfig(presetById(id)!))), 40);
    return of(metrics.at(-1)!, 0, 'simTime') + of(metrics.at(-1)!, 1, 'simTime');
  };
  const [overlap, none] = [await timeOf('mixed-lengths'), await timeOf('mixed-lengths-0')];
  // no less than one training step for an update
  expect(overlap).toBeGreaterThan(80);
  expect(none).toBeGreaterThan(2 * overlap);
});
