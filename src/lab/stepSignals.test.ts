import { expect, test } from 'vitest';
import { sampleRun, train } from '../engine/sampleRun.ts';
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
