import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { presetConfig, presets, twinOf } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { createRun } from '../engine/run.ts';
import { Monitor, monitorFacts } from './monitor.ts';
import type { Preset } from '../config/presets.ts';

/** Seeds of a preset in which the monitor says that its reward is farmed. */
async function farmedSeeds(preset: Preset): Promise<readonly number[]> {
  const cheap = { 'run.backend': 'cpu', 'analysis.evalEvery': 0, 'run.seeds': 3, 'run.updates': 90 };
  const config = configWith(cheap, presetConfig(preset));
  await prepareTask(config);
  const run = must(await createRun(config));
  const monitor = new Monitor(monitorFacts(run), run.series);
  while (run.update < run.plan.updates) {
    const { update, bad } = await run.submit();
    monitor.feed(update, bad);
  }
  run.dispose();
  return [...new Set(monitor.alarms().flatMap((a) => (a.id === 'rewardHacking' ? a.replicas : [])))];
}

/** SPA at 0.5 a step never finds the goal, so no success is lost: what is said of it is that success stays at 0. */
const NEVER_FOUND = ['key-door-spa-farmed'];

test.each(presets.filter((p) => p.mends !== undefined).map((p) => [p.mends!, p] as const))(
  '%s is called farmed where success was found and lost again; its mended twin never is',
  async (id, mended) => {
    const found = await farmedSeeds(twinOf(mended)!);
    if (NEVER_FOUND.includes(id)) expect(found).toEqual([]);
    else expect(found.length).toBeGreaterThanOrEqual(2);
    expect(await farmedSeeds(mended)).toEqual([]);
  },
);
