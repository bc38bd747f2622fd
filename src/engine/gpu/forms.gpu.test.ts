import { afterAll, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { assume, tune } from '../../gpu/tune.ts';
import { createRun } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();
const tuning = await tune(gpu);
afterAll(() => assume(gpu, tuning));

const SMALL = {
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 3,
  'run.seeds': 2,
  'run.updates': 2,
  'task.grid.maxSteps': 9,
};
const PPO = { 'advantage.method': 'gae', 'objective.epochs': 2, 'objective.minibatches': 2 };

/** Records, parameters and digest of a run where products go through fine tiles up to so many blocks. */
async function train(changes: Record<string, unknown>, fineUpTo: number) {
  assume(gpu, { ...tuning, fineUpTo });
  const run = must(await createRun(configWith({ ...SMALL, ...changes }), gpuBackendOn(gpu)));
  const records = [];
  for (let u = 0; u < 2; u++) records.push(await run.submit());
  const { state } = await run.checkpoint();
  const digest = await run.digest();
  run.dispose();
  return { records, theta: [...thetaOf(state)], digest };
}

/** What only the text of a form has. */
const DENSE = 'array<f32, DEPTH * STRIDE>';
const BITS = 'let from_ = bitsOf(s, r);';

test.each([
  ['dense, lists of minibatches', [DENSE, BITS], { ...PPO, 'policy.mlp.hidden': [20, 24] }],
  ['GRU', [DENSE, BITS], { 'policy.method': 'gru', 'policy.gru.hidden': 20 }],
  ['convolution', [DENSE], { 'policy.method': 'conv', 'policy.conv.hidden': 20 }],
  ['transformer over steps', [DENSE], { 'policy.method': 'gtrxl', 'task.grid.maxSteps': 5 }],
])('a run in fine tiles has the bits of one in registers: %s', async (_name, texts, changes) => {
  const plain = await train(changes, 0);
  const known = new Set(gpu.pipelines.keys());
  const fine = await train(changes, Infinity);
  const compiled = [...gpu.pipelines.keys()].filter((code) => !known.has(code));
  for (const text of texts)
    expect(
      compiled.some((code) => code.includes(text)),
      text,
    ).toBe(true);
  expect(fine).toEqual(plain);
});
