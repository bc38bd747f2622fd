import { expect, test } from 'vitest';
import { WRITTEN } from '../check/golden/unitEstimators.ts';
import { configWith } from '../config/schema.ts';
import { checkRules } from '../config/rules.ts';
import { thetaOf } from '../contract/state.ts';
import { must } from '../core/problem.ts';
import { given } from '../slots/advantage/given.ts';
import { Snapshots } from '../lab/snapshot.ts';
import { makeArrays, type Arrays } from './arrays.ts';
import { emptyTally, makeCpuPolicy } from './cpu/policy.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { makePlan, makeTasks } from './plan.ts';
import { sampleRun, train } from './sampleRun.ts';
import { initialState } from './state.ts';
import { trainsOnCpu } from './trainsOnCpu.ts';
import { creditOfSteps } from './unitCredit.ts';

const WORDS = { ...WRITTEN, 'advantage.method': 'poad', 'run.seeds': 1 };

test('a critic answers before every word: V(o) first, another number after a word, 0 beyond the last', async () => {
  const run = await sampleRun({ ...WORDS, 'run.seeds': 2 });
  await train(run, 2);
  const { batch, A, written } = await run.backend.view(1);
  const [units, value] = [given(batch, 'units'), given(batch, 'unitValue')];
  const K = batch.K!;
  let later = 0;
  for (let k = 0; k < batch.B * batch.T; k++) {
    if (units[k] === 0) continue;
    expect(value[k * K]).toBe(batch.value[k]);
    let mean = 0;
    for (let d = 0; d < K; d++) {
      if (d >= units[k]!) expect([value[k * K + d], written!.A![k * K + d]]).toEqual([0, 0]);
      else mean += written!.A![k * K + d]! / units[k]!;
      if (d > 0 && d < units[k]! && value[k * K + d] !== value[k * K]) later++;
    }
    expect(A[k]).toBeCloseTo(mean, 5);
  }
  expect(later).toBeGreaterThan(0);
  const { written: shown } = await new Snapshots().make(run, 1);
  expect(shown!.A).toEqual(written!.A);
  run.dispose();
});

test('a tag before a command is a unit, too: it has a value after it and credit of its own', async () => {
  const run = await sampleRun({ ...WORDS, 'task.thoughts.on': true, 'reward.textmaze.invalid': -100 });
  await train(run, 2);
  const { batch, written } = await run.backend.view(0);
  const [units, value, K] = [given(batch, 'units'), given(batch, 'unitValue'), batch.K!];
  expect(K).toBe(3);
  const steps = Array.from(units.keys()).filter((k) => units[k]! > 1);
  // behind its tag, what a command is expected to be worth is another number
  expect(steps.filter((k) => value[k * K + 1] !== value[k * K]).length).toBe(steps.length);
  expect(steps.some((k) => written!.A![k * K] !== written!.A![k * K + 1])).toBe(true);
  run.dispose();
});

test('what a comparison shows of it is the credit of steps that the run trained with', async () => {
  const run = await sampleRun({ ...WORDS, 'reward.textmaze.invalid': -100 });
  await train(run, 2);
  const { batch, A } = await run.backend.view(0);
  const { estimator, estimatorParams } = run.plan;
  expect(creditOfSteps(estimator, batch, estimatorParams).A).toEqual(A);
  const snapshots = new Snapshots();
  await snapshots.make(run, 0);
  const request = { id: 1, update: 1, replica: 0, methods: [{ id: 'poad', params: estimatorParams }] };
  const [column] = snapshots.lab.answer({ ...request, withArrays: true, workMs: 0 } as never, () => 0).columns;
  expect(column!.A).toEqual(A);
  run.dispose();
});

test('the gradient of the values of all words is that of their mean loss', () => {
  const plan = must(makePlan(configWith(WORDS)));
  const arrays: Arrays = makeArrays(plan);
  const theta = thetaOf(initialState(plan)).slice();
  const policy = makeCpuPolicy(plan);
  const tasks = makeTasks(plan, 0, 'train');
  expect(rolloutReplica(plan, arrays, { policy, theta, tasks, mode: 'train' }, 0)).toBe(true);
  const unitTarget = arrays.unitValue.map((v, u) => v + (((7 * u) % 5) - 2) / 4);
  const steps = Array.from({ length: plan.B * plan.T }, (_, k) => k).filter((k) => arrays.units[k]! > 0);
  const chosen = Int32Array.from(steps.slice(0, policy.chunk));
  const n = chosen.length;
  const weight = new Float64Array(n).fill(1 / n);
  const zeros = new Float32Array(plan.B * plan.T);
  const lossAt = (parameters: Float32Array, gradient: Float32Array | null): number => {
    const tally = emptyTally();
    const live = { learningRate: 0, entropyCoef: 0, klCoef: 0 };
    const of = { arrays, theta: parameters, reference: parameters, A: zeros, target: zeros, unitTarget, s: 0, live };
    policy.learn({ ...of, gradient, tally, delta: zeros.slice(), policyWeight: 0 }, chosen, weight, n);
    return plan.valueCoef * tally.valueLoss;
  };
  const gradient = new Float32Array(theta.length);
  lossAt(theta, gradient);
  const square = gradient.reduce((sum, g) => sum + g * g, 0);
  const h = 0.01 / Math.sqrt(square);
  const along = (by: number): number =>
    lossAt(
      theta.map((x, k) => x + by * gradient[k]!),
      null,
    );
  // f32 losses of size 1 differ over a step of 0.02 by rounding of about 1e-5 of the slope
  expect((along(h) - along(-h)) / (2 * h * square)).toBeCloseTo(1, 2);
});

test('the three backups train to different weights', async () => {
  const digests = [];
  for (const backup of ['between', 'everyWord', 'turn']) {
    const run = await sampleRun({ ...WORDS, 'advantage.poad.backup': backup, 'reward.textmaze.invalid': -100 });
    await train(run, 3);
    digests.push((await run.digest()).all + thetaOf(await run.backend.save()).join());
    run.dispose();
  }
  expect(new Set(digests).size).toBe(3);
});

test('it trains on the CPU and says so; a device that is insisted on and a second critic are refused with a way out', () => {
  expect(trainsOnCpu(must(makePlan(configWith(WORDS))))).toBe(true);
  expect(trainsOnCpu(must(makePlan(configWith({ ...WORDS, 'advantage.method': 'gae' }))))).toBe(false);
  const errors = (changes: object) =>
    checkRules(configWith({ ...WORDS, ...changes })).filter(({ severity }) => severity === 'error');
  expect(errors({ 'run.backend': 'auto' })).toEqual([]);
  expect(errors({ 'run.backend': 'webgpu' })).toMatchObject([
    { path: 'run.backend', repair: { set: [{ path: 'run.backend', value: 'cpu' }] } },
  ]);
  expect(errors({ 'policy.critics': 'double' })).toMatchObject([
    { path: 'policy.critics', repair: { set: [{ path: 'policy.critics', value: 'one' }] } },
  ]);
  const hints = (changes: object): string[] =>
    checkRules(configWith({ ...WORDS, ...changes })).map(({ message }) => message);
  expect(hints({ 'policy.method': 'mlp' }).join()).toContain('here a step is one choice');
  expect(hints({ 'objective.ratioLevel': 'step' }).join()).toContain('share the mean of their credit');
});
