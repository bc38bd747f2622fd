import { expect, test } from 'vitest';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { stepSignals } from '../../lab/stepSignals.ts';

const gpu = await testDevice();

test('WebGPU: the signals of every step of a displayed batch are those of the CPU path', async () => {
  const changes = { 'task.grid.level': 'keyDoor', 'task.grid.slip': [1, 8, 1] };
  const [onGpu, onCpu] = [await openSmall(changes, gpu), await openSmall(changes)];
  await trainAlike(onGpu, onCpu, 2, ['success']);
  for (const s of [0, 1]) {
    const [a, b] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
    for (let i = 0; i < onCpu.plan.B; i++)
      for (let t = 0; t < b.batch.length[i]!; t++) {
        const told = stepSignals(onGpu.plan, a, i, t);
        expect(told).not.toBeNull();
        expect(told, `${i}, ${t}`).toEqual(stepSignals(onCpu.plan, b, i, t));
      }
  }
  onGpu.dispose();
});
