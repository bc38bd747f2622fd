import { expect, test } from 'vitest';
import { bestCredit } from '../slots/advantage/himac.ts';
import { STEP_ROLES } from '../contract/units.ts';
import { sampleRun } from './sampleRun.ts';

const TURNS = {
  ...{ 'run.backend': 'cpu', 'task.subgoals.on': true, 'task.subgoals.mode': 'blueprint', 'run.seeds': 1 },
  ...{ 'task.subgoals.entries': 2, 'task.grid.level': 'custom', 'task.grid.text': 'S.a\n#A#\n..G' },
  ...{
    'rollout.tasksPerBatch': 2,
    'rollout.groupSize': 6,
    'rollout.method': 'blueprints',
    'rollout.blueprints.plans': 3,
  },
  ...{ 'rollout.blueprints.learn': 'turns', 'advantage.method': 'himac', 'advantage.himac.acts': 'best' },
};
const [ACTION, PLAN] = [STEP_ROLES.indexOf('action'), STEP_ROLES.indexOf('plan')];

test('updates alternate: three untrained plans and executions of the best one; then six plans, followed greedily', async () => {
  const run = await sampleRun(TURNS);
  for (let update = 0; update < 4; update++) {
    await run.submit();
    const { batch, probs } = await run.backend.view(0);
    const { B, T, length, action, taskIndex, outcome } = batch;
    const parents = Array.from(batch.branchParent!);
    const roles = Array.from({ length: B * T }, (_, k) => batch.decides![k]!);
    const { macro, micro } = bestCredit(batch as never);
    for (let i = 0; i < B; i++) {
      const isPlan = update % 2 === 1 || i < 6;
      expect(parents[i]! < 0).toBe(isPlan);
      expect(batch.trains![i]).toBe(update % 2 === 0 && isPlan ? 0 : 1);
      // who does not learn has no credit where rows train
      if (batch.trains![i] === 1) expect(update % 2 === 0 ? macro[i] : micro[i]).toBe(0);
      const plans = Array.from({ length: 6 }, (_, j) => j).filter((j) => taskIndex[j] === taskIndex[i]);
      const best = plans.reduce((a, b) => (outcome[b]! > outcome[a]! ? b : a));
      if (!isPlan) expect(parents[i]).toBe(best);
      for (let t = 0; t < length[i]! && isPlan; t++) {
        const k = i * T + t;
        if (roles[k] !== ACTION) continue;
        const p = probs.subarray(k * run.plan.actions, (k + 1) * run.plan.actions);
        expect(action[k]).toBe(p.indexOf(Math.max(...p)));
      }
      expect(roles[i * T]).toBe(PLAN);
    }
  }
  run.dispose();
});

test('in turns or at once, plans are drawn alike: in an update of the executor the first plans are those of a run at once', async () => {
  const plansOf = async (learn: string): Promise<number[]> => {
    const run = await sampleRun({ ...TURNS, 'rollout.blueprints.learn': learn });
    await run.submit();
    const { batch } = await run.backend.view(0);
    const found = Array.from({ length: 6 }, (_, i) => batch.action[i * batch.T]!);
    run.dispose();
    return found;
  };
  expect(await plansOf('turns')).toEqual(await plansOf('together'));
});
