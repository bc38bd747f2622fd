import { replicasOf, thetaOf } from '../contract/state.ts';
import { beforeAll, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { SOFT_MIN_ALPHA, softMin, type ValueMode } from '../core/value.ts';
import { must } from '../core/problem.ts';
import { layoutOf } from '../networks/dense/shape.ts';
import { denseOf, networkOf, prepareNetwork } from '../networks/policy.ts';
import { makeArrays } from './arrays.ts';
import type { UpdateRecord } from './backend.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { emptyTally, makeCpuPolicy } from './cpu/policy.ts';
import { makePlan, makeTasks } from './plan.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { Run } from './run.ts';
import { train } from './sampleRun.ts';
import { initialState } from './state.ts';

// policies are made here without a run
beforeAll(async () => void (await prepareNetwork(networkOf('transformer'))));

const SMALL = {
  'advantage.method': 'gae',
  'policy.critics': 'double',
  'policy.mlp.hidden': [12],
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 4,
  'run.seeds': 2,
  'objective.epochs': 2,
  'objective.valueLoss': 'mean',
  'objective.valueHuber': 0.5,
};
const WORDS = {
  'task.method': 'textmaze',
  'task.textmaze.maxSteps': 4,
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.heads': '2',
  'policy.transformer.layers': 1,
  'policy.transformer.hidden': 8,
  'rollout.tasksPerBatch': 2,
};

function planOf(changes: Record<string, unknown>) {
  return must(makePlan(configWith({ ...SMALL, ...changes })));
}

const begin = (changes: Record<string, unknown> = {}): Promise<Run> => Run.create(planOf(changes), makeCpuBackend);

const of = ({ metrics }: UpdateRecord, id: MetricId, s: number): number => metrics[s * METRICS + metricIndex[id]]!;

test('one more output column, and nothing else moves', () => {
  const { shape } = denseOf(planOf({}));
  expect(layoutOf(shape).widths.at(-1)).toBe(shape.actions + 2);
  expect(denseOf(planOf({ 'policy.critics': 'one' })).layout.widths.at(-1)).toBe(shape.actions + 1);
  expect(denseOf(planOf({ 'advantage.method': 'grpo' })).layout.widths.at(-1)).toBe(shape.actions);
});

/** Both values of every step of a batch and the numbers that are kept of them; then the weights are moved. */
function sampled(changes: Record<string, unknown>) {
  const plan = planOf({ 'run.seeds': 1, ...changes });
  const theta = thetaOf(initialState(plan));
  const arrays = makeArrays(plan);
  const policy = makeCpuPolicy(plan);
  rolloutReplica(plan, arrays, { policy, theta, tasks: makeTasks(plan, 0, 'train'), mode: 'train' }, 0);
  const steps: number[] = [];
  for (let i = 0; i < plan.B; i++) for (let t = 0; t < arrays.length[i]!; t++) steps.push(i * plan.T + t);
  return { plan, theta, arrays, policy, steps };
}

test.each([
  ['dense', {}],
  ['transformer', WORDS],
])('%s: what estimators read is the soft minimum of both values', (_, changes) => {
  const { arrays, steps } = sampled(changes);
  for (const k of steps) {
    const [V1, V2] = [arrays.valueHeads[2 * k]!, arrays.valueHeads[2 * k + 1]!];
    expect(arrays.value[k]).toBe(Math.fround(softMin(V1, V2, SOFT_MIN_ALPHA).V));
  }
  expect(steps.some((k) => arrays.valueHeads[2 * k] !== arrays.valueHeads[2 * k + 1])).toBe(true);
});

const forms: readonly [string, ValueMode, number, number, Record<string, unknown>][] = [
  ['squares', 'plain', 0.2, 0, {}],
  ['larger', 'max', 0.02, 0, {}],
  ['mean with Huber', 'mean', 0.02, 0.1, {}],
  ['mean with Huber, words', 'mean', 0.02, 0.1, WORDS],
];

test.each(forms)('finite differences of both value losses by every weight: %s', (_, mode, clip, delta, changes) => {
  const { plan, theta, arrays, policy, steps } = sampled({
    'objective.valueLoss': mode,
    'objective.valueClip': clip,
    'objective.valueHuber': delta,
    'objective.valueCoef': 1,
    ...changes,
  });
  // away from where the batch was sampled, so that the clip has something to do
  for (let k = 0; k < theta.length; k++) theta[k]! += theta[k]! === 0 ? 0 : 0.03 * Math.sin(k);
  const n = Math.min(policy.chunk, steps.length, 9);
  const step = Int32Array.from(steps.slice(0, n));
  const weight = Float64Array.from(step, (_k, i) => 1 / (2 + i));
  const target = new Float32Array(plan.B * plan.T).map((_x, k) => Math.sin(3 * k));
  const A = new Float32Array(plan.B * plan.T);
  const learn = (gradient: Float32Array | null): number => {
    const tally = emptyTally();
    const common = { arrays, theta, reference: theta, A, target, s: 0, live: plan.live, gradient, tally };
    policy.learn({ ...common, delta: new Float32Array(plan.B * plan.T) }, step, weight, n);
    return 2 * tally.valueLoss; // the mean over both is what is reported
  };
  const gradient = new Float32Array(plan.layout.size);
  learn(gradient);
  const h = 2e-3;
  let checked = 0;
  const moving = Array.from(gradient.keys()).filter((k) => Math.abs(gradient[k]!) > 1e-3);
  for (let j = 0; j < moving.length; j += Math.ceil(moving.length / 50)) {
    const k = moving[j]!;
    const was = theta[k]!;
    const at = (d: number): number => {
      theta[k] = was + d;
      const value = learn(null);
      theta[k] = was;
      return value;
    };
    const [up, here, down] = [at(h), at(0), at(-h)];
    // a corner of the clip or of the Huber form lies between
    if (Math.abs(up - 2 * here + down) > 20 * h * h) continue;
    const slope = (up - down) / (Math.fround(was + h) - Math.fround(was - h));
    expect(Math.abs(slope - gradient[k]!), `weight ${k}`).toBeLessThan(2e-3 + 1e-2 * Math.abs(slope));
    checked++;
  }
  expect(checked).toBeGreaterThan(20);
});

test('the gap of both values falls while they learn, and there is none without a second', async () => {
  const records = await train(await begin({ 'optimizer.learningRate': 0.01 }), 40);
  for (const s of [0, 1]) {
    const late = records.slice(-5).map((r) => of(r, 'criticGap', s));
    expect(Math.max(...late)).toBeLessThan(0.3 * of(records[0]!, 'criticGap', s));
  }
  const one = await train(await begin({ 'policy.critics': 'one' }), 1);
  expect(of(one[0]!, 'criticGap', 0)).toBeNaN();
});

test('a run with two values resumes exactly, and a replica among others is the replica alone', async () => {
  const run = await begin();
  await train(run, 3);
  const middle = await run.checkpoint();
  await train(run, 3);
  const again = await Run.create(run.plan, makeCpuBackend, middle);
  await train(again, 3);
  const whole = (await run.checkpoint()).state;
  expect((await again.checkpoint()).state).toEqual(whole);
  const alone = await begin({ 'run.seeds': 1, 'run.seed': run.plan.seeds[1]! });
  await train(alone, 6);
  expect((await alone.checkpoint()).state).toEqual(replicasOf(whole, 2, 1, 1));
});

test('each value is held near its own old value: where it has not moved the tightest clip does nothing', () => {
  const gradientOf = (mode: string): Float32Array => {
    const { plan, theta, arrays, policy, steps } = sampled({
      'objective.valueClip': 1e-4,
      'objective.valueLoss': mode,
    });
    const gaps = steps.map((k) => Math.abs(arrays.valueHeads[2 * k]! - arrays.valueHeads[2 * k + 1]!));
    expect(Math.min(...gaps)).toBeGreaterThan(2e-4);
    const gradient = new Float32Array(plan.layout.size);
    const target = new Float32Array(plan.B * plan.T).fill(0.7);
    const rest = { s: 0, live: plan.live, gradient, tally: emptyTally(), delta: new Float32Array(plan.B * plan.T) };
    const A = new Float32Array(plan.B * plan.T);
    const step = Int32Array.from(steps.slice(0, policy.chunk));
    policy.learn(
      { arrays, theta, reference: theta, A, target, ...rest },
      step,
      new Float64Array(step.length).fill(0.1),
      step.length,
    );
    return gradient;
  };
  const free = gradientOf('plain');
  expect(free.some((g) => g !== 0)).toBe(true);
  expect(gradientOf('max')).toEqual(free);
  expect(gradientOf('mean')).toEqual(free);
});
