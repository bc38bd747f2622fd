import { expect } from 'vitest';
import type { Gpu } from '../../gpu/device.ts';
import { METRICS, metricIndex, type MetricId } from '../../methods/analysis/metrics.ts';
import type { Run } from '../run.ts';
import { sampleRun, train } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';

/** For tests that train the same small, slippery experiment on both paths. */
const SMALL = {
  'task.grid.level': 'frozenLake4',
  'task.grid.maxSteps': 8,
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 5,
  'run.seeds': 2,
  'policy.mlp.hidden': [13],
  'analysis.evalEvery': 2,
  'objective.epochs': 2,
  'optimizer.learningRate': 0.01,
};

/** A run on the given device, or on the CPU. */
export async function openSmall(changes: Record<string, unknown>, on?: Gpu): Promise<Run> {
  return sampleRun({ ...SMALL, ...changes }, on && gpuBackendOn(on));
}

/** Trains both; what happened must be equal, the named metrics up to rounding. */
export async function trainAlike(onGpu: Run, onCpu: Run, updates: number, ids: readonly MetricId[]): Promise<void> {
  const a = await train(onGpu, updates);
  const b = await train(onCpu, updates);
  for (let u = 0; u < updates; u++) {
    expect([...a[u]!.hash], `actions of update ${u}`).toEqual([...b[u]!.hash]);
    for (const id of ids) {
      for (let s = 0; s < 2; s++) {
        const got = a[u]!.metrics[s * METRICS + metricIndex[id]]!;
        const want = b[u]!.metrics[s * METRICS + metricIndex[id]]!;
        if (Number.isNaN(want)) expect(got, id).toBeNaN();
        else
          expect(Math.abs(got - want), `${id} of update ${u}: ${got} against ${want}`).toBeLessThanOrEqual(
            2e-5 + 1e-3 * Math.abs(want),
          );
      }
    }
  }
}
