import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { backwardInduction } from '../core/dp.ts';
import { must } from '../core/problem.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG } from '../envs/types.ts';
import { changesAt } from '../envs/perturb/gated.ts';
import { makePlan, type Plan } from './plan.ts';
import { expectAmongOutcomes } from './samplePlay.ts';

const planOf = (changes: Readonly<Record<string, unknown>>): Plan =>
  must(
    makePlan(
      configWith({ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.externalChain.on': true, ...changes }),
    ),
  );

test('an open gate lets steps through, a shut one stops them, and it changes when its seed says so', () => {
  const { env, level, firstLevelSeed } = planOf({ 'task.externalChain.switching': 400, 'task.grid.maxSteps': 40 });
  const made = level(firstLevelSeed);
  let shutSteps = 0;
  for (let seed = 0; seed < 20; seed++) {
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(made, state, 0);
    for (let t = 0; t < 40 && state[env.words - 1]! >>> 16 === 0; t++) {
      const [wasShut, cell] = [state[0]!, env.cell(state, 0)];
      env.step(made, state, 0, { action: 0, seed }, result);
      expect(env.cell(state, 0)).toBe(cell + (wasShut === 1 ? 0 : 1));
      if (wasShut === 1) expect(result.flags & FLAG.noEffect).toBe(FLAG.noEffect);
      shutSteps += wasShut;
      expect(state[0]).toBe(wasShut ^ (changesAt(seed, t, 400) ? 1 : 0));
    }
  }
  expect(shutSteps).toBeGreaterThan(10);
});

test('the best policy succeeds exactly as often as walking n open steps in time: with no time to lose, (1 − p)^(n − 1)', () => {
  const plan = planOf({ 'task.grid.maxSteps': 4 });
  const made = plan.level(plan.firstLevelSeed);
  const { model } = enumerate(plan.env, made, 1000)!;
  const right = new Float64Array(model.states * model.actions);
  for (let s = 0; s < model.states; s++) right[s * model.actions] = 1;
  expect(backwardInduction(model, right, 4, 1, 'success').V[0]).toBeCloseTo(0.9 ** 3, 12);
});

test.each([
  { 'task.grid.level': 'keyDoor', 'task.externalChain.shown': false },
  { 'task.levelRow.on': true, 'task.levelRow.carries': true },
])('what a step does is among its outcomes: %o', (changes) => {
  expectAmongOutcomes(planOf(changes), { episodes: 10, steps: 40 });
});

test('a hidden gate adds nothing to what is seen, a shown one a bit', () => {
  const features = (changes: Readonly<Record<string, unknown>>): number => {
    const { env, level, firstLevelSeed } = planOf(changes);
    return env.features(level(firstLevelSeed));
  };
  expect(features({})).toBe(features({ 'task.externalChain.shown': false }) + 1);
});
