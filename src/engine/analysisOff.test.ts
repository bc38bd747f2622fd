import { thetaOf } from '../contract/state.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import type { Run } from './run.ts';

const small = {
  'run.backend': 'cpu',
  'run.seeds': 2,
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 4,
  'policy.mlp.hidden': [8],
  'objective.epochs': 2,
  'objective.minibatches': 2,
};

afterEach(() => {
  vi.doUnmock('./cpu/record.ts');
  vi.resetModules();
});

async function open(changes: Record<string, unknown>): Promise<Run> {
  const { createRun } = await import('./run.ts');
  return must(await createRun(configWith({ ...small, ...changes })));
}

/** Five updates without any analysis: no evaluation, and nothing that writes into the metric record. */
async function bare(changes: Record<string, unknown>) {
  const nothing = (): void => undefined;
  vi.doMock('./cpu/record.ts', async (original) => ({
    ...(await original<object>()),
    ...{ recordBatch: nothing, recordUpdate: nothing, recordStart: nothing, recordWeights: nothing },
  }));
  vi.resetModules();
  const run = await open({ ...changes, 'analysis.evalEvery': 0, 'analysis.heldOut': false });
  for (let u = 0; u < 5; u++) await run.submit();
  expect(run.csv(), 'nothing was measured').toMatch(/^\d+,\d+,\d+,{20,}/m);
  return { digest: await run.digest(), theta: thetaOf(await run.backend.save()) };
}

test.each([
  ['GiGPO', {}],
  ['a critic', { 'advantage.method': 'gae' }],
  ['held-out levels', { 'task.grid.level': 'fourRooms', 'task.levels': 2, 'analysis.heldOut': true }],
])('without any metric the digest and the weights are the same: %s', async (_, changes) => {
  const off = await bare(changes);
  vi.doUnmock('./cpu/record.ts');
  vi.resetModules();
  const { Measurements } = await import('../lab/measurements.ts');
  const { Snapshots } = await import('../lab/snapshot.ts');
  const on = await open({ ...changes, 'analysis.evalEvery': 1 });
  const snapshots = new Snapshots();
  for (let u = 0; u < 5; u++) {
    await on.submit();
    await snapshots.make(on, u % 2);
    const { state } = await on.checkpoint();
    for (const what of ['passAtK', 'noise'] as const) {
      const request = { what, replica: 1, n: 3, isNew: true, workMs: 1e6 };
      expect(new Measurements().answer(on, state, request, () => 0).done).toBe(1);
    }
  }
  expect(snapshots.history(0).points).toBe(3);
  expect(await on.digest()).toEqual(off.digest);
  expect(thetaOf(await on.backend.save())).toEqual(off.theta);
});
