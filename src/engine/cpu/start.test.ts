import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { makePlan, type Plan } from '../plan.ts';
import { Run, type Checkpoint } from '../run.ts';

import { makeCpuBackend } from './cpuBackend.ts';
import { makeCpuPolicy } from './policy.ts';

const SMALL = {
  'task.grid.level': 'bonusRoom',
  'reward.grid.step': -7,
  'run.seeds': 2,
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 4,
  'optimizer.learningRate': 0.05,
  'analysis.evalEvery': 0,
};
const words = {
  'task.method': 'textmaze',
  'task.textmaze.maxSteps': 5,
  'reward.textmaze.step': -7,
  'reward.textmaze.invalid': -70,
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.layers': 1,
};
const ENTROPIES: readonly MetricId[] = [
  ...(['entropy', 'entropyMarginal', 'infoAS', 'entropyNormalised', 'entropyMost'] as const),
  ...(['entropyToken', 'entropyPlain'] as const),
];

const planOf = (changes: Record<string, unknown>): Plan => must(makePlan(configWith({ ...SMALL, ...changes })));

/** Trains the given number of updates, from a checkpoint if there is one; the last record, of the second seed. */
async function trained(plan: Plan, updates: number, from?: Checkpoint) {
  const run = await Run.create(plan, makeCpuBackend, from);
  let metrics = new Float64Array();
  for (let u = 0; u < updates; u++) metrics = (await run.submit()).metrics as typeof metrics;
  return { run, of: (id: MetricId): number => metrics[METRICS + metricIndex[id]]! };
}

test.each([
  ['steps', {}],
  ['a temperature', { 'rollout.temperature': 2 }],
  ['words', words],
  ['words, one ratio a step', { ...words, 'objective.ratioLevel': 'step' }],
])('while old data are still those of today, the look finds what was sampled, to the bit: %s', async (_, changes) => {
  const fresh = await trained(planOf(changes), 1);
  const old = await trained(planOf({ ...changes, 'rollout.staleness': 3 }), 1);
  for (const id of ENTROPIES) expect(old.of(id), id).toBe(fresh.of(id));
  expect(old.of('entropy')).toBeGreaterThan(0.5);
  expect(old.of('essStart')).toBeCloseTo(1, 9);
  expect(old.of('klStart')).toBeLessThan(1e-12);
});

test('on old data the entropy is that of the policy that trains, at the states of the batch', async () => {
  const plan = planOf({ 'rollout.staleness': 3, 'objective.minibatches': 2 });
  const { run } = await trained(plan, 5);
  const theta = thetaOf(await run.backend.save());
  const record = await run.submit();
  const { batch, state, levelSeeds } = await run.backend.view(1);
  const policy = makeCpuPolicy(plan);
  const { actions, env, T, layout } = plan;
  const mine = theta.slice(layout.size);
  let [now, then, steps] = [0, 0, 0];
  for (let i = 0; i < plan.B; i++) {
    const level = plan.level(levelSeeds[i]!);
    for (let t = 0; t < batch.length[i]!; t++, steps++) {
      const obs = new Uint32Array(plan.obsWords);
      const at = (i * (T + 1) + t) * env.words;
      env.observe(level, state, at, obs, 0);
      const p = new Float32Array(actions);
      policy.probsOf(mine, obs, Uint32Array.of(env.legal(level, state, at)), 1, p);
      for (const x of p) if (x > 0) now -= x * Math.log(x);
      then += batch.entropy[i * T + t]!;
    }
  }
  const entropy = record.metrics[METRICS + metricIndex.entropy]!;
  expect(entropy).toBeCloseTo(now / steps, 6);
  expect(Math.abs(now - then) / steps).toBeGreaterThan(0.01);
});

test.each([
  ['old', { 'rollout.staleness': 2 }],
  ['of several ages', { 'rollout.staleness': 2, 'rollout.ages': 'mixed', 'objective.method': 'decoupled' }],
  ['rounded', { 'rollout.rolloutPrecision': 'int4' }],
  ['words, old', { ...words, 'rollout.staleness': 2 }],
  [
    'under a mask that training does not know',
    { 'objective.method': 'nlpo', 'objective.nlpo.inTraining': false, 'objective.nlpo.topP': 0.5 },
  ],
])('the start is that of the whole batch, in however many minibatches it is learned: %s', async (_, changes) => {
  const { run } = await trained(planOf(changes), 4);
  const middle = await run.checkpoint();
  const one = await trained(planOf(changes), 1, middle);
  const three = await trained(planOf({ ...changes, 'objective.minibatches': 3 }), 1, middle);
  for (const id of ['essStart', 'klStart', ...ENTROPIES] as const) expect(three.of(id), id).toBe(one.of(id));
  expect(one.of('essStart')).toBeLessThan(0.99999);
  expect(one.of('klStart')).toBeGreaterThan(1e-7);
  expect(one.of('infoAS')).toBeGreaterThanOrEqual(-1e-9);
});

test('fresh data are not looked at once more: their start is known where an epoch is one minibatch', async () => {
  expect((await trained(planOf({}), 1)).of('essStart')).toBeCloseTo(1, 9);
  expect((await trained(planOf({ 'objective.minibatches': 3 }), 1)).of('essStart')).toBeNaN();
});
