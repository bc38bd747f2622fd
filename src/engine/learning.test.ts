import { describe, expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { createRun } from './run.ts';

/**
 * First update (counted from 1) at which the success of a seed, averaged over five batches, is at least 0.8;
 * `updates + 1` for a seed that never gets there, so that no run is left out.
 */
async function updatesTo80(preset: string, changes: Record<string, unknown>): Promise<number[]> {
  const run = must(
    await createRun(
      configWith({ 'run.backend': 'cpu', 'analysis.evalEvery': 0, ...changes }, presetConfig(presetById(preset)!)),
    ),
  );
  const { S, updates } = run.plan;
  const reached = Array<number>(S).fill(updates + 1);
  // what comes after all seeds are there is not asked for
  while (run.update < updates && Math.max(...reached) > updates) {
    await run.submit();
    const u = run.update - 1;
    if (u < 4) continue;
    for (let s = 0; s < S; s++) {
      let total = 0;
      for (let k = u - 4; k <= u; k++) total += run.series.at(k, s, metricIndex.success);
      if (total / 5 >= 0.8 - 1e-9) reached[s] = Math.min(reached[s]!, u + 1);
    }
  }
  return reached;
}

test('ten of ten seeds of the default experiment reach 0.8 within 100 updates', async () => {
  const reached = await updatesTo80('key-door', { 'run.seeds': 10, 'run.updates': 100 });
  expect(reached).toHaveLength(10);
  expect(Math.max(...reached), `updates to 0.8: ${reached.join(' ')}`).toBeLessThanOrEqual(100);
});

/** Mean over seeds and the last ten updates of a metric, after a whole preset. */
async function endOf(preset: string, ids: readonly (keyof typeof metricIndex)[]): Promise<number[]> {
  const config = configWith(
    { 'run.backend': 'cpu', 'run.seeds': 3, 'analysis.evalEvery': 0 },
    presetConfig(presetById(preset)!),
  );
  const run = must(await createRun(config));
  while (run.update < run.plan.updates) await run.submit();
  return ids.map((id) => {
    let total = 0;
    for (let s = 0; s < 3; s++)
      for (let u = run.series.length - 10; u < run.series.length; u++) total += run.series.at(u, s, metricIndex[id]);
    return total / 30;
  });
}

describe('presets show what they say', () => {
  test('paid for the wrong thing: more return than the goal alone could pay, and hardly any success', async () => {
    const [success, returnMean] = await endOf('bonus-room', ['success', 'returnMean']);
    expect(success).toBeLessThan(0.3);
    expect(returnMean).toBeGreaterThan(1.8);
  });

  test('dying to save time: the agent jumps off the cliff at once', async () => {
    const [success, length] = await endOf('cliff-shortcut', ['success', 'lengthMean']);
    expect(success).toBe(0);
    expect(length).toBeLessThan(1.5);
  });

  test('the cliff is walked around, and a little ice is mastered', async () => {
    expect((await endOf('cliff', ['success']))[0]).toBeGreaterThan(0.85);
    expect((await endOf('frozen-lake', ['success']))[0]).toBeGreaterThan(0.55);
  });

  test('when every group agrees nobody learns: entropy stays where it was', async () => {
    const [success, degenerate, entropy] = await endOf('silent-corridor', ['success', 'degenerate', 'entropy']);
    expect(success).toBeLessThan(0.02);
    expect(degenerate).toBeGreaterThan(0.95);
    expect(entropy).toBeGreaterThan(0.68); // log 2 = 0.693
  });
});
