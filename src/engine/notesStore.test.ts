import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { checkRules } from '../config/rules.ts';
import { must } from '../core/problem.ts';
import { below, random } from '../core/random.ts';
import { FLAG } from '../envs/types.ts';
import { makePlan, type Plan } from './plan.ts';

const STORE = { 'task.notes.on': true, 'task.notes.mode': 'indexed' };
const planOf = (changes: Record<string, unknown>): Plan => must(makePlan(configWith({ ...STORE, ...changes })));
const corridor = { 'task.grid.level': 'corridor', 'task.grid.n': 9, 'task.grid.maxSteps': 12 };

test('corridor by hand: what is written is read back elsewhere, for one step, and repeating costs', () => {
  const plan = planOf({ ...corridor, 'task.notes.context': 2, 'task.notes.dropped': 0 });
  const { env, actionNames, firstLevelSeed } = plan;
  expect(actionNames).toEqual(['right', 'left', 'write 1', 'write 2', 'read 1', 'read 2']);
  const level = plan.level(firstLevelSeed);
  const bare = must(makePlan(configWith(corridor)));
  const seen = Math.ceil(bare.env.features(level) / 32);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  const parts = (): Uint32Array[] => {
    const obs = new Uint32Array(plan.obsWords).fill(0xffffffff);
    env.observe(level, state, 0, obs, 0);
    return [0, 1, 2].map((k) => obs.slice(k * seen, (k + 1) * seen));
  };
  const [atStart, , nothing] = parts() as [Uint32Array, Uint32Array, Uint32Array];
  expect(nothing.every((word) => word === 0)).toBe(true);
  const told = ['read 1', 'write 1', 'write 2', 'right', 'right', 'read 1', 'read 1', 'right'].map((name) => {
    env.step(level, state, 0, { action: actionNames.indexOf(name), seed: 1 }, result);
    const { store } = env.scene(level, state, 0);
    const read = parts()[2]!;
    const isStart = read.every((word, w) => word === atStart[w]);
    return [env.cell(state, 0), store!.filled.map(Number).join(''), isStart, result.reward, result.flags];
  });
  expect(told).toEqual([
    // an empty slot: nothing happens
    [0, '00', false, 0, FLAG.noEffect],
    [0, '10', false, 0, 0],
    // the same again, into another slot
    [0, '11', false, -10, 0],
    [1, '11', false, 0, 0],
    [2, '11', false, 0, 0],
    [2, '11', true, 0, 0],
    [2, '11', true, -10, 0],
    // seen for one step
    [3, '11', false, 0, 0],
  ]);
  // each of them counted
  expect(state.at(-1)! & 0xffff).toBe(8);
});

test('letting go of an observation costs its share of the context, unless a slot holds it', () => {
  const plan = planOf({ ...corridor, 'task.notes.context': 2, 'task.notes.dropped': 100 });
  const { env, actionNames, firstLevelSeed } = plan;
  const level = plan.level(firstLevelSeed);
  const paid = (names: readonly string[]): number[] => {
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    return names.map((name) => {
      env.step(level, state, 0, { action: actionNames.indexOf(name), seed: 1 }, result);
      return result.reward;
    });
  };
  // two observations fit: the third step drops the first one
  expect(paid(['right', 'right', 'right'])).toEqual([0, -50, -50]);
  expect(paid(['write 1', 'right', 'right', 'right'])).toEqual([0, 0, 0, -50]);
});

test.each([
  ['grid-world with slip', { 'task.grid.level': 'keyDoor', 'task.grid.slip': [1, 5, 2] }],
  ['Sokoban behind a delay', { 'task.method': 'sokoban', 'task.actionDelay': 1 }],
  ['text-maze', { 'task.method': 'textmaze', 'task.notes.slots': 4 }],
] as const)('every step of %s is one of its outcomes', (_, changes) => {
  const plan = planOf(changes);
  const { env, actions, firstLevelSeed } = plan;
  const level = plan.level(firstLevelSeed);
  const result = { reward: 0, flags: 0 };
  for (let seed = 0; seed < 20; seed++) {
    const state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    for (let t = 0; t < 20 && state.at(-1)! >>> 16 === 0; t++) {
      const action = below(random(seed, 77, t, 0, 0), actions);
      const outcomes = env.outcomes(level, state, action);
      env.step(level, state, 0, { action, seed }, result);
      // what is kept has the clock of its time
      const now = `${state.slice(0, -1).join()} ${result.reward} ${result.flags & ~FLAG.truncated}`;
      expect(outcomes.map((o) => `${o.state.slice(0, -1).join()} ${o.reward} ${o.flags}`)).toContain(now);
    }
  }
});

test('more slots than fit are refused in a sentence with a way out', () => {
  const told = checkRules(configWith({ ...STORE, 'task.method': 'textmaze', 'task.notes.slots': 8 }))
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message, repair }) => `${path} ${message}; ${repair?.label}`);
  expect(told).toEqual(['task.notes.slots would make 34 actions, and at most 32 fit; use 7 slots']);
});
