import { expect, test, vi } from 'vitest';
import type { BatchSeen } from '../slots/metrics/types.ts';

/** A metric that only this test knows: one record in a list, as a new one of each update would be. */
vi.mock('../slots/metrics/taskMetrics.ts', async (original) => {
  const { taskMetrics } = await original<typeof import('../slots/metrics/taskMetrics.ts')>();
  const probe = {
    ...{ id: 'probe', title: 'Probe', group: 'data', unit: 'steps', doc: 'Longest episode.', look: 'Falls.' },
    reads: ['length'],
    batch: ({ batch }: BatchSeen) => Math.max(...batch.length),
  };
  return { taskMetrics: [...taskMetrics, probe] };
});

const { lacking } = await import('../config/needs.ts');
const { METRICS, metricIndex, metrics } = await import('../slots/metrics/metrics.ts');
const { sampleRun } = await import('./sampleRun.ts');

test('a record in a list is all that a new metric takes: the record of an update, curves and the table have it', async () => {
  const run = await sampleRun({ 'run.backend': 'cpu', 'run.seeds': 2, 'rollout.tasksPerBatch': 2 });
  const record = await run.submit();
  const { length } = (await run.backend.view(1)).batch;
  const at = (metricIndex as Record<string, number>)['probe']!;
  expect(metrics[at]).toMatchObject({ id: 'probe', title: 'Probe' });
  expect(at).toBeLessThan(METRICS);
  expect(record.metrics[METRICS + at]).toBe(Math.max(...length));
  expect(run.series.at(0, 1, at)).toBe(Math.max(...length));
  expect(run.csv().split('\n')[0]).toMatch(/,probe(,|$)/);
  expect(lacking(run.config, metrics[at]!)).toEqual([]);
});
