import { expect, test } from 'vitest';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { presetById } from '../config/presets.ts';
import { sampleRun, train } from './sampleRun.ts';

/** Shaped return of both seeds, mean of the last ten updates. */
async function covered(preset: string): Promise<number[]> {
  const { changes } = presetById(preset)!;
  const records = await train(await sampleRun({ ...changes, 'run.seeds': 2, 'analysis.evalEvery': 0 }), 120);
  return [0, 1].map(
    (s) => records.slice(-10).reduce((sum, r) => sum + r.metrics[s * METRICS + metricIndex.shapedReturn]!, 0) / 10,
  );
}

// 12 cells beside the start, 0.08 each: one side is 0.48 or 0.56, both are 0.96
test('both ends of a corridor: what remembers its way sees both, a table that forgets hardly more than one side', async () => {
  for (const paid of await covered('sweep-memory')) expect(paid).toBeGreaterThan(0.8);
  for (const paid of await covered('sweep-table')) expect(paid).toBeLessThan(0.6);
});
