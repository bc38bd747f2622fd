import { expect, test } from 'vitest';
import { sampleRun } from '../engine/sampleRun.ts';
import { Snapshots } from './snapshot.ts';

test('a run that goes on from one of which nothing was shown is shown as any other', async () => {
  const run = await sampleRun({ 'run.backend': 'cpu', 'run.seeds': 1, 'rollout.tasksPerBatch': 2 });
  await run.submit();
  const [plain, later] = [new Snapshots(), new Snapshots().goOn(run)];
  expect(await later.make(run, 0)).toEqual(await plain.make(run, 0));
  expect(later.history(0)).toEqual(plain.history(0));
});
