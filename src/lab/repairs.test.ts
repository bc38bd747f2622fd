import { expect, test } from 'vitest';
import { originOf } from '../contract/rows.ts';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { Snapshots } from './snapshot.ts';

const SMALL = {
  ...{ 'run.backend': 'cpu', 'policy.method': 'tabular', 'task.grid.level': 'fourRooms', 'task.levels': 1 },
  ...{ 'task.grid.maxSteps': 30, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 6, 'run.seeds': 1 },
};

test('a snapshot says at which step a failure was repaired, and nothing where forks are the policy’s own', async () => {
  const run = await sampleRun({ ...SMALL, 'rollout.method': 'oracleRepair' });
  await train(run, 2);
  const { batch } = await run.backend.view(0);
  const { repairs, origin } = await new Snapshots().make(run, 0);
  expect(repairs!.some((step) => step > 0)).toBe(true);
  repairs!.forEach((step, i) => {
    const isFork = origin[i] === originOf('fork');
    expect(step).toBe(isFork ? batch.branchStep![i]! + 1 : 0);
  });
  const forked = await sampleRun({ ...SMALL, 'rollout.method': 'arpo', 'rollout.arpo.alpha': 0.5 });
  await train(forked, 1);
  const plain = await new Snapshots().make(forked, 0);
  expect(plain.origin).toContain(originOf('fork'));
  expect(plain.repairs).toBeUndefined();
});
