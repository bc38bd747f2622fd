import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { presetById } from '../config/presets.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { metricIndex, METRICS, type MetricId } from '../slots/metrics/metrics.ts';
import type { UpdateRecord } from './backend.ts';
import { sampleRun, train } from './sampleRun.ts';

const SEEDS = 3;
const FEW = { 'run.seeds': SEEDS, 'run.updates': 60, 'analysis.evalEvery': 0, 'run.backend': 'cpu' };
const of = (record: UpdateRecord, id: MetricId, s: number): number => record.metrics[s * METRICS + metricIndex[id]]!;
const seeds = Array.from({ length: SEEDS }, (_, s) => s);

test('four levels in a row are learned one by one in 60 updates, and never all at once', async () => {
  const { changes } = presetById('grid-rows-h1')!;
  const staged = await train(await sampleRun({ ...changes, ...FEW }), 60);
  const stages = seeds.map((s) => staged.map((record) => of(record, 'stage', s)));
  for (const reached of stages) {
    expect(reached[0]).toBe(1);
    expect(reached.every((stage, u) => u === 0 || stage === reached[u - 1] || stage === reached[u - 1]! + 1)).toBe(
      true,
    );
  }
  expect(stages.filter((reached) => reached.at(-1) === 4).length).toBeGreaterThanOrEqual(2);
  const last = seeds.map((s) => of(staged.at(-1)!, 'stageSuccess', s));
  expect(last.filter((success) => success > 0.8).length).toBeGreaterThanOrEqual(2);
  const direct = { 'source.method': 'uniform', 'task.levelRow.growEvery': 0 };
  const whole = await train(await sampleRun({ ...changes, ...FEW, ...direct }), 40);
  expect(whole.every((record) => seeds.every((s) => of(record, 'success', s) < 0.1))).toBe(true);
});

test('a task whose last stage is for evaluations alone is refused, with a button, and no other task that grows is', async () => {
  const boards = { 'task.method': 'sokoban', 'task.sokoban.level': 'boxoban', 'source.method': 'h1' };
  const drawn = configWith({ ...boards, 'task.sokoban.practice': 'drawn' });
  const growing = configWith({ ...boards, 'task.sokoban.level': 'reverse', 'task.sokoban.growEvery': 5 });
  for (const config of [drawn, growing]) await prepareTask(config);
  const errors = checkRules(drawn).filter(({ severity }) => severity === 'error');
  expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual([
    'source.method adds stages as they are learned, and the last stage of this task is for evaluations alone',
  ]);
  expect(errors[0]!.repair!.set).toEqual([{ path: 'source.method', value: 'uniform' }]);
  expect(checkRules(growing).filter(({ severity }) => severity === 'error')).toEqual([]);
});
