import { expect, test } from 'vitest';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { Followed } from './followed.ts';
import { Snapshots } from './snapshot.ts';

const CLONE = {
  ...{ 'run.backend': 'cpu', 'run.seeds': 1, 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.grid.maxSteps': 20 },
  ...{ 'policy.cloneEpisodes': 8, 'policy.cloneSteps': 120, 'policy.cloneData': 'mixture' },
};

test.each([
  [0, 1],
  [1, 0],
])('a clone of one solver alone follows it: share %d of the second', async (share, first) => {
  const run = await sampleRun({ ...CLONE, 'policy.cloneShare': share });
  await train(run, 1);
  const { measured } = await new Snapshots().make(run, 0);
  expect(measured.followsFirst).toBeCloseTo(first, 1);
  expect(measured.followsSecond).toBeCloseTo(1 - first, 1);
});

test('a mixture of halves follows each about as often; without two solvers there is nothing to follow', async () => {
  const run = await sampleRun(CLONE);
  await train(run, 1);
  const { followsFirst } = new Followed(run.plan).of(await run.backend.view(0), [...Array(run.plan.B).keys()]);
  expect(followsFirst).toBeGreaterThan(0.2);
  expect(followsFirst).toBeLessThan(0.8);
  const other = await sampleRun({ ...CLONE, 'policy.cloneData': 'solver' });
  await train(other, 1);
  expect((await new Snapshots().make(other, 0)).measured).toMatchObject({ followsFirst: null, followsSecond: null });
});

test('by hand: what both would do does not count, and a draw follows neither', async () => {
  const run = await sampleRun(CLONE);
  const { env, level, firstLevelSeed, T, B } = run.plan;
  await train(run, 1);
  const view = await run.backend.view(0);
  const [RIGHT, DOWN] = [0, 1];
  const action = new Uint32Array(B * T);
  const state = new Uint32Array(B * (T + 1) * env.words);
  const length = new Uint32Array(B);
  const rows = [
    [RIGHT, RIGHT, DOWN],
    [DOWN, DOWN, RIGHT],
    [RIGHT, DOWN],
    // along the right wall there is one way only, so the first step alone decides
    [DOWN, RIGHT, RIGHT, RIGHT, RIGHT, DOWN, DOWN, DOWN],
  ];
  rows.forEach((path, i) => {
    length[i] = path.length;
    const at = new Uint32Array(env.words);
    env.reset(level(firstLevelSeed), at, 0);
    path.forEach((a, t) => {
      state.set(at, (i * (T + 1) + t) * env.words);
      action[i * T + t] = a;
      env.step(level(firstLevelSeed), at, 0, { action: a, seed: 1 }, { reward: 0, flags: 0 });
    });
  });
  const of = (...chosen: number[]) =>
    new Followed(run.plan).of({ ...view, state, batch: { ...view.batch, action, length } }, chosen);
  expect(of(0)).toEqual({ followsFirst: 1, followsSecond: 0 });
  expect(of(1)).toEqual({ followsFirst: 0, followsSecond: 1 });
  expect(of(2)).toEqual({ followsFirst: 0, followsSecond: 0 });
  expect(of(0, 1, 2)).toEqual({ followsFirst: 1 / 3, followsSecond: 1 / 3 });
  // right three times where the two disagree, down once
  expect(of(3)).toEqual({ followsFirst: 1, followsSecond: 0 });
});
