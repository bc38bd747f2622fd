import { replicasOf, thetaOf } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { settledAt, withEvent } from '../config/events.ts';
import { forkConfig } from '../config/fork.ts';
import { configWith } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { must } from '../core/problem.ts';
import { metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan } from './plan.ts';
import { createRun, Run } from './run.ts';

/** Every episode is paid for its length, so that every batch moves the policy. */
const SMALL = {
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 6, 'reward.grid.step': -7, 'policy.mlp.hidden': [5] },
  ...{ 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2, 'run.seeds': 2, 'run.updates': 8, 'run.backend': 'cpu' },
  ...{ 'analysis.evalEvery': 0, 'optimizer.clipNorm': 0 },
};
const NORMALIZED = { ...SMALL, 'optimizer.method': 'normalizedSgd', 'optimizer.learningRate': 0.1 };

const open = async (config: Config): Promise<Run> => must(await createRun(config));

async function trainTo(run: Run, update: number): Promise<Run> {
  while (run.update < update) await run.submit();
  return run;
}

const stateOf = async (run: Run) => (await run.checkpoint()).state;

test.each([
  ['sgd', 0.5],
  ['rmsProp', 0.003],
  ['normalizedSgd', 0.1],
])(
  '%s: its moments survive a pause, a way back and a fork, and a replica alone is the replica among others',
  async (method, rate) => {
    const changes = {
      'optimizer.method': method,
      'optimizer.learningRate': rate,
      [`optimizer.${method}.momentum`]: 0.5,
    };
    const config = configWith({ ...SMALL, ...changes });
    const run = await trainTo(await open(config), 4);
    const middle = await run.checkpoint();
    expect(middle.state.tensors.m.some((x) => x !== 0)).toBe(true);
    const end = await stateOf(await trainTo(run, 8));
    expect(await stateOf(await trainTo(await Run.create(run.plan, makeCpuBackend, middle), 8))).toEqual(end);
    await run.restore(middle);
    expect(await stateOf(await trainTo(run, 8))).toEqual(end);
    const alone = await open(configWith({ 'run.seeds': 1, 'run.seed': run.plan.seeds[1]! }, config));
    expect(await stateOf(await trainTo(alone, 8))).toEqual(replicasOf(end, 2, 1, 1));
    // a fork that keeps the optimizer keeps its moments: its own link trains the same
    const fork = forkConfig(config, 4, configWith({ 'rollout.groupSize': 5 }, settledAt(config, 4)));
    const child = await Run.create(must(makePlan(fork)), makeCpuBackend, middle);
    const forked = await stateOf(await trainTo(child, 8));
    expect(await stateOf(await trainTo(await open(fork), 8))).toEqual(forked);
    expect(thetaOf(forked)).not.toEqual(thetaOf(end));
  },
);

const at = (run: Run, u: number, id: MetricId, s = 0): number => run.series.at(u, s, metricIndex[id]);

test('a step of normalized SGD has the length of the rate in force, also after a live change and with any limit', async () => {
  const config = withEvent(configWith(NORMALIZED), { update: 2, path: 'optimizer.learningRate', value: 0.04 });
  const run = await trainTo(await open(config), 4);
  [0.1, 0.1, 0.04, 0.04].forEach((rate, u) => expect(at(run, u, 'updateNorm')).toBeCloseTo(rate, 5));
  const limited = await trainTo(await open(configWith({ 'optimizer.clipNorm': 0.01 }, config)), 4);
  expect(at(limited, 0, 'gradNorm')).toBeGreaterThan(0.01);
  expect(at(limited, 0, 'updateNorm')).toBeCloseTo(0.1, 5);
});

test('the step scale of VCPO shortens a step of normalized SGD, and so does what the step preview keeps', async () => {
  const old = { 'objective.method': 'vcpo', 'rollout.staleness': 4, 'optimizer.learningRate': 0.5 };
  const share = async (rule: string): Promise<number> => {
    const run = await trainTo(await open(configWith({ ...NORMALIZED, ...old, 'objective.vcpo.rule': rule })), 2);
    expect(at(run, 0, 'updateNorm')).toBeCloseTo(0.5, 5);
    return at(run, 1, 'updateNorm') / 0.5;
  };
  // the first batch is fresh, so that all three are the same run until the second
  const linear = await share('linear');
  expect(linear).toBeLessThan(0.95);
  expect(await share('sqrt')).toBeCloseTo(Math.sqrt(linear), 5);
  expect(await share('off')).toBeCloseTo(1, 5);

  const long = { 'control.stepPreview.on': true, 'optimizer.learningRate': 20 };
  const cut = await trainTo(await open(configWith({ ...NORMALIZED, ...long })), 1);
  expect(at(cut, 0, 'stepKept')).toBeLessThan(0.9);
  expect(at(cut, 0, 'updateNorm') / (20 * at(cut, 0, 'stepKept'))).toBeCloseTo(1, 5);
});
