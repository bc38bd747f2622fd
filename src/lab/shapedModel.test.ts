import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { backwardInduction, discountedOptimum, type Model } from '../core/dp.ts';
import { must } from '../core/problem.ts';
import { enumerate } from '../envs/enumerate.ts';
import { makePlan } from '../engine/plan.ts';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { Grounds } from './creditGround.ts';
import { differing, paidBatch, paidTruth } from './paidTruth.ts';
import { shapedModel } from './shapedModel.ts';

const GAMMA = 0.95;

/** The world and the world as it is paid, with settings of the reward. */
function both(changes: Readonly<Record<string, unknown>>): { readonly world: Model; readonly paid: Model | null } {
  const plan = must(makePlan(configWith({ 'task.grid.level': 'keyDoor', 'task.levels': 1, ...changes })));
  const level = plan.level(plan.firstLevelSeed);
  const seen = enumerate(plan.env, level, 4000)!;
  return { world: seen.model, paid: shapedModel(plan, level, seen) };
}

/** Q*(s, a) without a step limit, and which actions are best in each state. */
function optimum(model: Model): { readonly advantage: Float64Array; readonly best: readonly string[] } {
  const { states, actions: A, offset, next, probability, reward } = model;
  const V = discountedOptimum(model, GAMMA);
  const advantage = Float64Array.from({ length: states * A }, (_, sa) => {
    let q = reward[sa]!;
    for (let k = offset[sa]!; k < offset[sa + 1]!; k++) if (next[k]! >= 0) q += GAMMA * probability[k]! * V[next[k]!]!;
    return q - V[Math.floor(sa / A)]!;
  });
  const best = Array.from({ length: states }, (_, s) =>
    Array.from({ length: A }, (_a, a) => a)
      .filter((a) => advantage[s * A + a]! > -1e-9)
      .join(),
  );
  return { advantage, best };
}

/** A of a policy that prefers some actions, at the first of so many steps that the rest counts nothing. */
function credit(model: Model): Float64Array {
  const { states, actions: A } = model;
  const pi = Float64Array.from({ length: states * A }, (_, sa) => (1 + (sa % A)) / ((A * (A + 1)) / 2));
  const { V, Q } = backwardInduction(model, pi, 700, GAMMA);
  return Float64Array.from({ length: states * A }, (_, sa) => Q[sa]! - V[Math.floor(sa / A)]!);
}

const farthest = (x: Float64Array, y: Float64Array): number =>
  x.reduce((most, value, k) => Math.max(most, Math.abs(value - y[k]!)), 0);

test.each([
  ['distance', {}],
  ['distance, three times', { 'reward.pbrs.w': 3 }],
  ['optimal value', { 'reward.pbrs.potential': 'value' }],
])('potential-based shaping leaves best actions and every advantage as they are: %s', (_, changes) => {
  const { world, paid } = both({ 'reward.pbrs.on': true, 'reward.pbrs.gamma': GAMMA, ...changes });
  expect(farthest(world.reward, paid!.reward)).toBeGreaterThan(0.04);
  const [before, after] = [optimum(world), optimum(paid!)];
  expect(after.best).toEqual(before.best);
  // Φ is told as f32
  expect(farthest(before.advantage, after.advantage)).toBeLessThan(1e-6);
  expect(farthest(credit(world), credit(paid!))).toBeLessThan(1e-6);
});

/** One level of each family; `canGoBack`: a step forward can be taken back and made again, as no push in this corner can. */
const FAMILIES = [
  ['key and door', { 'task.grid.level': 'keyDoor' }, true],
  ['Sokoban', { 'task.method': 'sokoban', 'task.sokoban.level': 'corner' }, false],
  ['a text-maze', { 'task.method': 'textmaze', 'task.textmaze.level': 'threeRooms' }, true],
] as const;

test.each(FAMILIES)(
  'in %s the same actions are best by r and by r′ of potential-based shaping',
  (_, task, canGoBack) => {
    const shaping = { 'reward.pbrs.on': true, 'reward.pbrs.gamma': GAMMA, 'reward.pbrs.w': 3 };
    const { world, paid } = both({ ...task, ...shaping });
    expect(world.states).toBeGreaterThan(5);
    expect(farthest(world.reward, paid!.reward)).toBeGreaterThan(0.04);
    expect(differing({ world, paid: paid! }, GAMMA, 40)).toBe(0);
    const farmed = both({ ...task, 'reward.progress.on': true, 'reward.progress.w': 3 });
    const other = both({ ...task, ...shaping, 'reward.pbrs.gamma': 0.5 });
    expect(differing({ world, paid: other.paid! }, GAMMA, 40)).toBeGreaterThan(world.states / 8);
    expect(differing({ world, paid: farmed.paid! }, GAMMA, 40) > 0).toBe(canGoBack);
  },
);

