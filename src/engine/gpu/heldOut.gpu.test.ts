import { test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

test('WebGPU: success on held-out levels and the guides of entropy are those of the CPU, and leave no trace in the run', async () => {
  const changes = {
    'task.grid.level': 'fourRooms',
    'task.levels': 1,
    'task.grid.maxSteps': 12,
    'analysis.heldOut': true,
    'rollout.temperature': 2,
  };
  const run = await openSmall(changes, gpu);
  await trainAlike(run, await openSmall(changes), 3, [
    'heldOutSuccess',
    'evalSuccess',
    'success',
    'entropy',
    'entropyMost',
    'entropyPlain',
    'gradNorm',
  ]);
  run.dispose();
});
