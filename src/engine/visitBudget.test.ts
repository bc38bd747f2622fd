import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { forbiddenIn } from '../envs/perturb/budgeted.ts';
import { FLAG } from '../envs/types.ts';
import { makePlan, type Plan } from './plan.ts';
import { bySheerLuck, expectAmongOutcomes, played } from './samplePlay.ts';

type Changes = Readonly<Record<string, unknown>>;
const ON = 'task.visitBudget.on';
const BUDGET = 'task.visitBudget.budget';
const SHARE = 'task.visitBudget.share';
const planOf = (changes: Changes): Plan =>
  must(makePlan(configWith({ 'task.grid.level': 'keyDoor', [ON]: true, ...changes })));
const CORRIDOR = { 'task.grid.level': 'corridor', 'task.grid.n': 6, 'reward.grid.step': -7 };
const SOKOBAN = { 'task.method': 'sokoban', 'task.sokoban.level': 'reverse', 'task.sokoban.pulls': 5 };
const MAZE = { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 5 };

/** Visits, reward and flags of each step, and how the episode stands then. */
const visited = (plan: Plan, actions: readonly number[]) =>
  played(plan, actions).map(({ state, ...result }) => ({
    ...{ visits: state[0]!, status: state.at(-1)! >>> 16 },
    ...result,
  }));

test('two arrivals are allowed, a third one spoils the goal: the episode ends without success, for the reward of a step', () => {
  // every place is forbidden but the first, the last, and those that the way comes to after two: so cells 1 and 2
  const plan = planOf({ ...CORRIDOR, [SHARE]: 1000, [BUDGET]: 2 });
  const [right, left] = [0, 1];
  const straight = visited(plan, [right, right, right, right, right, right]);
  expect(straight.map(({ visits }) => visits)).toEqual([1, 2, 2, 2, 2, 2]);
  expect(straight.at(-1)).toMatchObject({ reward: 993, flags: FLAG.terminated | FLAG.success });
  const back = visited(plan, [right, right, left, right, right, right, right, right]);
  expect(back.map(({ visits }) => visits)).toEqual([1, 2, 3, 3, 3, 3, 3, 3]);
  expect(back.at(-1)).toEqual({ visits: 3, reward: -7, flags: FLAG.terminated, status: FLAG.terminated });
});

test.each([
  ['grid', { 'task.grid.level': 'fourRooms' }],
  ['grid with keys', { 'task.grid.level': 'doorKey', 'task.grid.n': 6 }],
  ['sokoban', SOKOBAN],
  ['textmaze', MAZE],
] as const)('a shortest path of the world is a solution, however much is forbidden: %s', (_, changes) => {
  for (const budget of [0, 1, 3]) {
    const plan = planOf({ ...changes, 'task.levels': 0, [SHARE]: 900, [BUDGET]: budget });
    const plain = planOf({ ...changes, 'task.levels': 0, [ON]: false });
    for (let seed = 1; seed <= 6; seed++) {
      const path = plan.env.shortestPath(plan.level(8 * seed))!;
      expect(path.length).toBe(plain.env.shortestPath(plain.level(8 * seed))!.length);
      const state = new Uint32Array(plan.env.words);
      const result = { reward: 0, flags: 0 };
      plan.env.reset(plan.level(8 * seed), state, 0);
      for (const action of path) plan.env.step(plan.level(8 * seed), state, 0, { action, seed }, result);
      expect(result.flags & FLAG.success).toBe(FLAG.success);
      expect(state[0]).toBeLessThanOrEqual(budget);
    }
  }
});

test.each([
  { 'task.grid.level': 'keyDoor', [BUDGET]: 1 },
  { 'task.grid.level': 'frozenLake4', [BUDGET]: 0 },
  { ...MAZE, [SHARE]: 600 },
  { ...CORRIDOR, 'task.externalChain.on': true, 'task.levelRow.on': true, [SHARE]: 700 },
])('what a step does is among its outcomes: %o', (changes) => {
  const states = expectAmongOutcomes(planOf(changes), { episodes: 10, steps: 40 });
  expect(states.some((state) => state.slice(0, 2).some((word) => word > 0))).toBe(true);
});

const lucky = (changes: Changes): number => bySheerLuck(planOf({ 'task.grid.level': 'fourRooms', ...changes }));

test('nothing forbidden changes nothing; a larger budget for the same places never hurts', () => {
  const free = lucky({ [ON]: false });
  expect(lucky({ [SHARE]: 0 })).toBeCloseTo(free, 12);
  expect(lucky({ [SHARE]: 300, [BUDGET]: 100 })).toBeCloseTo(free, 12);
  // the shortest path meets at most one of them, so from a budget of 1 on all forbid the same places
  const bare = planOf({ 'task.grid.level': 'fourRooms', [ON]: false });
  const level = bare.level(bare.firstLevelSeed);
  const setAt = (budget: number) =>
    forbiddenIn(bare.env, level, bare.firstLevelSeed, { budget, share: 100, shown: false });
  expect([2, 4].map(setAt)).toEqual([setAt(1), setAt(1)]);
  const chances = [1, 2, 4].map((budget) => lucky({ [SHARE]: 100, [BUDGET]: budget }));
  expect(chances).toEqual([...chances].sort((a, b) => a - b));
  expect(chances[0]).toBeLessThan(chances[2]!);
  expect(chances[2]).toBeLessThan(free);
});

test('hidden, the world looks the same; shown, one bit says whether the agent stands on a forbidden place, none how often', () => {
  const changes = { ...CORRIDOR, [SHARE]: 1000, [BUDGET]: 2 };
  const plain = planOf({ ...changes, [ON]: false });
  const hidden = planOf(changes);
  const shown = planOf({ ...changes, 'task.visitBudget.shown': true });
  const features = (plan: Plan): number => plan.env.features(plan.level(plan.firstLevelSeed));
  expect(features(hidden)).toBe(features(plain));
  expect(features(shown)).toBe(features(plain) + 1);
  const bit = features(plain);
  const seen = [0, 1, 2, 3].map((steps) => {
    const level = shown.level(shown.firstLevelSeed);
    const state = new Uint32Array(shown.env.words);
    shown.env.reset(level, state, 0);
    for (let t = 0; t < steps; t++) shown.env.step(level, state, 0, { action: 0, seed: 1 }, { reward: 0, flags: 0 });
    const bits = new Uint32Array(Math.ceil((bit + 1) / 32));
    shown.env.observe(level, state, 0, bits, 0);
    return (bits[bit >>> 5]! >>> (bit & 31)) & 1;
  });
  expect(seen).toEqual([0, 1, 1, 0]);
});

test.each([
  [0, ['no forbidden visit', 'a forbidden visit', 'a forbidden visit']],
  [1, ['0 of 1 forbidden visits', '1 of 1 forbidden visits', 'more than 1 forbidden visits']],
] as const)('the count is told in words that can be read: budget %s', (budget, words) => {
  const plan = planOf({ 'task.visitBudget.budget': budget });
  const state = new Uint32Array(plan.env.words);
  const level = plan.level(plan.firstLevelSeed);
  plan.env.reset(level, state, 0);
  const told = words.map((_, visits) => {
    state[0] = visits;
    return plan.env.scene(level, state, 0).holding.at(-1);
  });
  expect(told).toEqual(words);
});
