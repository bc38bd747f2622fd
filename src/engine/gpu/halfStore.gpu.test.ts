import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { createRun } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const RUN = {
  'rollout.tasksPerBatch': 4,
  'rollout.groupSize': 8,
  'run.seeds': 2,
  'run.updates': 3,
  'task.grid.level': 'corridor',
  'task.grid.n': 5,
  'task.grid.maxSteps': 9,
  'policy.mlp.hidden': [16, 12, 24],
  'optimizer.method': 'sgd',
  'analysis.evalEvery': 0,
};

/** Steps of the parameters in `updates` updates, [seeds][size], and the digest. */
async function train(changes: Record<string, unknown>, updates: number) {
  const run = must(await createRun(configWith({ ...RUN, ...changes }), gpuBackendOn(gpu)));
  const start = thetaOf((await run.checkpoint()).state).slice();
  for (let u = 0; u < updates; u++) await run.submit();
  const theta = thetaOf((await run.checkpoint()).state);
  const digest = await run.digest();
  const { S } = run.plan;
  run.dispose();
  const size = theta.length / S;
  const steps = Array.from({ length: S }, (_, s) =>
    Array.from({ length: size }, (_, k) => theta[s * size + k]! - start[s * size + k]!),
  );
  return { steps, digest };
}

const norm = (x: readonly number[]): number => Math.hypot(...x);

test.each(['tanh', 'gelu'])(
  'a step over half floats is that over floats but for their rounding: %s',
  async (activation) => {
    const changes = { 'policy.mlp.activation': activation };
    const floats = await train(changes, 1);
    const halves = await train({ ...changes, 'policy.mlp.storage': 'f16' }, 1);
    floats.steps.forEach((want, s) => {
      const off = norm(want.map((x, k) => x - halves.steps[s]![k]!)) / norm(want);
      // numbers of 11 bits, 2^-12 off, through three layers there and back
      expect(off).toBeLessThan(12 * 2 ** -12);
      expect(off).toBeGreaterThan(1e-6);
    });
  },
);

test('half floats repeat, alone and among others, and change nothing where no layer reads them', async () => {
  const f16 = { 'policy.mlp.storage': 'f16' };
  const both = await train(f16, 3);
  expect(await train(f16, 3)).toEqual(both);
  expect((await train({ ...f16, 'run.seeds': 1 }, 3)).steps[0]).toEqual(both.steps[0]);
  const one = { 'policy.mlp.hidden': [16] };
  expect((await train({ ...one, ...f16 }, 2)).steps).toEqual((await train(one, 2)).steps);
});
