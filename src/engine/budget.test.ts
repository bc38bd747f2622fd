import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { checkRules } from '../config/rules.ts';
import { must } from '../core/problem.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { budgetOf } from '../slots/wrapper/stepBudget.ts';
import { makePlan, makeTasks } from './plan.ts';
import { sampleRun, train } from './sampleRun.ts';

const HBPO = { 'task.stepBudget.on': true, 'reward.hbpo.on': true, 'advantage.method': 'hbpo', 'run.seeds': 1 };
const WORLDS = {
  grid: {},
  sokoban: { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 40 },
  textmaze: { 'task.method': 'textmaze' },
};

test('budgets are shares of the step limit from the smallest to the largest, in whole steps', () => {
  const of = (levels: number) =>
    Array.from({ length: levels }, (_, j) => budgetOf(j, { levels, least: 0.25, most: 0.7 }, 40));
  expect(of(4)).toEqual([10, 16, 22, 28]);
  expect(of(1)).toEqual([28]);
});

test.each(Object.entries(WORLDS))(
  'the members of a group get each budget equally often and see which; the world is what it was: %s',
  (_, world) => {
    const plan = must(makePlan(configWith({ ...world, ...HBPO, 'rollout.groupSize': 8, 'rollout.tasksPerBatch': 3 })));
    const bare = must(makePlan(configWith({ ...world, 'run.seeds': 1 })));
    const tasks = makeTasks(plan, 0, 'train');
    const features = bare.env.features(bare.level(bare.firstLevelSeed));
    expect(plan.env.features(plan.level(plan.firstLevelSeed))).toBe(features + 4);
    const budgets = Array.from({ length: plan.B }, (_, row) => {
      const level = tasks.levels[tasks.levelOf[row]!];
      const state = new Uint32Array(plan.env.words);
      const obs = new Uint32Array(plan.obsWords).fill(-1);
      plan.env.reset(level, state, 0);
      plan.env.observe(level, state, 0, obs, 0);
      const bit = (f: number): number => (obs[f >>> 5]! >>> (f & 31)) & 1;
      const shown = [0, 1, 2, 3].filter((j) => bit(features + j) === 1);
      expect(shown).toEqual([state[0]]);
      const plain = new Uint32Array(bare.obsWords);
      bare.env.observe(level, state, 1, plain, 0);
      for (let f = 0; f < features; f++) expect(bit(f)).toBe((plain[f >>> 5]! >>> (f & 31)) & 1);
      return plan.env.deal!.budget!(level, state, 0);
    });
    const each = [0.7, 0.55, 0.4, 0.25].map((share) => Math.round(share * plan.T));
    for (let p = 0; p < 3; p++) expect(budgets.slice(8 * p, 8 * p + 8)).toEqual([...each, ...each]);
  },
);

test('a run is paid by its budgets, and an equal budget is an equal intra part', async () => {
  const run = await sampleRun({ ...HBPO, 'task.grid.level': 'corridor', 'task.grid.n': 4, 'rollout.groupSize': 8 });
  await train(run, 2);
  const { batch, parts } = await run.backend.view(0);
  const { budget, budgetReward, taskIndex, T, B, success, length, outcome } = batch;
  for (let i = 0; i < B; i++) {
    expect(budgetReward![i]).toBeCloseTo(Math.cos((Math.PI * budget![i]!) / (2 * T)), 6);
    if (success[i] === 0) expect(outcome[i]).toBe(0);
    else if (length[i]! <= budget![i]!) expect(outcome[i]).toBe(budgetReward![i]);
    for (let j = 0; j < i; j++)
      if (taskIndex[i] === taskIndex[j] && budget![i] === budget![j])
        expect(parts['intra']![i * T]).toBe(parts['intra']![j * T]);
  }
  expect([...success].some((s) => s === 1)).toBe(true);
});

test('without budgets, or without its reward, HBPO is refused with what to switch on, and the repair is enough', () => {
  const errors = (changes: Record<string, unknown>) =>
    checkRules(configWith(changes)).filter((i) => i.severity === 'error');
  for (const changes of [{ 'reward.hbpo.on': true }, { 'advantage.method': 'hbpo' }]) {
    const [issue, ...others] = errors(changes);
    expect(others).toEqual([]);
    const repaired = Object.fromEntries(issue!.repair!.set.map(({ path, value }) => [path, value]));
    expect(errors({ ...changes, ...repaired })).toEqual([]);
  }
});

test('on key and door, three seeds with budgets need fewer steps than with GRPO, at the same success', async () => {
  const last = async (changes: Record<string, unknown>): Promise<{ success: number; length: number }[]> => {
    const run = await sampleRun({ ...changes, 'run.seeds': 3, 'run.updates': 120 });
    const records = await train(run, 120);
    return [0, 1, 2].map((s) => {
      const mean = (id: 'success' | 'lengthMean'): number =>
        records.slice(-20).reduce((sum, r) => sum + r.metrics[s * METRICS + metricIndex[id]]!, 0) / 20;
      return { success: mean('success'), length: mean('lengthMean') };
    });
  };
  const [own, grpo] = [await last(HBPO), await last({ 'advantage.method': 'grpo' })];
  for (const { success } of [...own, ...grpo]) expect(success).toBeGreaterThan(0.95);
  expect(Math.max(...own.map((x) => x.length))).toBeLessThan(Math.min(...grpo.map((x) => x.length)) - 1);
}, 60_000);
