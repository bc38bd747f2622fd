import { describe, expect, test } from 'vitest';
import { boundText, learningRuns, rowName, type LearningRun } from '../config/learningRuns.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { createRun } from './run.ts';

const bounded = learningRuns.filter((run) => run.bound !== undefined);

/** Mean success of the first and of the last ten updates, per seed, after a whole row of docs/learning.md on the CPU path. */
async function successOf({ preset, updates, changes, bound }: LearningRun) {
  const own = { 'run.backend': 'cpu', 'analysis.evalEvery': 0, 'run.updates': updates };
  const which = { 'run.seed': bound!.from, 'run.seeds': bound!.seeds };
  const run = must(
    await createRun(configWith({ ...own, ...which, ...changes?.set }, presetConfig(presetById(preset)!))),
  );
  while (run.update < updates) await run.submit();
  const mean = (s: number, from: number): number => {
    let total = 0;
    for (let u = from; u < from + 10; u++) total += run.series.at(u, s, metricIndex.success);
    return total / 10;
  };
  const seeds = Array.from({ length: run.plan.S }, (_, s) => s);
  const found = { first: seeds.map((s) => mean(s, 0)), last: seeds.map((s) => mean(s, updates - 10)) };
  run.dispose();
  return found;
}

// The CPU path gives equal bits everywhere, so these runs either always pass or never.
describe('success over the last ten updates of every seed is', () => {
  test.each(bounded.map((run) => [boundText(run), rowName(run), run] as const))('%s: %s', async (_, __, run) => {
    const { least = 0, most = 1, before = Infinity } = run.bound!;
    const { first, last } = await successOf(run);
    expect(last).toHaveLength(run.bound!.seeds);
    expect(Math.min(...last), last.join(' ')).toBeGreaterThanOrEqual(least);
    expect(Math.max(...last), last.join(' ')).toBeLessThanOrEqual(most);
    expect(Math.max(...first), first.join(' ')).toBeLessThan(before);
  });
});
