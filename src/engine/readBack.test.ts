import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makePlan } from './plan.ts';

async function waitsFor(changes: Readonly<Record<string, unknown>>): Promise<string[]> {
  const config = configWith(changes);
  await prepareTask(config);
  return must(makePlan(config)).metricsReadBack.map(({ id }) => id);
}

test('no run on WebGPU waits for a metric that it does not have', async () => {
  expect(await waitsFor({})).toEqual([]);
  expect(await waitsFor({ 'task.method': 'sokoban', 'advantage.method': 'gae' })).toEqual([]);
  expect(await waitsFor({ 'task.subgoals.on': true })).toEqual(['switchRate', 'segmentLength', 'segmentsReached']);
});
