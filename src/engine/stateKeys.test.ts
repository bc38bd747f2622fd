import { expect, test } from 'vitest';
import { configWith, getValue } from '../config/schema.ts';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { checkRules } from '../config/rules.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { createRun } from './run.ts';

const SMALL = { 'run.backend': 'cpu', 'run.seeds': 1, 'run.updates': 2, 'run.seed': 1 } as const;

async function firstUpdates(preset: string, changes: Readonly<Record<string, unknown>>) {
  const config = configWith({ ...SMALL, ...changes }, presetConfig(presetById(preset)!));
  await prepareTask(config);
  const run = must(await createRun(config));
  const records = [await run.submit(), await run.submit()];
  run.dispose();
  return records;
}

test('in Sokoban reduced keys join more steps, and change nothing that is played before the first update', async () => {
  const [exact] = await firstUpdates('sokoban-one-box', {});
  const [reduced] = await firstUpdates('sokoban-one-box', { 'task.stateKeys': 'reduced' });
  expect([...reduced!.hash]).toEqual([...exact!.hash]);
  const share = (record: typeof exact): number => record!.metrics[metricIndex.anchorShare]!;
  expect(share(reduced)).toBeGreaterThan(share(exact));
});

test.each(['symmetric', 'bisimulation'])(
  'with %s keys a run trains, and gives the same numbers again',
  async (mode) => {
    const changes = {
      'task.grid.level': 'empty',
      'task.grid.n': 5,
      'task.grid.view': 'planes',
      'policy.method': 'mlp',
    };
    const once = await firstUpdates('key-door', { ...changes, 'task.stateKeys': mode });
    const again = await firstUpdates('key-door', { ...changes, 'task.stateKeys': mode });
    expect(once.map(({ hash }) => [...hash])).toEqual(again.map(({ hash }) => [...hash]));
    expect(once[1]!.metrics[metricIndex.success]).not.toBeNaN();
  },
);

test('the form says that keys other than exact train on the CPU, and offers that', () => {
  const config = configWith({ 'task.stateKeys': 'reduced', 'run.backend': 'auto' });
  const issue = checkRules(config).find(({ path, severity }) => path === 'task.stateKeys' && severity === 'error')!;
  expect(issue.message).toContain('CPU');
  const mended = issue.repair!.set.reduce((now, { path, value }) => configWith({ [path]: value }, now), config);
  expect(getValue(mended, 'run.backend')).toBe('cpu');
  expect(checkRules(mended).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('the form says where a level has too many states for keys by bisimulation', async () => {
  const messagesOf = async (changes: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const config = configWith({ 'task.stateKeys': 'bisimulation', 'run.backend': 'cpu', ...changes });
    await prepareTask(config);
    return checkRules(config)
      .filter(({ path }) => path === 'task.stateKeys')
      .map(({ message }) => message);
  };
  expect(await messagesOf({ 'task.grid.level': 'empty', 'task.grid.n': 5 })).toEqual([]);
  const [told] = await messagesOf({
    ...{ 'task.method': 'sokoban', 'task.sokoban.level': 'reverse', 'task.sokoban.boxes': 4 },
    ...{ 'task.sokoban.w': 10, 'task.sokoban.h': 10 },
  });
  expect(told).toContain('more than 20,000 states');
});
