import { replicasOf, tensorsOf, thetaOf, type Tensors } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { SAFE_STATE, SafeController, type SafeSettings } from '../slots/objective/safe.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan } from './plan.ts';
import { Run } from './run.ts';

/** A table whose policy is soon far from the reference. */
const KICKED = {
  'task.grid.level': 'bonusRoom',
  'reward.grid.step': -7,
  'run.seeds': 2,
  'policy.method': 'tabular',
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'optimizer.learningRate': 0.5,
  'control.safe.on': true,
};
const CALM = { ...KICKED, 'optimizer.learningRate': 1e-4 };

async function begin(changes: Record<string, unknown>): Promise<Run> {
  const plan = must(makePlan(configWith(changes)));
  return Run.create(plan, makeCpuBackend);
}

type Shown = { readonly metrics: Float64Array; readonly safe: Tensors };

async function train(run: Run, updates: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let u = 0; u < updates; u++) {
    const { metrics } = await run.submit();
    shown.push({ metrics, safe: tensorsOf((await run.backend.save()).tensors, 'safe') });
  }
  return shown;
}

async function submitAll(run: Run, updates: number): Promise<void> {
  for (let u = 0; u < updates; u++) await run.submit();
}

const of = ({ metrics }: Shown, id: MetricId, s: number): number => metrics[s * METRICS + metricIndex[id]]!;

test('threshold and weight are those of the definition, fed with what the updates before measured', async () => {
  const run = await begin(KICKED);
  const shown = await train(run, 60);
  const settings: SafeSettings = {
    ...{ baseThreshold: 0.3, kp: 0.3, ki: 0.01, kd: 0.05, targetVelocity: 0.001 },
    entropyFloor: 0.35 * Math.log(run.plan.actions),
  };
  for (const s of [0, 1]) {
    const definition = new SafeController(settings);
    const thresholds = new Set<number>();
    let slope = 0;
    for (const now of shown) {
      expect(of(now, 'klCoef', s)).toBeCloseTo(slope, 14);
      const step = definition.step(of(now, 'klRef', s), of(now, 'entropy', s), of(now, 'returnMean', s));
      expect(now.safe['threshold']![s]).toBeCloseTo(step.threshold, 14);
      for (const [id, value] of [
        ['klShort', step.klShort],
        ['safeThreshold', step.threshold],
        ['safePhase', step.phase],
        ['safePenalty', step.penalty],
      ] as const)
        expect(of(now, id, s), id).toBeCloseTo(value, 14);
      thresholds.add(step.threshold);
      slope = step.slope;
    }
    expect(thresholds.size).toBeGreaterThan(50);
  }
});

test('a kick opens the gate and changes the run; a calm run pays nothing and is the run without a KL term', async () => {
  const kicked = await begin(KICKED);
  const shown = await train(kicked, 25);
  expect(of(shown[0]!, 'klCoef', 0)).toBe(0);
  expect(of(shown.at(-1)!, 'klRef', 0)).toBeGreaterThan(0.6);
  expect(of(shown.at(-1)!, 'klCoef', 0)).toBeGreaterThan(0);
  const thetaAfter = async (changes: Record<string, unknown>): Promise<Float32Array> => {
    const run = await begin(changes);
    await submitAll(run, 25);
    return thetaOf(await run.backend.save());
  };
  const free = { 'control.safe.on': false };
  expect(thetaOf(await kicked.backend.save())).not.toEqual(await thetaAfter({ ...KICKED, ...free }));
  const calm = await begin(CALM);
  for (const now of await train(calm, 25)) {
    expect(of(now, 'klCoef', 1)).toBe(0);
    expect(of(now, 'klRef', 1)).toBeLessThan(0.1);
    expect(of(now, 'safePenalty', 1)).toBe(0);
  }
  expect(thetaOf(await calm.backend.save())).toEqual(await thetaAfter({ ...CALM, ...free }));
});

test('a run under SAFE resumes exactly while it pays, and a replica among others is the replica alone', async () => {
  const run = await begin(KICKED);
  await submitAll(run, 20);
  const middle = await run.checkpoint();
  expect(middle.state.tensors['safe.memory'].length).toBe(2 * SAFE_STATE);
  expect(middle.state.tensors['safe.slope'][1]).toBeGreaterThan(0);
  await submitAll(run, 6);
  const again = await Run.create(run.plan, makeCpuBackend, middle);
  await submitAll(again, 6);
  const whole = (await run.checkpoint()).state;
  expect((await again.checkpoint()).state).toEqual(whole);
  const alone = await begin({ ...KICKED, 'run.seeds': 1, 'run.seed': run.plan.seeds[1]! });
  await submitAll(alone, 26);
  expect((await alone.checkpoint()).state).toEqual(replicasOf(whole, 2, 1, 1));
});

test('the step preview keeps 0.5 / KL of the first step that leads beyond 0.5, and leaves a calm run alone', async () => {
  const preview = { 'control.stepPreview.on': true, 'run.backend': 'cpu' };
  const free = await train(await begin(KICKED), 20);
  const run = await begin({ ...KICKED, ...preview });
  const shown = await train(run, 20);
  for (const s of [0, 1]) {
    const first = free.findIndex((now) => of(now, 'klRef', s) > 0.5);
    for (let u = 0; u < first; u++) expect(of(shown[u]!, 'stepKept', s)).toBe(1);
    // until then both were one run, and an update is one step
    expect(of(shown[first]!, 'stepKept', s)).toBeCloseTo(0.5 / of(free[first]!, 'klRef', s), 6);
    expect(of(shown[first]!, 'klRef', s)).toBeLessThan(of(free[first]!, 'klRef', s));
    expect(of(free[first]!, 'stepKept', s)).toBeNaN();
  }
  const alone = await begin({ ...KICKED, ...preview, 'run.seeds': 1, 'run.seed': run.plan.seeds[1]! });
  await submitAll(alone, 20);
  expect((await alone.checkpoint()).state).toEqual(replicasOf((await run.checkpoint()).state, 2, 1, 1));
  const [calm, plain] = [await begin({ ...CALM, ...preview }), await begin(CALM)];
  await submitAll(calm, 5);
  await submitAll(plain, 5);
  expect((await calm.checkpoint()).state).toEqual((await plain.checkpoint()).state);
});

test('a saved controller goes on as if it had never been saved, also past two windows of rewards', () => {
  const settings: SafeSettings = {
    baseThreshold: 0.3,
    entropyFloor: 0.5,
    kp: 0.3,
    ki: 0.01,
    kd: 0.05,
    targetVelocity: 0,
  };
  const whole = new SafeController(settings);
  const memory = new Float64Array(SAFE_STATE);
  const phases = new Set<number>();
  for (let k = 0; k < 260; k++) {
    const [kl, entropy, reward] = [k / 100, 1 / (1 + k), Math.min(0.9, k / 150)];
    const parts = new SafeController(settings);
    parts.load(memory);
    const step = whole.step(kl, entropy, reward);
    expect(parts.step(kl, entropy, reward)).toEqual(step);
    parts.save(memory);
    phases.add(step.phase);
  }
  expect([...phases]).toEqual([0, 2, 1, 3]);
});
