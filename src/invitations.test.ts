import { expect, test } from 'vitest';
import { presetById, presetConfig } from './config/presets.ts';
import { configWith, setValue } from './config/schema.ts';
import type { Config } from './config/slots.ts';
import { must } from './core/problem.ts';
import { mean } from './core/stats.ts';
import { metricIndex } from './slots/metrics/metrics.ts';
import { createRun } from './engine/run.ts';
import { breakOf } from './ui/start/breaks.ts';

/** Mean success of the last updates of a short run with one seed. */
async function successOf(config: Config): Promise<number> {
  const short = { 'run.backend': 'cpu', 'run.seeds': 1, 'run.updates': 24, 'analysis.evalEvery': 0 };
  const run = must(await createRun(configWith(short, config)));
  while (run.update < run.updates) await run.submit();
  const last = mean([21, 22, 23].map((u) => run.series.at(u, 0, metricIndex.success)));
  run.dispose();
  return last;
}

test.each(['key-door', 'corridor', 'lesson-gigpo'])('%s learns, and does not once it is broken', async (id) => {
  const config = presetConfig(presetById(id)!);
  // a table learns slowly: two dozen updates are enough at sixteen times its rate
  const quick = id === 'lesson-gigpo' ? setValue(config, 'optimizer.learningRate', 0.8) : config;
  expect(await successOf(quick)).toBeGreaterThan(0.7);
  const { path, value } = breakOf(quick)!;
  expect(await successOf(setValue(quick, path, value))).toBeLessThan(0.1);
});
