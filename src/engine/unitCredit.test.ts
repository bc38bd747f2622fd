import { expect, test } from 'vitest';
import { thetaOf } from '../contract/state.ts';
import { actionTree, legalSlots, roleAt, unitsIn, Units } from '../contract/units.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { given } from '../slots/advantage/given.ts';
import { defineEstimator, type Estimator } from '../slots/types.ts';
import { treeOf } from '../networks/policy.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, type Plan } from './plan.ts';
import { Run } from './run.ts';
import { train } from './sampleRun.ts';
import { firstWord, perStep, spread, worth, WRITTEN } from '../check/golden/unitEstimators.ts';

const planOf = (estimator: Estimator, changes: Readonly<Record<string, unknown>> = {}): Plan => ({
  ...must(makePlan(configWith({ ...WRITTEN, ...changes }))),
  estimator,
  estimatorParams: {},
});

async function thetaAfter(plan: Plan): Promise<Float32Array> {
  const run = await Run.create(plan, makeCpuBackend);
  const first = thetaOf(await run.backend.save()).slice();
  await train(run, 3);
  const theta = thetaOf(await run.backend.save());
  expect(theta).not.toEqual(first);
  run.dispose();
  return theta;
}

test('credit per step is broadcast to the units of the step: an estimator that says so of each unit trains to the same bits', async () => {
  expect(await thetaAfter(planOf(spread))).toEqual(await thetaAfter(planOf(perStep)));
});

test('credit per unit is taken as it is: without credit for later words other weights are learned', async () => {
  expect(await thetaAfter(planOf(firstWord))).not.toEqual(await thetaAfter(planOf(perStep)));
});

test('with a ratio per command all its words share the mean of their credit', async () => {
  const changes = { 'objective.ratioLevel': 'step' };
  expect(await thetaAfter(planOf(spread, changes))).toEqual(await thetaAfter(planOf(perStep, changes)));
});

test('a survey judges every unit by its own credit', async () => {
  const changes = { 'objective.method': 'clipCov' };
  expect(await thetaAfter(planOf(spread, changes))).toEqual(await thetaAfter(planOf(perStep, changes)));
  expect(await thetaAfter(planOf(firstWord, changes))).not.toEqual(await thetaAfter(planOf(perStep, changes)));
});

test('charts get the mean over the units of a step, and an estimator learns how many there are', async () => {
  const plan = planOf(firstWord);
  const run = await Run.create(plan, makeCpuBackend);
  await train(run, 1);
  const { batch, A } = await run.backend.view(0);
  const units = given(batch, 'units');
  const tree = treeOf(plan.policy);
  expect(batch.K).toBe(tree.decisions);
  expect(new Set(units)).toEqual(new Set([1, 2]));
  for (let i = 0; i < batch.B; i++)
    for (let t = 0; t < batch.T; t++) {
      const step = i * batch.T + t;
      const isReal = t < batch.length[i]!;
      expect(units[step]! > 0).toBe(isReal);
      expect(A[step]).toBe(isReal ? Math.fround(worth(step) / units[step]!) : 0);
    }
  run.dispose();
});

test('a dense policy has one unit a step, whose role is action; a command is made of words', () => {
  const tree = actionTree(3);
  const units = new Units(tree, 1);
  units.at(Float32Array.of(9, 1, 2, 3), 1, 0b101);
  units.follow(2);
  expect([units.n, units.slot[0], roleAt(tree, 0), legalSlots(tree, 0, 0b101)]).toEqual([1, 2, 'action', 2]);
  // only the first and the last are legal: log π = 3 − log(e¹ + e³)
  expect(units.logp[0]).toBeCloseTo(3 - Math.log(Math.exp(1) + Math.exp(3)), 10);
  expect(units.p[1]).toBe(0);
  const words = treeOf(planOf(perStep).policy);
  expect(roleAt(words, 0)).toBe('word');
  const [prefix, slot] = [new Int32Array(words.decisions), new Int32Array(words.decisions)];
  words.commands.forEach((command, action) => {
    const n = unitsIn(words, command, prefix, slot);
    expect(words.slots[slot[n - 1]!]!.action).toBe(action);
  });
});

test('an estimator per unit also works where a step is one: its K is 1', async () => {
  const dense = { 'policy.method': 'mlp', 'policy.mlp.hidden': [8] };
  const one: Estimator = defineEstimator({ ...perStep, id: 'one', perUnit: true });
  expect(await thetaAfter(planOf(one, dense))).toEqual(await thetaAfter(planOf(perStep, dense)));
});
