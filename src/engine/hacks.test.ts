import { expect, test } from 'vitest';
import { hackPresets } from '../config/hackPresets.ts';
import { mean } from '../core/stats.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { sampleRun, train } from './sampleRun.ts';

const SEEDS = 3;
const UPDATES = 70;

/** Means over the first and the last ten updates, for each seed. */
async function endsOf(changes: Readonly<Record<string, unknown>>) {
  const cheap = { 'run.backend': 'cpu', 'run.seeds': SEEDS, 'analysis.evalEvery': 0 };
  const run = await sampleRun({ ...changes, ...cheap });
  const records = await train(run, UPDATES);
  run.dispose();
  const of = (id: MetricId, from: number): number[] =>
    Array.from({ length: SEEDS }, (_, s) =>
      mean(records.slice(from, from + 10).map((r) => r.metrics[s * METRICS + metricIndex[id]]!)),
    );
  return {
    success: of('success', UPDATES - 10),
    shaped: of('shapedReturn', UPDATES - 10),
    shapedFirst: of('shapedReturn', 0),
  };
}

// measured over four seeds and 90 updates: farmed rewards end at a success of 0.00 to 0.48, their twins at 1.00
test.each(hackPresets.filter((p) => p.mends).map((p) => [p.mends!, p] as const))(
  '%s is farmed in every seed: more is paid and less is reached; its twin reaches the goal',
  async (id, mended) => {
    const farmed = await endsOf(hackPresets.find((p) => p.id === id)!.changes);
    const twin = await endsOf(mended.changes);
    farmed.success.forEach((x) => expect(x).toBeLessThan(0.6));
    farmed.shaped.forEach((x, s) => expect(x).toBeGreaterThan(1.25 * farmed.shapedFirst[s]!));
    twin.success.forEach((x) => expect(x).toBeGreaterThan(0.95));
  },
);
