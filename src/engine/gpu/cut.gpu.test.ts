import { thetaOf } from '../../contract/state.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { createRun } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { Pace } from './pace.ts';

const RUN = {
  'rollout.tasksPerBatch': 4,
  'rollout.groupSize': 8,
  'run.seeds': 2,
  'run.updates': 3,
  'task.grid.level': 'corridor',
  'task.grid.n': 5,
  'task.grid.maxSteps': 9,
  'analysis.evalEvery': 2,
};

let gpu: Gpu;
beforeAll(async () => {
  const opened = must(await openGpu());
  gpu = opened;
});
afterAll(() => gpu.device.destroy());

/** Three updates, and how much was handed over in them. `pieces`: of each dispatch. */
async function train(changes: Record<string, unknown>, pieces: number) {
  const run = must(await createRun(configWith({ ...RUN, ...changes }), gpuBackendOn(gpu, false)));
  const { queue } = gpu.device;
  const submit = queue.submit.bind(queue);
  let submissions = 0;
  queue.submit = (buffers) => {
    submissions++;
    submit(buffers);
  };
  const cuts = new Set<string>();
  const asked = vi.spyOn(Pace.prototype, 'piecesOf').mockImplementation((list, k) => {
    if (pieces > 1) cuts.add(list.nameOf(k));
    return pieces;
  });
  const records = [];
  for (let u = 0; u < 3; u++) {
    records.push(await run.submit());
    await queue.onSubmittedWorkDone();
  }
  const { state } = await run.checkpoint();
  const digest = await run.digest();
  run.dispose();
  queue.submit = submit;
  asked.mockRestore();
  const result = { records, theta: [...thetaOf(state)], m: [...state.tensors.m], digest };
  return { result, submissions, cuts: [...cuts] };
}

test.each([
  ['surveyed', { 'objective.method': 'gspo', 'policy.mlp.hidden': [36] }],
  [
    'dense, critic, sums in two stages',
    { 'advantage.method': 'gae', 'policy.mlp.hidden': [36, 12], 'rollout.tasksPerBatch': 17 },
  ],
  [
    'transformer',
    {
      'policy.method': 'transformer',
      'rollout.groupSize': 4,
      'task.grid.maxSteps': 5,
      'policy.transformer.width': 8,
      'policy.transformer.hidden': 8,
      'policy.transformer.layers': 1,
    },
  ],
])('dispatches cut into pieces give the bits of whole ones: %s', async (_name, changes) => {
  gpu.device.pushErrorScope('validation');
  const cut = await train(changes, 4);
  const whole = await train(changes, 1);
  expect(cut.cuts.length).toBeGreaterThan(8);
  if ('rollout.tasksPerBatch' in changes) expect(cut.cuts.join()).toContain('policyMix.rows');
  expect(cut.submissions).toBeGreaterThan(1.5 * whole.submissions);
  expect(cut.result).toEqual(whole.result);
  expect(await gpu.device.popErrorScope()).toBeNull();
  expect([...gpu.bytes]).toEqual([]);
});
