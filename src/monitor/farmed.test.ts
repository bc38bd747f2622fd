import { expect, test } from 'vitest';
import { presets, twinOf } from '../config/presets.ts';
import { mean } from '../core/stats.ts';
import { sampleRun } from '../engine/sampleRun.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { Monitor, monitorFacts } from './monitor.ts';

const SEEDS = 3;
const UPDATES = 90;

/** Means over the first and the last ten updates, for each seed, and in how many of them the monitor says that the reward is farmed. */
async function endsOf(changes: Readonly<Record<string, unknown>>) {
  const cheap = { 'run.backend': 'cpu', 'run.seeds': SEEDS, 'run.updates': UPDATES, 'analysis.evalEvery': 0 };
  const run = await sampleRun({ ...changes, ...cheap });
  const monitor = new Monitor(monitorFacts(run), run.series);
  const records: Float64Array[] = [];
  while (run.update < UPDATES) {
    const { update, bad, metrics } = await run.submit();
    monitor.feed(update, bad);
    records.push(metrics.slice());
  }
  run.dispose();
  const of = (id: MetricId, from: number): number[] =>
    Array.from({ length: SEEDS }, (_, s) =>
      mean(records.slice(from, from + 10).map((metrics) => metrics[s * METRICS + metricIndex[id]]!)),
    );
  return {
    success: of('success', UPDATES - 10),
    shaped: of('shapedReturn', UPDATES - 10),
    shapedFirst: of('shapedReturn', 0),
    called: new Set(monitor.alarms().flatMap((a) => (a.id === 'rewardHacking' ? a.replicas : []))).size,
  };
}

/** SPA at 0.5 a step never finds the goal, so no success is lost: what is said of it is that success stays at 0. */
const NEVER_FOUND = ['key-door-spa-farmed'];
/** Success that the twin reaches in every seed, where it is not nearly all: a model learns with the policy. */
const LEAST: Readonly<Record<string, number>> = { 'key-door-spa': 0.7 };

// measured over four seeds and 90 updates: farmed rewards end at a success of 0.00 to 0.48, their twins at 1.00; SPA at 0.00
// in all four, its twin at 0.87 to 0.90
test.each(presets.filter((p) => p.mends !== undefined).map((p) => [p.mends!, p] as const))(
  '%s is farmed in every seed, more is paid and less is reached, and the monitor says so where success was found before; its twin reaches the goal and is never called so',
  async (id, mended) => {
    const farmed = await endsOf(twinOf(mended)!.changes);
    const most = NEVER_FOUND.includes(id) ? 0.1 : 0.6;
    farmed.success.forEach((x) => expect(x).toBeLessThan(most));
    farmed.shaped.forEach((x, s) => expect(x).toBeGreaterThan(1.25 * farmed.shapedFirst[s]!));
    if (NEVER_FOUND.includes(id)) expect(farmed.called).toBe(0);
    else expect(farmed.called).toBeGreaterThanOrEqual(2);
    const twin = await endsOf(mended.changes);
    twin.success.forEach((x) => expect(x).toBeGreaterThan(LEAST[mended.id] ?? 0.95));
    expect(twin.called).toBe(0);
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
