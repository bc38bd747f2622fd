import { expect, test } from 'vitest';
import { trainAlike } from '../../check/sideBySide.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { sampleRun } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const SMALL = {
  ...{ 'run.seeds': 2, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'policy.mlp.hidden': [5] },
  ...{ 'task.levels': 2, 'analysis.evalEvery': 0, 'optimizer.learningRate': 0.05 },
};

/** Trains both for two updates, the second with what the first has learned; the rewards of the device and of the definition. */
async function paidAlike(changes: Readonly<Record<string, unknown>>, depth = 2) {
  const [onGpu, onCpu] = [
    await sampleRun({ ...SMALL, ...changes }, gpuBackendOn(gpu)),
    await sampleRun({ ...SMALL, ...changes }),
  ];
  expect(onGpu.backend.depth).toBe(depth);
  await trainAlike(onGpu, onCpu, 2, ['shapedReturn', 'creditRms', 'returnMean', 'gradNorm']);
  const views = [];
  for (const s of [0, 1]) views.push([await onGpu.backend.view(s), await onCpu.backend.view(s)] as const);
  onGpu.dispose();
  onCpu.dispose();
  return views;
}

const COVERS = { 'advantage.method': 'aboveStep', 'reward.subpo.on': true, 'reward.subpo.w': 1 };
const TAUGHT = {
  ...{ 'task.grid.level': 'keyDoor', 'task.grid.maxSteps': 30, 'task.grid.maskActions': true },
  ...{ 'task.teacher.on': true, 'reward.beacons.on': true, 'reward.beacons.w': 1 },
};
const MAZE = `rooms: hall attic vault
start: hall
edge: hall north attic
edge: attic north vault
key: yellow hall
key: blue attic
item: coin hall
item: cup attic
goal: reach vault`;
const ROOM = { 'task.grid.level': 'empty', 'task.grid.n': 7, 'task.grid.maxSteps': 20 };

test.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['cells in view', ROOM],
  ['cells in view up to walls', { 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 20, 'reward.subpo.radius': 5 }],
  ['every cell again and again', { ...ROOM, 'reward.subpo.pays': 'modular', 'reward.subpo.radius': 2 }],
  ['all so far', { ...ROOM, 'reward.subpo.pays': 'prefix' }],
  [
    'words of wrappers in front of a state, fresh levels, slips',
    {
      ...{ 'task.grid.level': 'keyDoor', 'task.grid.slip': [1, 8, 1], 'task.levels': 0, 'task.grid.maxSteps': 12 },
      ...{ 'task.stepBudget.on': true, 'task.actionDelay': 1, 'reward.subpo.radius': 1 },
    },
  ],
  ['where boxes stood', { 'task.method': 'sokoban', 'task.sokoban.boxes': 2, 'task.sokoban.maxSteps': 20 }],
  [
    'rooms and what was put there',
    {
      ...{ 'task.method': 'textmaze', 'task.textmaze.level': 'custom', 'task.textmaze.maxSteps': 30 },
      ...{ 'task.textmaze.text': MAZE, 'task.textmaze.maskActions': true, 'task.levels': 1 },
    },
  ],
])('what is covered pays on WebGPU as on the CPU: %s', async (_, changes) => {
  for (const [mine, theirs] of await paidAlike({ ...COVERS, ...changes })) {
    // whole numbers
    expect(mine.batch.reward).toEqual(theirs.batch.reward);
    expect(new Set(theirs.batch.reward).size).toBeGreaterThan(1);
    expect(theirs.A.some((x) => x !== 0)).toBe(true);
  }
});

test.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['a teacher of every episode', {}],
  ['one who errs, and episodes without one', { 'task.teacher.wrong': 0.5, 'task.teacher.alone': 0.5 }],
  ['levels of one to seven subgoals', { 'task.levels': 0, 'task.grid.level': 'ladder' }],
  ['words of another wrapper in front', { 'task.hints.on': true }],
])('subgoals of a teacher pay on WebGPU as on the CPU: %s', async (_, changes) => {
  const taught = { ...TAUGHT, ...changes };
  let paid = 0;
  for (const [mine, theirs] of await paidAlike(taught)) {
    for (const [k, r] of theirs.batch.reward.entries()) {
      const own = r - theirs.world!.reward[k]!;
      if (own !== 0) paid++;
      // two divisions and two products of numbers up to 1
      expect(Math.abs(mine.batch.reward[k]! - r)).toBeLessThan(1e-6);
    }
    theirs.A.forEach((x, k) => expect(Math.abs(mine.A[k]! - x)).toBeLessThan(1e-4));
  }
  expect(paid).toBeGreaterThan(0);
});

test('a world that does not say what its states cover pays nothing, on both paths', async () => {
  const changes = { ...COVERS, 'task.levelRow.on': true, 'reward.grid.step': -10, 'task.grid.maxSteps': 12 };
  for (const [mine, theirs] of await paidAlike(changes)) {
    expect(theirs.world!.reward.some((r) => r !== 0)).toBe(true);
    expect(mine.batch.reward).toEqual(theirs.batch.reward);
    expect(theirs.batch.reward.every((r) => r === 0)).toBe(true);
  }
});

const BUDGETS = {
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.grid.maxSteps': 12, 'rollout.groupSize': 9 },
  ...{ 'task.grid.maskActions': true, 'advantage.method': 'hbpo', 'reward.hbpo.on': true, 'task.stepBudget.on': true },
};

test.each<readonly [string, Readonly<Record<string, unknown>>, number]>([
  ['four in a group of nine', {}, 2],
  ['late successes above a failure', { 'reward.hbpo.clamp': true, 'reward.hbpo.alpha': 9 }, 2],
  ['late successes below one', { 'reward.hbpo.alpha': 9, 'reward.hbpo.beta': 0.5 }, 2],
  ['words of wrappers in front, fresh levels', { 'task.actionDelay': 1, 'task.hints.on': true, 'task.levels': 0 }, 2],
  ['a reward beside it on the CPU', { 'reward.newStates.on': true }, 1],
])('budgets pay on WebGPU, and credit there reads what they promise, as on the CPU: %s', async (_, changes, depth) => {
  let paid = 0;
  for (const [mine, theirs] of await paidAlike({ ...BUDGETS, ...changes }, depth)) {
    const { budget, budgetReward, reward } = theirs.batch;
    expect(mine.batch.budgetReward).toEqual(budgetReward);
    if (depth === 2) expect(mine.batch.budget).toEqual(budget);
    expect(new Set(budget).size).toBe(4);
    paid += reward.filter((r) => r !== 0).length;
    // a slope, a product and a difference of numbers up to 9
    reward.forEach((r, k) => expect(Math.abs(mine.batch.reward[k]! - r)).toBeLessThan(2e-6));
    for (const name of ['intra', 'inter'])
      theirs.parts[name]!.forEach((x, k) => expect(Math.abs(mine.parts[name]![k]! - x)).toBeLessThan(1e-4));
    theirs.A.forEach((x, k) => expect(Math.abs(mine.A[k]! - x)).toBeLessThan(1e-4));
  }
  expect(paid).toBeGreaterThan(3);
});
