import { expect, test } from 'vitest';
import { enumerate } from '../envs/enumerate.ts';
import { returnOf, sqirl } from '../lab/analysis/sqirl.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { foundAt } from '../slots/rollout/sqirl/table.ts';
import { presetById } from '../config/presets.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.seeds': 1, 'rollout.method': 'sqirl', 'rollout.tasksPerBatch': 4 },
  ...{ 'rollout.groupSize': 8, 'analysis.evalEvery': 0, 'task.grid.maxSteps': 8 },
};
const LEVELS = [
  { 'task.grid.level': 'corridor', 'task.grid.n': 4 },
  { 'task.grid.level': 'empty', 'task.grid.n': 3, 'reward.grid.step': -20 },
];

test.each(LEVELS.flatMap((level) => [1, 3].map((k) => [level, k] as const)))(
  'a run finds the table that the tool finds with the same draws, in as many steps: %o, k = %d',
  async (level, k) => {
    const batches = 2;
    const run = await sampleRun({
      ...SMALL,
      ...level,
      ...{ 'rollout.sqirl.batches': batches, 'rollout.sqirl.backups': k },
    });
    const { env, T, B, actions, level: levelOf, firstLevelSeed } = run.plan;
    const played: Uint32Array[] = [];
    let steps = 0;
    for (let u = 0; u < T * batches; u++) {
      const [record] = await train(run, 1);
      steps += record!.envSteps;
      played.push((await run.backend.view(0)).batch.action.slice());
    }
    const { model, states } = enumerate(env, levelOf(firstLevelSeed), 2000)!;
    // what the run drew is handed to the tool: action a as a number in the a-th part of [0, 1)
    const chance = (t: number, episode: number, n: number): number => {
      const batch = played[t * batches + Math.floor(episode / B)]!;
      return n % 2 === 0 ? (batch[(episode % B) * T + n / 2]! + 0.5) / actions : 0;
    };
    const found = sqirl(model, T, { k, m: B * batches, seed: 0, chance });
    expect(steps).toBe(found.steps);
    const table = (await run.checkpoint()).state.tensors['sqirl.found'] as Uint32Array;
    const key = new Uint32Array(2);
    const ofRun = Int32Array.from({ length: T * model.states }, (_, at) => {
      const s = at % model.states;
      env.key(levelOf(firstLevelSeed), states, s * env.words, key, 0);
      return foundAt(table, Math.floor(at / model.states), firstLevelSeed, key);
    });
    expect(ofRun).toEqual(found.policy);
    expect(found.policy.some((a) => a >= 0)).toBe(true);
    expect(returnOf(model, T, { policy: ofRun })).toBe(returnOf(model, T, found));
  },
);

test('nothing but the imitation moves the network, and paused and resumed it goes on with the same bits', async () => {
  const changes = { ...SMALL, ...LEVELS[0]!, 'rollout.sqirl.rate': 0 };
  const run = await sampleRun(changes);
  const start = (await run.checkpoint()).state.tensors['theta']!.slice();
  await train(run, 5);
  const saved = await run.checkpoint();
  expect(saved.state.tensors['theta']).toEqual(start);
  const [, after] = await train(run, 2);
  const other = await sampleRun(changes);
  await other.restore(saved);
  expect((await train(other, 2))[1]!.hash).toEqual(after!.hash);
});

test('on key and door all of five seeds find the way by uniform play and greed alone, and the network learns it', async () => {
  const run = await sampleRun({
    ...presetById('key-door-sqirl')!.changes,
    ...{ 'analysis.evalEvery': 30 },
  });
  const records = await train(run, 90);
  const last = records.at(-1)!.metrics;
  const width = last.length / 5;
  for (let s = 0; s < 5; s++) {
    expect(last[s * width + metricIndex.success]).toBe(1);
    expect(last[s * width + metricIndex.evalSuccess]).toBeGreaterThan(0.8);
  }
  const early = records[4]!.metrics;
  for (let s = 0; s < 5; s++) expect(early[s * width + metricIndex.success]).toBeLessThan(0.5);
});
