import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { checkRules } from '../config/rules.ts';
import { TAG, TAGS } from '../contract/tags.ts';
import { must } from '../core/problem.ts';
import { below, random } from '../core/random.ts';
import { wordsOf } from '../networks/policy.ts';
import { makePlan, type Plan } from './plan.ts';

const planOf = (changes: Record<string, unknown>): Plan =>
  must(makePlan(configWith({ 'task.thoughts.on': true, ...changes })));
const WORLDS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid-world', { 'task.grid.level': 'keyDoor' }],
  ['grid-world with slip and a mask', { 'task.grid.level': 'keyDoor', 'task.grid.slip': [1, 5, 2] }],
  ['Sokoban', { 'task.method': 'sokoban' }],
  ['text-maze', { 'task.method': 'textmaze', 'policy.method': 'transformer' }],
];

test('corridor by hand: right, a refused plan, an exploring step, and what is seen of each', () => {
  const plan = planOf({ 'task.grid.level': 'corridor', 'task.grid.n': 6, 'task.grid.maxSteps': 9 });
  const { env, actionNames, bareEnv, firstLevelSeed } = plan;
  expect(actionNames).toEqual([
    ...['right', 'left', 'plan: right', 'plan: left', 'explore: right', 'explore: left'],
    ...['reflect: right', 'reflect: left', 'monitor: right', 'monitor: left'],
  ]);
  const level = plan.level(firstLevelSeed);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  const at = Math.ceil(bareEnv.features(level) / 32);
  const told = ['plan: left', 'explore: right', 'right', 'monitor: right'].map((name) => {
    env.step(level, state, 0, { action: actionNames.indexOf(name), seed: 1 }, result);
    const obs = new Uint32Array(at + 1).fill(0xffffffff);
    env.observe(level, state, 0, obs, 0);
    return [env.cell(state, 0), env.scene(level, state, 0).thought, obs[at]];
  });
  expect(told).toEqual([
    // the wall refuses: no tag is left, and bit 4 says so
    [0, { tag: TAG.none, isRefused: true }, 16],
    [1, { tag: TAG.explore, isRefused: false }, 2],
    [2, { tag: TAG.none, isRefused: false }, 0],
    [3, { tag: TAG.monitor, isRefused: false }, 8],
  ]);
});

test.each(WORLDS)(
  'a tag changes nothing in %s: the same walk with random tags, and outcomes hold what steps do',
  (_, changes) => {
    const plan = planOf(changes);
    const { env, bareEnv, firstLevelSeed } = plan;
    const level = plan.level(firstLevelSeed);
    const own = bareEnv.actions(level).length;
    const [state, bare] = [new Uint32Array(env.words), new Uint32Array(bareEnv.words)];
    const [result, plain] = [
      { reward: 0, flags: 0 },
      { reward: 0, flags: 0 },
    ];
    env.reset(level, state, 0);
    bareEnv.reset(level, bare, 0);
    for (let t = 0; t < 30; t++) {
      const action = below(random(3, 77, t, 0, 0), own);
      const tag = below(random(3, 78, t, 0, 0), TAGS.length);
      const outcomes = env.outcomes(level, state, tag * own + action);
      env.step(level, state, 0, { action: tag * own + action, seed: 5 }, result);
      bareEnv.step(level, bare, 0, { action, seed: 5 }, plain);
      expect(result).toEqual(plain);
      expect(state.slice(1)).toEqual(bare);
      if ((plain.flags & 15) !== 0) break;
      const states = outcomes.map((o) => o.state.slice(0, -1).join());
      expect(states).toContain(state.slice(0, -1).join());
    }
  },
);

test.each(WORLDS)('a shortest solution of %s still solves it, plans first and then explores', (_, changes) => {
  const plan = planOf({ ...changes, 'task.grid.slip': [0, 1, 0] });
  const level = plan.level(plan.firstLevelSeed);
  const own = plan.actions / TAGS.length;
  const path = plan.env.shortestPath(level)!;
  const bare = plan.bareEnv.shortestPath(level)!;
  expect(path.map((action) => action % own)).toEqual(bare);
  expect(path.map((action) => Math.floor(action / own))).toEqual(
    bare.map((_a, t) => (t === 0 ? TAG.plan : TAG.explore)),
  );
});

test('a mask of actions forbids the same moves with every tag', () => {
  const plan = planOf({ 'task.grid.level': 'keyDoor', 'task.grid.maskActions': true });
  const level = plan.level(plan.firstLevelSeed);
  const state = new Uint32Array(plan.env.words);
  plan.env.reset(level, state, 0);
  const legal = plan.bareEnv.legal(level, state, 1) & 15;
  expect(legal).not.toBe(15);
  expect(plan.env.legal(level, state, 0)).toBe(TAGS.reduce((bits, _t, k) => bits + legal * 2 ** (4 * k), 0));
});

test('words write the tag as a decision of its own, before the words of the command', () => {
  const { policy, actions, actionNames } = planOf({ 'task.method': 'textmaze', 'policy.method': 'transformer' });
  const tree = wordsOf(policy)!;
  expect(actions).toBe(90);
  expect(tree.prefixes[0]!.count).toBe(TAGS.length);
  // tag, verb, object
  expect(tree.decisions).toBe(3);
  const ends = tree.slots.map((slot) => slot.action).filter((action) => action >= 0);
  expect(ends.sort((a, b) => a - b)).toEqual(actionNames.map((_, a) => a));
});

test('more choices than fit are refused in a sentence with a way out', () => {
  const messages = (changes: Record<string, unknown>): string[] =>
    checkRules(configWith({ 'task.thoughts.on': true, ...changes }))
      .filter((issue) => issue.severity === 'error')
      .map(({ path, message, repair }) => `${path} ${message}; ${repair?.label}`);
  const maze = { 'task.method': 'textmaze' };
  const writes = { ...maze, 'policy.method': 'transformer' };
  const many = '90 choices, actions with their tags counted, and at most 32 fit';
  expect(messages({})).toEqual([]);
  expect(messages(writes)).toEqual([]);
  expect(messages(maze)).toEqual([
    `policy.method would have ${many}; write them: Transformer (reads and writes words)`,
  ]);
  expect(messages({ ...writes, 'task.textmaze.maskActions': true })).toEqual([
    `task.textmaze.maskActions cannot say which are possible: there are ${many}; switch it off`,
  ]);
  expect(messages({ ...writes, 'policy.transformer.grammar': false })).toEqual([
    'policy.transformer.grammar is off: the words that could follow are too many here, as commands have more than 32 beginnings; switch it on',
  ]);
});
