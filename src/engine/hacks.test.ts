import { expect, test } from 'vitest';
import { presets, twinOf } from '../config/presets.ts';
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

/** Success that the twin reaches in every seed, where it is not nearly all: a model learns with the policy. */
const LEAST: Readonly<Record<string, number>> = { 'key-door-spa': 0.7 };

// measured over four seeds and 90 updates: farmed rewards end at a success of 0.00 to 0.48, their twins at 1.00; SPA at 0.00
// in all four, its twin at 0.87 to 0.90
test.each(presets.filter((p) => p.mends).map((p) => [p.mends!, p] as const))(
  '%s is farmed in every seed: more is paid and less is reached; its twin reaches the goal',
  async (_, mended) => {
    const farmed = await endsOf(twinOf(mended)!.changes);
    const twin = await endsOf(mended.changes);
    farmed.success.forEach((x) => expect(x).toBeLessThan(0.6));
    farmed.shaped.forEach((x, s) => expect(x).toBeGreaterThan(1.25 * farmed.shapedFirst[s]!));
    twin.success.forEach((x) => expect(x).toBeGreaterThan(LEAST[mended.id] ?? 0.95));
  },
);

test('every twin stands right after the reward that it mends, and each finds the other', () => {
  for (const [k, preset] of presets.entries()) {
    if (preset.mends === undefined) continue;
    expect(presets[k - 1]!.id).toBe(preset.mends);
    expect(twinOf(preset)!.id).toBe(preset.mends);
    expect(twinOf(presets[k - 1]!)).toBe(preset);
  }
  expect(twinOf(presets[0]!)).toBeUndefined();
});
