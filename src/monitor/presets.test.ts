import { describe, expect, test } from 'vitest';
import { healthPresets } from '../config/healthPresets.ts';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { Monitor, monitorFacts } from './monitor.ts';
import { conditions } from './conditions.ts';
import type { Alarm } from './types.ts';
import { createRun } from '../engine/run.ts';

/** Trains a preset on the CPU and returns what the monitor said. */
async function alarmsOf(id: string, changes: Record<string, unknown>): Promise<Alarm[]> {
  const preset = presetConfig(presetById(id)!);
  // evaluations take time, and only the held-out panel is among what the monitor reads
  const evaluates = preset.analysis['heldOut'] === true || changes['analysis.heldOut'] === true;
  const config = configWith(
    { 'run.backend': 'cpu', ...(evaluates ? {} : { 'analysis.evalEvery': 0 }), ...changes },
    preset,
  );
  await prepareTask(config);
  const run = must(await createRun(config));
  const monitor = new Monitor(monitorFacts(run), run.series);
  for (let isOver = false; run.update < run.plan.updates && !isOver;) {
    const { update, bad } = await run.submit();
    monitor.feed(update, bad);
    isOver = bad.some((slot) => slot !== 0);
  }
  run.dispose();
  return monitor.alarms();
}

test('every condition has its experiment', () => {
  expect(healthPresets.map((p) => p.alarm).sort()).toEqual(conditions.map((c) => c.id).sort());
});

test.each(healthPresets.map((p) => [p.id, p.alarm] as const))(
  '%s raises %s in each of three seeds, and nothing else',
  async (id, alarm) => {
    const alarms = await alarmsOf(id, { 'run.seeds': 3 });
    expect([...new Set(alarms.map((a) => a.id))], JSON.stringify(alarms, null, 1)).toEqual([alarm]);
    expect([...new Set(alarms.flatMap((a) => a.replicas))].sort((a, b) => a - b)).toEqual([0, 1, 2]);
  },
);

test('old data keep their name in however many minibatches they are learned', async () => {
  const alarms = await alarmsOf('alarm-replay', { 'run.seeds': 1, 'run.updates': 8, 'objective.minibatches': 2 });
  expect(alarms.map((a) => a.id)).toEqual(['replayDrift']);
});

describe('experiments that go well raise nothing', () => {
  // the first updates, where most is learned; docs/health.md reports whole runs of all experiments
  test.each([
    ['key-door', { 'run.updates': 80 }],
    ['key-door-grpo', { 'run.updates': 60 }],
    ['key-door-ppo', { 'run.updates': 30, 'run.seeds': 1 }],
    ['lesson-gigpo', { 'run.updates': 120 }],
    ['lesson-grpo-matched', { 'run.updates': 120 }],
    ['corridor', { 'run.updates': 60 }],
    ['frozen-lake', {}],
    ['maze-two-rooms', { 'run.updates': 60 }],
    ['alarm-panel', { 'task.levels': 0, 'run.seeds': 1 }],
  ] as [string, Record<string, unknown>][])('%s', async (id, changes) => {
    expect(await alarmsOf(id, changes)).toEqual([]);
  });
});
