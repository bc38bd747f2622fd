import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { prepareTask } from '../../config/level.ts';
import { coveredBy, radiusOf } from './covered.ts';
import { worldOf } from './world.ts';

test('in a corridor each step adds the next cell in view, and a step back adds nothing', () => {
  const config = configWith({ 'task.grid.level': 'corridor', 'task.grid.n': 6, 'reward.subpo.on': true });
  expect(radiusOf(config)).toBe(1);
  const world = worldOf(config, 1)!;
  const { env, level } = world;
  const state = new Uint32Array(4 * env.words);
  env.reset(level, state, 0);
  [0, 0, 1].forEach((action, t) => {
    state.copyWithin((t + 1) * env.words, t * env.words, (t + 1) * env.words);
    env.step(level, state, (t + 1) * env.words, { action, seed: 1 }, { reward: 0, flags: 0 });
  });
  const at = (t: number) => coveredBy(world, { state, T: 3, words: env.words }, [0, t], 1);
  expect([0, 1, 2, 3].map(at)).toEqual([
    { all: [0, 1], fresh: [0, 1] },
    { all: [0, 1, 2], fresh: [2] },
    { all: [0, 1, 2, 3], fresh: [3] },
    { all: [0, 1, 2, 3], fresh: [] },
  ]);
});

test('nothing is covered where no reward pays for it, or where places are on no map', async () => {
  expect(radiusOf(configWith({}))).toBeNull();
  const maze = configWith({ 'task.method': 'textmaze', 'reward.subpo.on': true });
  await prepareTask(maze);
  const world = worldOf(maze, 1)!;
  const state = new Uint32Array(world.env.words);
  world.env.reset(world.level, state, 0);
  expect(coveredBy(world, { state, T: 0, words: world.env.words }, [0, 0], 1)).toBeNull();
});
