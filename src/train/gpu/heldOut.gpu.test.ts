import { test } from 'vitest';
import { openDevice, openSmall, trainAlike } from './sideBySide.ts';

test('WebGPU: success on held-out levels is that of the CPU, beside the evaluation and without a trace in the run', async () => {
  const gpu = await openDevice();
  const changes = {
    'task.grid.level': 'fourRooms',
    'task.levels': 1,
    'task.grid.maxSteps': 12,
    'analysis.heldOut': true,
  };
  const run = await openSmall(changes, gpu);
  await trainAlike(run, await openSmall(changes), 3, [
    'heldOutSuccess',
    'evalSuccess',
    'success',
    'entropy',
    'gradNorm',
  ]);
  run.dispose();
});
