import { describe, expect, test } from 'vitest';
import { forkConfig } from '../config/fork.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { usedSteps } from '../contract/tasks.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { createRun, Run } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';

/** A task that is learned from near its goal outwards, with doors and a slippery floor: few episodes begin at its start. */
const NEAR = {
  ...{ 'run.backend': 'cpu', 'run.updates': 12, 'run.seeds': 2, 'policy.method': 'tabular' },
  ...{ 'task.grid.level': 'keyDoor', 'task.levels': 2, 'task.grid.maxSteps': 40, 'task.grid.slip': [1, 8, 1] },
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'advantage.method': 'grpo' },
  ...{ 'source.method': 'startDistance' },
};
const WAYS = {
  spear: { 'rollout.method': 'spear', 'rollout.spear.rise': 4, 'rollout.spear.rows': 6 },
  weightedReplay: { 'rollout.method': 'weightedReplay' },
  relift: { 'rollout.method': 'relift', 'rollout.relift.size': 1, 'source.startDistance.first': 0.7 },
  expertIteration: {
    ...{ 'rollout.method': 'expertIteration', 'rollout.expertIteration.every': 2 },
    ...{ 'rollout.expertIteration.plateau': 'restart', 'rollout.expertIteration.window': 2 },
  },
} as const;

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  test('plays episodes again from the saved states that they began in, and all come out as they were', async () => {
    const run = await sampleRun({ ...NEAR, ...way });
    const { env, T, level } = run.whole;
    const start = new Uint32Array(env.words);
    let [saved, all] = [0, 0];
    for (let u = 0; u < 8; u++) {
      await train(run, 1);
      const { beside } = await run.backend.view(1);
      if (!beside) continue;
      expect(beside.left).toBe(0);
      beside.rows.forEach((_row, i) => {
        const first = beside.state.subarray(i * (T + 1) * env.words, (i * (T + 1) + 1) * env.words);
        env.reset(level(beside.levelSeeds[i]!), start, 0);
        const isSaved = first.some((word, w) => word !== start[w]);
        if (isSaved) expect(usedSteps([...first])).toBeLessThan(T);
        saved += Number(isSaved);
        all++;
      });
    }
    expect(all).toBeGreaterThan(2);
    expect(saved / all).toBeGreaterThan(0.5);
  });

  test('a pause, a fork and a seed beside another one change nothing of what is remembered', async () => {
    const config = configWith({ ...NEAR, ...way });
    const whole = must(await createRun(config));
    const records = await train(whole, 10);
    const first = must(await createRun(config));
    await train(first, 5);
    const second = must(await createRun(config));
    await second.restore(await first.checkpoint());
    await train(second, 5);
    expect((await second.checkpoint()).state).toEqual((await whole.checkpoint()).state);
    const alone = must(
      await createRun(configWith({ 'run.seeds': 1, 'run.seed': Number(config.run['seed']) + 1 }, config)),
    );
    await train(alone, 10);
    expect((await alone.digest()).perSeed[0]).toBe((await whole.digest()).perSeed[1]);
    // a fork with another learning rate repeats its parent, and can be paused itself
    const fork = must(await createRun(forkConfig(config, 6, configWith({ 'optimizer.learningRate': 0.02 }, config))));
    expect((await train(fork, 7)).slice(0, 6)).toEqual(records.slice(0, 6));
    const again = await Run.create(fork.whole, makeCpuBackend, await fork.checkpoint());
    await Promise.all([train(fork, 2), train(again, 2)]);
    expect((await again.checkpoint()).state).toEqual((await fork.checkpoint()).state);
  });
});
