import { expect, test } from 'vitest';
import { must } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { walkOnGpu } from './environmentsOnGpu.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { hall } from '../../envs/fixtures/hall/hall.ts';

const gpu = await testDevice();

test.each([
  ['planes', 30, 0],
  ['planes', 7, 45],
  ['index', 3, 90],
  ['tokens', 9, 20],
] as const)('WGSL walks as the definition, word for word: %s of %i cells', async (view, n, stuck) => {
  for (const seed of [1, 2, 3, 4]) {
    const level = must(hall.level({ n, stuck, view, maxSteps: 30 }, { goal: 1000, step: -7 }, seed));
    const actions = Array.from({ length: 40 }, (_, t) => below(random(seed, 77, t, 0, 0), 2));
    const walk = await walkOnGpu(gpu, hall, level, actions, seed);
    const words = Math.ceil(hall.features(level) / 32);
    const state = new Uint32Array(hall.words);
    const obs = new Uint32Array(words);
    hall.reset(level, state, 0);
    for (let t = 0; t < walk.rows; t++) {
      hall.observe(level, state, 0, obs, 0);
      expect(walk.state.slice(t * hall.words, (t + 1) * hall.words)).toEqual(state);
      expect(walk.obs.slice(t * words, (t + 1) * words)).toEqual(obs);
      if (t < actions.length) hall.step(level, state, 0, { action: actions[t]!, seed }, { reward: 0, flags: 0 });
    }
  }
});