test('with another discount than that of the credit, and paid on one side, it is another task', () => {
  const changed = both({ 'reward.pbrs.on': true, 'reward.pbrs.gamma': 1 });
  expect(farthest(credit(changed.world), credit(changed.paid!))).toBeGreaterThan(0.005);
  const { world, paid } = both({ 'reward.progress.on': true, 'reward.progress.w': 3 });
  // who follows the best actions reaches the goal in the world, and never in the world as it is paid
  const steps = (model: Model): number => {
    const { best } = optimum(model);
    let [s, t] = [0, 0];
    while (s >= 0 && t < 200) {
      s = model.next[model.offset[s * model.actions + Number(best[s]!.split(',')[0])]!]!;
      t++;
    }
    return t;
  };
  expect(steps(world)).toBeLessThan(20);
  expect(steps(paid!)).toBe(200);
});

test('a module that looks at more than a step has no world of its own', () => {
  for (const changes of [
    { 'reward.gra.on': true },
    { 'reward.pbrs.on': true, 'reward.pbrs.end': 'keep' },
    { 'reward.pbrs.on': true, 'reward.pbrs.potential': 'milestone' },
    { 'reward.pbrs.on': true, 'reward.countBonus.on': true },
    {},
  ])
    expect(both(changes).paid).toBeNull();
});

test('a step of a batch is worth the same by the world and as potential-based shaping pays it, until it is cut', async () => {
  const changes = { 'run.backend': 'cpu', 'reward.pbrs.on': true, 'task.grid.maxSteps': 200, 'analysis.evalEvery': 0 };
  const run = await sampleRun({ 'task.grid.level': 'keyDoor', 'task.levels': 1, 'run.seeds': 1, ...changes });
  await train(run, 1);
  const view = await run.backend.view(0);
  const grounds = new Grounds(run.plan);
  for (const t of [0, 3]) {
    const truth = paidTruth(grounds, view, 0, t)!;
    expect(truth.gamma).toBe(GAMMA);
    expect(Math.abs(truth.world)).toBeGreaterThan(1e-5);
    // what is left of a potential after two hundred steps
    expect(Math.abs(truth.paid - truth.world)).toBeLessThan(1e-4);
  }
  run.dispose();
});

test('what a whole batch was worth by r and by r′ is what each of its steps was', async () => {
  const changes = { 'run.backend': 'cpu', 'reward.progress.on': true, 'analysis.evalEvery': 0 };
  const run = await sampleRun({ 'task.grid.level': 'keyDoor', 'task.levels': 2, 'run.seeds': 1, ...changes });
  await train(run, 1);
  const view = await run.backend.view(0);
  const grounds = new Grounds(run.plan);
  const batch = paidBatch(grounds, view);
  if (typeof batch === 'string') throw new Error(batch);
  expect(batch.isLimited).toBe(true);
  expect(batch.others).toBeGreaterThan(0);
  expect(batch.others).toBeLessThan(batch.states);
  for (const [i, t] of [
    [0, 0],
    [0, 4],
    [run.plan.B - 1, 2],
  ] as const) {
    const one = paidTruth(grounds, view, i, t)!;
    const at = i * run.plan.T + t;
    expect(batch.world[at]).toBe(Math.fround(one.world));
    expect(batch.paid[at]).toBe(Math.fround(one.paid));
    expect(batch.paid[at]).not.toBe(batch.world[at]);
  }
  run.dispose();
});

test('a batch without exact values of r′ says why', async () => {
  const cheap = { 'task.grid.level': 'keyDoor', 'run.seeds': 1, 'run.backend': 'cpu', 'analysis.evalEvery': 0 };
  const why = async (more: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const run = await sampleRun({ ...cheap, ...more });
    await train(run, 1);
    const view = await run.backend.view(0);
    const found = paidBatch(new Grounds(run.plan), view);
    run.dispose();
    return found;
  };
  expect(await why({})).toBe('Nothing is done to the reward of this run.');
  expect(await why({ 'reward.gra.on': true })).toMatch(/depends on more than the state/);
});
