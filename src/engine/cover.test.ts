import { expect, test } from 'vitest';
import { coverage } from '../contract/coverage.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { sampleRun, train } from './sampleRun.ts';

test('what is covered again pays nothing; alone it counts again, by hand', () => {
  const states = [[1, 2], [2, 3], [1], [4]];
  const { covered, own } = coverage(
    3,
    (t, add) => states[t]!.forEach(add),
    (item) => item,
  );
  expect([...covered]).toEqual([3, 6, 6, 10]);
  expect([...own]).toEqual([3, 5, 1, 4]);
});

const WORLDS = {
  grid: { 'task.grid.level': 'fourRooms', 'task.grid.n': 9 },
  sokoban: { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 40 },
  textmaze: { 'task.method': 'textmaze' },
};

test.each(Object.entries(WORLDS))(
  'gains are never below 0, and no larger than what a state covers: %s',
  async (_, world) => {
    const run = await sampleRun({ ...world, 'reward.subpo.on': true, 'reward.subpo.w': 1, 'run.seeds': 1 });
    await train(run, 1);
    const { batch } = await run.backend.view(0);
    const { B, T, length, reward, covered, cover } = batch;
    for (let i = 0; i < B; i++) {
      expect(covered![i * (T + 1)]).toBe(cover![i * (T + 1)]);
      expect(cover![i * (T + 1)]).toBeGreaterThan(0);
      for (let t = 0; t < length[i]!; t++) {
        expect(reward[i * T + t]).toBeGreaterThanOrEqual(0);
        expect(reward[i * T + t]).toBeLessThanOrEqual(cover![i * (T + 1) + t + 1]!);
      }
    }
  },
);

test('in a room, three seeds cover more by marginal gains than by what is in view', async () => {
  const ROOM = {
    ...{ 'task.grid.level': 'empty', 'task.grid.n': 9, 'task.grid.maxSteps': 30, 'run.seeds': 3, 'run.updates': 60 },
    ...{
      'reward.subpo.on': true,
      'advantage.method': 'aboveStep',
      'policy.method': 'tabular',
      'optimizer.learningRate': 0.1,
    },
  };
  const end = async (pays: string): Promise<number[]> => {
    const run = await sampleRun({ ...ROOM, 'reward.subpo.pays': pays });
    const records = await train(run, 60);
    expect(records.at(-1)!.metrics[metricIndex.shapedReturn + METRICS]).toBeGreaterThan(0);
    return Promise.all(
      [0, 1, 2].map(async (s) => {
        const { B, T, length, covered } = (await run.backend.view(s)).batch;
        let sum = 0;
        for (let i = 0; i < B; i++) sum += covered![i * (T + 1) + length[i]!]!;
        return sum / B;
      }),
    );
  };
  const [gain, modular] = [await end('gain'), await end('modular')];
  expect(Math.min(...gain)).toBeGreaterThan(Math.max(...modular) + 5);
}, 60_000);
