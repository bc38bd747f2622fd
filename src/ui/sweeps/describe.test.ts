import { expect, test } from 'vitest';
import { configWith, defaultConfig, fieldAt, getValue, parseConfig, sameValue } from '../../config/schema.ts';
import { readDescription } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { useCompare } from './compareStore.ts';
import { describe, firstValues, nextValue, optionsOf, valuesAround, varyable } from './describe.ts';
import { secondsOfSweep } from './estimate.ts';
import { SUGGESTIONS } from './suggestions.ts';

const config = defaultConfig();

async function sweepOf(changes: object): Promise<Sweep> {
  const read = readDescription(describe({ ...useCompare.getState(), ...changes }, config));
  const sweep = typeof read === 'string' ? read : await expand(read, config);
  if (typeof sweep === 'string') throw new Error(sweep);
  return sweep;
}

test('every suggestion can be trained over the first experiment', async () => {
  const sizes: Record<string, number[]> = {};
  for (const { label, of } of SUGGESTIONS) {
    const { groups, cells } = await sweepOf(of(config));
    sizes[label] = [groups.length, cells.length];
  }
  expect(sizes).toEqual({
    'Four estimators': [4, 32],
    'GRPO and GiGPO, update sizes matched or not': [4, 32],
    'Four trust regions, four epochs': [4, 32],
    'Four ways to learn from old data': [8, 32],
    'Four ways to spend environment steps': [4, 20],
    'Forked episodes, compared with relatives or not': [2, 10],
    'Learning rates': [5, 25],
  });
});

test('one change at a time: the experiment as it is, then every other value alone', async () => {
  const varied = [
    { path: 'advantage.method', values: ['gigpo', 'grpo'] },
    { path: 'rollout.groupSize', values: [4, 8, 16] },
  ];
  const { groups } = await sweepOf({ kind: 'single', varied });
  expect(groups.map(({ name }) => name)).toEqual([
    'as it is',
    'GRPO, group size 8',
    'GiGPO, group size 4',
    'GiGPO, group size 16',
  ]);
});

test('update sizes are matched alone or along with something else', async () => {
  const varied = [{ path: 'rollout.groupSize', values: [4, 8] }];
  for (const match of ['updates', 'gradientSteps', 'environmentSteps', 'seconds'] as const) {
    const { groups, cells } = await sweepOf({ varied, match, isSizeMatched: true, steps: 700, seconds: 3 });
    expect(groups.map((group) => getValue(group.config, 'revise.matchSize.on'))).toEqual([true, true]);
    expect(cells[0]!.limit?.amount).toBe({ environmentSteps: 700, seconds: 3 }[match as string]);
  }
});

test('every setting that can be varied begins with two values that it takes', () => {
  const offered = varyable(config);
  expect(offered.length).toBeGreaterThan(30);
  for (const field of offered) {
    const values = firstValues(field, config);
    expect(new Set(values.map(String)).size, field.path).toBe(values.length);
    expect(values.length, field.path).toBe(2);
    const { setting } = field;
    if (setting?.kind !== 'number' && setting?.kind !== 'integer') continue;
    for (const x of values as number[]) {
      expect(x, field.path).toBeGreaterThanOrEqual(setting.min);
      expect(x, field.path).toBeLessThanOrEqual(setting.max);
    }
  }
  expect(offered.map(({ path }) => path)).not.toContain('run.seed');
});

test('what has all its options has no further value', () => {
  const field = fieldAt('optimizer.schedule')!;
  expect(nextValue(field, optionsOf(field)!)).toBeNull();
});

test('the time of a sweep is that of its runs, shared by the cores', async () => {
  const sweep = await sweepOf({
    varied: [{ path: 'rollout.groupSize', values: [4, 8] }],
    match: 'updates',
    updates: 10,
    seeds: 3,
  });
  const paces = [
    { secondsPerUpdate: 1, stepsPerUpdate: 5 },
    { secondsPerUpdate: 2, stepsPerUpdate: 5 },
  ];
  const onCpu = (lanes: number) => ({ backend: 'cpu' as const, lanes });
  expect(secondsOfSweep(sweep, paces, onCpu(1))).toBe(3 * (10 + 20));
  expect(secondsOfSweep(sweep, paces, onCpu(3))).toBe(10 + 20);
  // a group that was not measured takes as long as the others
  expect(secondsOfSweep(sweep, paces.slice(0, 1), onCpu(1))).toBe(6 * 10);
  const bySteps = { ...sweep, cells: sweep.cells.map((cell) => ({ ...cell, config: configWith({}, cell.config) })) };
  const limited = bySteps.cells.map((cell) => ({ ...cell, limit: { of: 'environmentSteps' as const, amount: 50 } }));
  expect(secondsOfSweep({ ...sweep, cells: limited }, paces, onCpu(1))).toBe(3 * (10 + 20));
  // on WebGPU the seeds of a version are one batch, and batches follow each other
  expect(secondsOfSweep(sweep, paces, { backend: 'webgpu', lanes: 3 })).toBe(10 + 20);
});

test('“Vary this” gives values on both sides of the one that is set, and every setting can be compared with them', async () => {
  const around = (path: string, set: unknown): readonly unknown[] =>
    valuesAround(fieldAt(path)!, configWith({ [path]: set }));
  expect(around('optimizer.learningRate', 0.003)).toEqual([0.001, 0.003, 0.009]);
  expect(around('rollout.groupSize', 8)).toEqual([4, 8, 16]);
  expect(around('advantage.gae.gamma', 0.99)).toEqual([0.98, 0.99, 0.995]);
  expect(around('advantage.reinforcePP.gamma', 1)).toEqual([0.95, 0.99, 1]);
  expect(around('revise.matchSize.on', true)).toEqual([false, true]);
  for (const field of varyable(config)) {
    const values = valuesAround(field, config);
    expect(values.length, field.path).toBeGreaterThan(1);
    expect(new Set(values).size, field.path).toBe(values.length);
    expect(
      values.some((value) => sameValue(value, getValue(config, field.path))),
      field.path,
    ).toBe(true);
    for (const value of values) expect(parseConfig(configWith({ [field.path]: value })).ok, field.path).toBe(true);
  }
});
