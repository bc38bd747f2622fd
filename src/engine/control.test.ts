import { PLAIN_STARTS, StateStore } from '../contract/stateStore.ts';
import { named, replicasOf, thetaOf, type StateSpec } from '../contract/state.ts';
import { describe, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import type { UpdateRecord } from './backend.ts';
import { Control, controlOf, controlState } from './control.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, type Plan } from './plan.ts';
import { Run } from './run.ts';

const SMALL = {
  'task.grid.level': 'bonusRoom',
  'reward.grid.step': -7,
  'run.seeds': 2,
  'policy.method': 'tabular',
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'optimizer.learningRate': 0.05,
  'analysis.evalEvery': 1,
};

function planOf(changes: Record<string, unknown>): Plan {
  return must(makePlan(configWith({ ...SMALL, ...changes })));
}

async function train(
  changes: Record<string, unknown>,
  updates: number,
): Promise<{ run: Run; records: UpdateRecord[] }> {
  const run = await Run.create(planOf(changes), makeCpuBackend);
  const records: UpdateRecord[] = [];
  for (let u = 0; u < updates; u++) records.push(await run.submit());
  return { run, records };
}

const of = (records: readonly UpdateRecord[], id: MetricId, s = 0): number[] =>
  records.map((r) => r.metrics[s * METRICS + metricIndex[id]]!);

const KL = { 'control.adaptiveKl.on': true, 'control.adaptiveKl.target': 0.1, 'control.adaptiveKl.horizon': 10 };
const ENTROPY = {
  'control.entropyTarget.on': true,
  'control.entropyTarget.target': 1.5,
  'control.entropyTarget.gain': 0.1,
};
const FLOOR = {
  ...{ 'control.entropyStep.on': true, 'control.entropyStep.target': 0.6 },
  ...{ 'control.entropyStep.step': 0.02, 'control.entropyStep.least': 0.05, 'control.entropyStep.most': 0.13 },
};
const ONE_SIDED = {
  ...{ 'control.entropyFloor.on': true, 'control.entropyFloor.floor': 0.6 },
  ...{ 'control.entropyFloor.rate': 0.1, 'control.entropyFloor.decay': 0.5 },
};
/** Controllers of one replica at the start of a run. */
function controlWith(changes: Record<string, unknown>): { control: Control; store: StateStore } {
  const settings = controlOf(configWith(changes), 2);
  const spec = Object.assign(
    controlState(settings),
    ...settings.controllers.map(({ module }) => named(module.id, module.state)),
  ) as StateSpec;
  const sizes = { S: 1, parameter: 1, task: 1, row: 1, step: 1, unit: 1, feature: 1, word: 1, taskWord: 1 };
  const store = new StateStore(spec, sizes, { ...PLAIN_STARTS, played: never, unknown: never });
  store.load({ update: 0, steps: 0, tensors: {} });
  return { control: new Control(settings, store), store };
}
const never = (): void => expect.unreachable();
const live = { learningRate: 1, entropyCoef: 0.1, klCoef: 0.5 };
const calm = { update: 0, klRef: 0, entropy: 1, reward: 0, success: NaN, trajectories: 5 };

describe('controllers by hand', () => {
  test('the KL weight grows by at most 0.2·n/horizon while KL is too large, and the slider still scales it', () => {
    const { control } = controlWith(KL);
    control.after(0, live, { ...calm, klRef: 5 });
    expect(control.liveOf(live, 0).klCoef).toBeCloseTo(0.5 * 1.1, 12);
    expect(control.liveOf({ ...live, klCoef: 1 }, 0).klCoef).toBeCloseTo(1.1, 12);
    control.after(0, live, { ...calm, klRef: 0.09 });
    expect(control.liveOf(live, 0).klCoef).toBeCloseTo(0.5 * 1.1 * 0.95, 12);
  });

  test('a batch larger than the horizon counts as one horizon: the KL weight never turns negative', () => {
    const { control } = controlWith(KL);
    // 12 tasks of 512 episodes over a horizon of 10
    for (let u = 0; u < 3; u++) control.after(0, live, { ...calm, trajectories: 6144 });
    expect(control.liveOf(live, 0).klCoef).toBeCloseTo(0.5 * 0.8 ** 3, 12);
  });

  test('the entropy bonus follows the gap, never below 0', () => {
    const { control } = controlWith(ENTROPY);
    control.after(0, live, calm);
    expect(control.liveOf(live, 0).entropyCoef).toBeCloseTo(0.15, 12);
    control.after(0, live, { ...calm, entropy: 40 });
    expect(control.liveOf(live, 0).entropyCoef).toBe(0);
  });

  test('below its floor of entropy a bonus grows step by step up to its bound, and above it there is none', () => {
    const { control } = controlWith(FLOOR);
    const bonus = (entropy: number): number => {
      control.after(0, live, { ...calm, entropy });
      return control.liveOf(live, 0).entropyCoef;
    };
    expect(control.liveOf(live, 0).entropyCoef).toBe(0.1);
    expect(bonus(0.6)).toBeCloseTo(0.12, 12);
    expect(bonus(0.5)).toBeCloseTo(0.13, 12);
    expect(bonus(0.61)).toBe(0);
    // it has shrunk meanwhile
    expect(bonus(0.6)).toBeCloseTo(0.13, 12);
    for (let u = 0; u < 9; u++) expect(bonus(2)).toBe(0);
    expect(bonus(0.1)).toBeCloseTo(0.07, 12);
  });

  test('a one-sided floor raises the bonus by what is missing, never takes from it, and lets it fall back', () => {
    const { control } = controlWith(ONE_SIDED);
    const bonus = (entropy: number): number => {
      control.after(0, live, { ...calm, entropy });
      return control.liveOf(live, 0).entropyCoef;
    };
    // above the floor nothing changes, and at it
    expect([bonus(2), bonus(0.6)]).toEqual([0.1, 0.1]);
    // 0.1 · (0.6 − 0.4) is added, then 0.1 · 0.6
    expect(bonus(0.4)).toBeCloseTo(0.12, 12);
    expect(bonus(0)).toBeCloseTo(0.18, 12);
    // half of what was added goes in every update above the floor
    expect(bonus(1)).toBeCloseTo(0.14, 12);
    expect(bonus(1)).toBeCloseTo(0.12, 12);
    for (let u = 0; u < 60; u++) expect(bonus(1)).toBeGreaterThanOrEqual(0.1);
    expect(bonus(1)).toBeCloseTo(0.1, 12);
  });

  test.each([
    ['the KL weight', KL],
    ['the bonus of a one-sided floor', ONE_SIDED],
    ['the entropy bonus', ENTROPY],
    ['the bonus below a floor', FLOOR],
    ['SAFE', { 'control.safe.on': true }],
  ] as const)('numbers that are not finite do not move %s', (_, changes) => {
    const { control, store } = controlWith(changes);
    control.after(0, live, { ...calm, klRef: 9 });
    const before = store.save();
    control.after(0, live, { ...calm, klRef: NaN, entropy: NaN, reward: NaN });
    expect(store.save()).toEqual(before);
  });

  test('a stalled success resets after 40 updates, and not again within 60', () => {
    const { control } = controlWith({ 'control.resetStalled.on': true });
    const due: number[] = [];
    for (let update = 0; update < 200; update++) {
      const success = Math.min(update, 29) / 64;
      if (control.after(0, live, { ...calm, update, success })) due.push(update);
    }
    // the last gain of 0.02 is at update 28; the second stall counts from the first evaluation after the reset
    expect(due).toEqual([68, 128, 188]);
  });

  test('updates without an evaluation say nothing about progress', () => {
    const { control, store } = controlWith({ 'control.resetStalled.on': true });
    control.after(0, live, { ...calm, update: 0, success: 0.5 });
    expect(store.of('resetStalled.best', 'f64')[0]).toBe(0.5);
    control.after(0, live, { ...calm, update: 1 });
    expect([store.of('resetStalled.best', 'f64')[0], store.of('resetStalled.bestAt', 'f64')[0]]).toEqual([0.5, 0]);
  });

  test.each([
    ['every one of which gains', (u: number) => u / 400, []],
    // the second evaluation, 100 updates later, is the first that can tell
    ['none of which gains', () => 0.5, [100, 300]],
  ])('evaluations 100 updates apart, %s', (_, success, resets) => {
    const { control } = controlWith({ 'control.resetStalled.on': true });
    const due: number[] = [];
    for (let update = 0; update <= 400; update++) {
      const seen = update % 100 === 0 ? success(update) : NaN;
      if (control.after(0, live, { ...calm, update, success: seen })) due.push(update);
    }
    expect(due).toEqual(resets);
  });
});

test('KL stop: fewer steps on a batch, and the policy ends nearer to where it started', async () => {
  const fast = { 'objective.epochs': 8, 'optimizer.learningRate': 0.3, 'objective.method': 'reinforce' };
  const free = await train(fast, 2);
  const held = await train({ ...fast, 'control.klStop.on': true, 'control.klStop.limit': 0.01 }, 2);
  expect(of(held.records, 'approxKL')[0]).toBeLessThan(0.5 * of(free.records, 'approxKL')[0]!);
  const taken = (await held.run.backend.save()).tensors['control.taken'];
  for (const n of taken) {
    expect(n).toBeGreaterThanOrEqual(2);
    expect(n).toBeLessThan(16);
  }
});

test('a reset makes the reference the present policy and clears the optimizer; KL falls to 0', async () => {
  const { run, records } = await train(
    { 'objective.klCoef': 0.05, 'control.resetEvery.on': true, 'control.resetEvery.updates': 3 },
    4,
  );
  expect(of(records, 'resets')).toEqual([0, 0, 1, 1]);
  const { tensors } = await run.backend.save();
  const { reference, theta, m } = tensors;
  expect([...tensors['control.taken']]).toEqual([1, 1]);
  expect(reference).not.toEqual(new Float32Array(reference.length));
  const kl = of(records, 'klRef');
  expect(kl[3]).toBeLessThan(kl[2]! / 2);
  expect(theta).not.toEqual(reference);
  // one step of Adam from clean moments
  expect(m.some((x) => x !== 0)).toBe(true);
});

test('the adaptive weight rises until KL comes down, the entropy bonus until entropy is held', async () => {
  const far = {
    'objective.klCoef': 0.01,
    'control.adaptiveKl.on': true,
    'control.adaptiveKl.target': 0.001,
    'control.adaptiveKl.horizon': 20,
  };
  const { records } = await train(far, 15);
  const beta = of(records, 'klCoef');
  expect(beta.at(-1)!).toBeGreaterThan(beta[0]! * 1.5);
  const held = await train(
    { 'control.entropyTarget.on': true, 'control.entropyTarget.target': 2, 'control.entropyTarget.gain': 0.1 },
    25,
  );
  const free = await train({}, 25);
  expect(of(held.records, 'entropy').at(-1)!).toBeGreaterThan(of(free.records, 'entropy').at(-1)! + 0.02);
});

test('KL in the reward: the estimator sees r − β·Δ, the record keeps the rewards of the task', async () => {
  const changes = { 'objective.klIn': 'reward', 'objective.klCoef': 0.3, 'advantage.method': 'grpo' };
  const { run, records } = await train(changes, 3);
  const plain = await train({ 'advantage.method': 'grpo' }, 1);
  const { batch } = await run.backend.view(0);
  let off = 0;
  for (let k = 0; k < batch.length[0]!; k++)
    off += Math.abs(batch.reward[k]! * 1000 - Math.round(batch.reward[k]! * 1000));
  expect(off).toBeGreaterThan(0.01);
  let sum = 0;
  for (let k = 0; k < batch.length[0]!; k++) sum += batch.reward[k]!;
  expect(batch.outcome[0]).toBeCloseTo(sum, 4);
  // at the first update policy and reference agree: nothing is paid
  expect(of(records, 'returnMean')[0]).toBe(of(plain.records, 'returnMean')[0]);
  expect(of(records, 'klRef')[0]).toBeCloseTo(0, 6);
  expect(Math.abs(of(records, 'klRef')[2]!)).toBeGreaterThan(1e-6);
});

test.each(['exactForward', 'k1', 'k2', 'k3', 'abs'])(
  'the %s penalty trains differently from the exact one',
  async (form) => {
    const changes = { 'objective.klCoef': 2, 'objective.epochs': 2, 'run.seeds': 1 };
    const exact = await (await train(changes, 2)).run.backend.save();
    const other = await (await train({ ...changes, 'objective.klForm': form }, 2)).run.backend.save();
    expect(thetaOf(other)).not.toEqual(thetaOf(exact));
  },
);

test('controlled runs resume exactly, and a replica among others is the replica alone', async () => {
  const changes = {
    ...{
      'objective.klCoef': 0.05,
      'control.adaptiveKl.on': true,
      'control.adaptiveKl.target': 0.01,
      'control.klStop.on': true,
      'control.klStop.limit': 0.02,
      'objective.epochs': 3,
    },
    ...{
      'control.entropyTarget.on': true,
      'control.entropyTarget.target': 1.2,
      'control.resetEvery.on': true,
      'control.resetEvery.updates': 3,
    },
  };
  const { run } = await train(changes, 4);
  const middle = await run.checkpoint();
  for (let u = 0; u < 3; u++) await run.submit();
  const again = await Run.create(run.plan, makeCpuBackend, middle);
  for (let u = 0; u < 3; u++) await again.submit();
  const whole = (await run.checkpoint()).state;
  expect((await again.checkpoint()).state).toEqual(whole);
  const alone = await train({ ...changes, 'run.seeds': 1, 'run.seed': run.plan.seeds[1]! }, 7);
  expect((await alone.run.checkpoint()).state).toEqual(replicasOf(whole, 2, 1, 1));
});
