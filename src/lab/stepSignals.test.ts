import { expect, test } from 'vitest';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { episodeSignals } from './episodeSignals.ts';
import { stepSignals } from './stepSignals.ts';

const SIZES = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'policy.mlp.hidden': [8], 'run.seeds': 2 };
const KEYS = {
  ...SIZES,
  'task.grid.level': 'keyDoor',
  'task.grid.maxSteps': 40,
  'task.grid.slip': [1, 8, 1],
  'reward.pbrs.on': true,
};

test('signals of a step are the columns that a run computes where a module needs them, chance in the world included', async () => {
  const run = await sampleRun(KEYS);
  await train(run, 2);
  const { plan } = run;
  for (const s of [0, 1]) {
    const view = await run.backend.view(s);
    const { phi, length } = view.batch;
    for (let i = 0; i < plan.B; i++)
      for (let t = 0; t < length[i]!; t++) {
        const told = stepSignals(plan, view, i, t)!;
        const at = i * (plan.T + 1) + t;
        expect(told.potential, `${i}, ${t}`).toEqual({ of: 'distance', phi: [phi![at], phi![at + 1]] });
      }
  }
});

test('a run without any module that needs them tells the same; refusals stay where they are', async () => {
  const corridor = { ...SIZES, 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.grid.maxSteps': 8 };
  const run = await sampleRun(corridor);
  await train(run, 1);
  const { plan } = run;
  const view = await run.backend.view(0);
  let refused = 0;
  for (let i = 0; i < plan.B; i++)
    for (let t = 0; t < view.batch.length[i]!; t++) {
      const told = stepSignals(plan, view, i, t)!;
      const at = (i * (plan.T + 1) + t) * plan.env.words;
      const stays = plan.env.cell(view.state, at) === plan.env.cell(view.state, at + plan.env.words);
      // in a corridor every move that is possible changes the cell
      expect(told.isRefused).toBe(stays);
      expect(told.potential.phi[1] - told.potential.phi[0] > 0).toBe(
        plan.env.cell(view.state, at + plan.env.words) > plan.env.cell(view.state, at),
      );
      if (stays) refused++;
    }
  expect(refused).toBeGreaterThan(0);
});

test('a step that does not lead where the stored state says tells nothing', async () => {
  const run = await sampleRun({ ...SIZES, 'task.grid.level': 'corridor', 'task.grid.n': 4 });
  await train(run, 1);
  const view = await run.backend.view(0);
  const state = view.state.slice();
  state[run.plan.env.words]! ^= 1;
  expect(stepSignals(run.plan, view, 0, 0)).not.toBeNull();
  expect(stepSignals(run.plan, { ...view, state }, 0, 0)).toBeNull();
});

test('signals of an episode are the columns that a run computes where its modules need them', async () => {
  const needing = { 'reward.gra.on': true, 'reward.refusals.on': true };
  const run = await sampleRun({ ...KEYS, ...needing });
  await train(run, 2);
  const { plan } = run;
  const view = await run.backend.view(1);
  const { batch } = view;
  let [reached, refused] = [0, 0];
  for (let i = 0; i < plan.B; i++) {
    const told = episodeSignals(plan, view, i);
    if (typeof told === 'string') throw new Error(told);
    const n = batch.length[i]!;
    const of = (column: Float32Array): number[] => [...column.subarray(i * plan.T, i * plan.T + n)];
    expect([...told.isNew]).toEqual(of(batch.novel!));
    expect([...told.refused]).toEqual(of(batch.grounded!).map((x) => 1 - x));
    expect([...told.phi]).toEqual([...batch.phi!.subarray(i * (plan.T + 1), i * (plan.T + 1) + n + 1)]);
    expect(told.completion).toHaveLength(n + 1);
    reached += told.reached.filter((k) => k > 0).length;
    refused += told.refused.reduce((sum, x) => sum + x, 0);
    for (let t = 0; t < n; t++) {
      const step = stepSignals(plan, view, i, t)!;
      expect(step.reached.at(-1) ?? 0).toBe(told.reached[t]);
      expect([step.isRepeated, step.isHard].map(Number)).toEqual([told.repeated[t], told.hard[t]]);
    }
  }
  expect(reached).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

test('an episode with a step that cannot be repeated says so in one sentence', async () => {
  const run = await sampleRun({ ...SIZES, 'task.grid.level': 'corridor', 'task.grid.n': 4 });
  await train(run, 1);
  const view = await run.backend.view(0);
  const state = view.state.slice();
  state[run.plan.env.words]! ^= 1;
  expect(episodeSignals(run.plan, { ...view, state }, 0)).toMatch(/^The steps of this episode cannot be repeated/);
});
