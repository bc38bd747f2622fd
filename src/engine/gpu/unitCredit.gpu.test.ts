import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import type { MakeBackend } from '../backend.ts';
import { makeCpuBackend } from '../cpu/cpuBackend.ts';
import { firstWord, WRITTEN } from '../../check/golden/unitEstimators.ts';
import { makePlan, type Plan } from '../plan.ts';
import { Run } from '../run.ts';
import { train } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

/** Parameters and credit after two updates. */
async function after(plan: Plan, make: MakeBackend): Promise<{ theta: Float32Array; A: Float32Array; moved: number }> {
  const run = await Run.create(plan, make);
  const before = thetaOf(await run.backend.save()).slice();
  await train(run, 2);
  const theta = thetaOf(await run.backend.save()).slice();
  const { A } = await run.backend.view(0);
  run.dispose();
  return { theta, A, moved: Math.max(...theta.map((x, k) => Math.abs(x - before[k]!))) };
}

test.each([
  ['units judged alone', {}],
  ['units that a survey marks', { 'objective.method': 'clipCov' }],
])('credit per unit trains the GPU as it trains the CPU: %s', async (_name, changes) => {
  // without moments a step is as small as its gradient, and differences stay in proportion
  const config = configWith({ ...WRITTEN, 'optimizer.method': 'sgd', 'optimizer.learningRate': 0.5, ...changes });
  const plan: Plan = { ...must(makePlan(config)), estimator: firstWord, estimatorParams: {} };
  const want = await after(plan, makeCpuBackend);
  const got = await after(plan, gpuBackendOn(gpu));
  expect(got.A).toEqual(want.A);
  expect(want.moved).toBeGreaterThan(0.01);
  const off = Math.max(...want.theta.map((x, k) => Math.abs(x - got.theta[k]!)));
  expect(off).toBeLessThan(1e-4 * Math.max(1, want.moved));
});
