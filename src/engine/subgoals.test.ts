import { describe, expect, test } from 'vitest';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { thetaOf } from '../contract/state.ts';
import { STEP_ROLES } from '../contract/units.ts';
import { must } from '../core/problem.ts';
import { below, random } from '../core/random.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG } from '../envs/types.ts';
import { makeArrays } from './arrays.ts';
import { makeCpuPolicy } from './cpu/policy.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { initialState } from './state.ts';

const planOf = (changes: Record<string, unknown>): Plan =>
  must(makePlan(configWith({ 'task.subgoals.on': true, 'run.backend': 'cpu', ...changes })));
const keyDoor = { 'task.grid.level': 'keyDoor', 'task.grid.maxSteps': 20 };
const PLAN = { 'task.subgoals.mode': 'blueprint', 'task.subgoals.entries': 3 };
const WORLDS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid-world', { 'task.grid.level': 'keyChain', 'task.grid.maxSteps': 12 }],
  ['grid-world with slip', { ...keyDoor, 'task.grid.slip': [1, 5, 2], 'task.grid.maskActions': true }],
  ['grid-world of turns, by tiles', { ...keyDoor, 'task.grid.actions': 'turn', 'task.subgoals.vocabulary': 'other' }],
  ['Sokoban behind a delay', { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 12, 'task.actionDelay': 1 }],
  ['text-maze', { 'task.method': 'textmaze', 'task.textmaze.maxSteps': 9 }],
];
const MODES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['at any step', {}],
  ['as a plan', PLAN],
  ['in the order of a solution', { 'task.subgoals.mode': 'given' }],
];
const ALL = WORLDS.flatMap(([world, a]) => MODES.map(([mode, b]) => [world, mode, { ...a, ...b }] as const));

/** Plays actions by name; what is told of the state before each. */
function played(plan: Plan, names: readonly string[]): string[] {
  const { env, actionNames } = plan;
  const level = plan.level(plan.firstLevelSeed);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  return names.map((name) => {
    const action = actionNames.indexOf(name);
    expect((env.legal(level, state, 0) >>> action) & 1, name).toBe(1);
    const { decides, subgoal } = env.scene(level, state, 0).aim!;
    expect(env.decides!(level)[action]).toBe(decides);
    const told = `${decides} ${subgoal} ${env.aiming!.reached(level, state, 0)}`;
    env.step(level, state, 0, { action, seed: 1 }, result);
    return `${told} ${result.flags & 15}`;
  });
}

test('key and door by hand: a subgoal, then before each further step of the world keep, or new and a subgoal', () => {
  const plan = planOf({ 'task.grid.level': 'custom', 'task.grid.text': 'Sa.AG', 'task.grid.maxSteps': 4 });
  expect(plan.actionNames.slice(4, 9)).toEqual(['keep', 'new', 'aim: goal', 'aim: red key', 'aim: red door']);
  expect(plan.T).toBe(11);
  const walk = ['aim: red key', 'right', 'new', 'aim: red key', 'right', 'keep', 'right', 'new', 'aim: goal', 'right'];
  expect(played(plan, walk)).toEqual([
    'subgoal  false 0',
    'action red key false 0',
    'switch red key true 0',
    'subgoal  false 0',
    // it was held already when it was chosen
    'action red key true 0',
    'switch red key true 0',
    'action red key true 0',
    'switch red key true 0',
    'subgoal  false 0',
    `action goal false ${FLAG.terminated | FLAG.success}`,
  ]);
});

test('a plan by hand: entries once, then done moves on, T/K steps move on by force, and the last entry stays', () => {
  const plan = planOf({ ...PLAN, 'task.grid.level': 'corridor', 'task.grid.n': 9, 'task.grid.maxSteps': 7 });
  expect(plan.actionNames.slice(0, 6)).toEqual(['right', 'left', 'done', 'end of plan', 'aim: goal', 'aim: none 2']);
  expect(plan.T).toBe(12);
  const tiles = planOf({
    ...PLAN,
    ...{ 'task.grid.level': 'corridor', 'task.grid.n': 9, 'task.grid.maxSteps': 7 },
    'task.subgoals.vocabulary': 'other',
  });
  const walk = ['aim: middle left', 'aim: middle center', 'end of plan', 'right', 'done', 'right', 'right', 'right'];
  expect(played(tiles, walk).map((told) => told.replace(/ (true|false)/, ''))).toEqual([
    'plan  0',
    'plan  0',
    'plan  0',
    'action middle left 0',
    'action middle left 0',
    'action middle center 0',
    'action middle center 0',
    'action middle center 0',
  ]);
  const forced = played(tiles, [
    'aim: top left',
    'aim: top right',
    'aim: top center',
    'right',
    'right',
    'right',
    'right',
  ]);
  // ⌈7/3⌉ = 3 steps of the world
  expect(forced.slice(3).map((told) => told.split(' ').slice(1, 3).join(' '))).toEqual([
    ...['top left', 'top left', 'top left', 'top right'],
  ]);
});

test('given subgoals by hand: the next one that does not hold yet follows where one is reached, and costs no step', () => {
  const given = { 'task.subgoals.mode': 'given', 'task.grid.level': 'custom', 'task.grid.maxSteps': 9 };
  const plan = planOf({ ...given, 'task.grid.text': 'Sa.AG' });
  expect(plan.T).toBe(9);
  expect(plan.actionNames).toHaveLength(4);
  const held = (text: string, names: readonly string[]): string[] => {
    const { env, level, firstLevelSeed, actionNames } = planOf({ ...given, 'task.grid.text': text });
    const made = level(firstLevelSeed);
    const state = new Uint32Array(env.words);
    env.reset(made, state, 0);
    return names.map((name) => {
      env.step(made, state, 0, { action: actionNames.indexOf(name), seed: 1 }, { reward: 0, flags: 0 });
      const { subgoal, plan: order, decides } = env.scene(made, state, 0).aim!;
      expect(decides).toBe('action');
      return `${order.indexOf(subgoal)} ${subgoal} ${env.aiming!.movedOn!(state, 0)} ${env.aiming!.reached(made, state, 0)}`;
    });
  };
  expect(held('Sa.AG', ['right', 'left', 'right', 'right', 'right', 'right'])).toEqual([
    ...['1 red door true false', '1 red door false false', '1 red door false false', '1 red door false false'],
    // the door opens when it is walked into; the goal ends the episode
    ...['2 goal true false', '2 goal false true'],
  ]);
  // parts of the map: those that the solution comes through, without the one it begins in
  const told = planOf({ ...given, 'task.subgoals.vocabulary': 'other', 'task.grid.text': 'S....G' });
  const made = told.level(told.firstLevelSeed);
  const start = new Uint32Array(told.env.words);
  told.env.reset(made, start, 0);
  expect(told.env.scene(made, start, 0).aim!.plan.length).toBeGreaterThan(1);
});

describe.each(ALL)('in %s, chosen %s', (_w, _m, changes) => {
  test('the world is met as without subgoals, which cost nothing, and is cut by its own steps', () => {
    const plan = planOf(changes);
    const { env, actions, firstLevelSeed } = plan;
    const bare = must(makePlan(configWith({ ...changes, 'task.subgoals.on': false })));
    const [level, plain] = [plan.level(firstLevelSeed), bare.level(bare.firstLevelSeed)];
    const front = env.words - bare.env.words;
    const own = bare.env.actions(plain).length;
    for (let seed = 0; seed < 6; seed++) {
      const [state, other] = [new Uint32Array(env.words), new Uint32Array(bare.env.words)];
      const [result, met] = [
        { reward: 0, flags: 0 },
        { reward: 0, flags: 0 },
      ];
      env.reset(level, state, 0);
      bare.env.reset(plain, other, 0);
      let [t, steps] = [0, 0];
      for (; t < plan.T && (result.flags & 15) === 0; t++) {
        const legal = env.legal(level, state, 0);
        const may = Array.from({ length: actions }, (_, a) => a).filter((a) => ((legal >>> a) & 1) === 1);
        const action = may[below(random(seed, 77, t, 0, 0), may.length)]!;
        const outcomes = env.outcomes(level, state, action);
        const was = state.slice();
        env.step(level, state, 0, { action, seed }, result);
        expect(state.at(-1)! & 0xffff).toBe(t + 1);
        const simple = (x: Uint32Array): string => {
          const copy = x.slice();
          env.canonical!(level, copy, 0, 'policy');
          return copy.slice(0, -1).join();
        };
        if ((result.flags & 15) === 0) expect(outcomes.map((o) => simple(o.state))).toContain(simple(state));
        if (action >= own) {
          expect(result.reward).toBe(0);
          expect([...state.subarray(front, -1)]).toEqual([...was.subarray(front, -1)]);
          continue;
        }
        steps++;
        bare.env.step(plain, other, 0, { action, seed }, met);
        expect([...state.subarray(front, -1)]).toEqual([...other.subarray(0, -1)]);
        expect(result).toEqual(met);
      }
      if ((result.flags & FLAG.truncated) !== 0) expect(steps).toBe(bare.T);
      expect(result.flags & 15).not.toBe(0);
    }
  });

  test('a shortest path with the subgoals that it brings about solves it', () => {
    const free = { 'task.grid.slip': [0, 1, 0], 'task.grid.maxSteps': 60 };
    const plan = planOf({ ...changes, ...free, 'task.sokoban.maxSteps': 60, 'task.textmaze.maxSteps': 60 });
    const level = plan.level(plan.firstLevelSeed);
    const state = new Uint32Array(plan.env.words);
    const result = { reward: 0, flags: 0 };
    plan.env.reset(level, state, 0);
    let held = 0;
    for (const action of plan.env.shortestPath(level)!) {
      expect((plan.env.legal(level, state, 0) >>> action) & 1).toBe(1);
      plan.env.step(level, state, 0, { action, seed: 1 }, result);
      held += plan.env.aiming!.reached(level, state, 0) ? 1 : 0;
    }
    expect(result.flags & FLAG.success).toBe(FLAG.success);
    expect(held).toBeGreaterThan(0);
  });
});

test('boxes keep their identity: each is where it was pushed to', () => {
  const plan = planOf({
    'task.method': 'sokoban',
    'task.sokoban.level': 'custom',
    'task.sokoban.text': '########\n#@$ $..#\n#      #\n########',
  });
  const { env } = plan;
  const level = plan.level(plan.firstLevelSeed);
  expect(env.aiming!.names(level)).toEqual([
    ...['box 1 to target 1', 'box 1 to target 2', 'box 2 to target 1', 'box 2 to target 2'],
  ]);
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const act = (name: string): void =>
    env.step(level, state, 0, { action: plan.actionNames.indexOf(name), seed: 1 }, { reward: 0, flags: 0 });
  act('aim: box 2 to target 1');
  const boxes = (): number[] => [0, 1].map((j) => (state[3]! >>> (8 * j)) & 255);
  expect(boxes()).toEqual([18, 20]);
  // around the first box, between both, and the second one onto its target
  for (const name of ['down', 'right', 'right', 'up', 'right']) {
    expect(env.aiming!.reached(level, state, 0)).toBe(false);
    act(name);
    act('keep');
  }
  expect(boxes()).toEqual([18, 21]);
  expect(env.aiming!.reached(level, state, 0)).toBe(true);
  // then back, and the first one to where the second one was
  for (const name of ['left', 'down', 'left', 'left', 'up', 'right', 'right']) {
    act(name);
    act('keep');
  }
  expect(boxes()).toEqual([20, 21]);
});

test('states that differ in a subgoal are one for the world and several for a policy', () => {
  const { env, level, firstLevelSeed } = planOf({ 'task.grid.level': 'corridor', 'task.grid.n': 4 });
  const made = level(firstLevelSeed);
  const world = enumerate(env, made, 1000, 'world')!.model.states;
  const policy = enumerate(env, made, 1000, 'policy')!.model.states;
  expect([world, policy]).toEqual([12, 12]);
  const chain = planOf(keyDoor);
  const own = chain.level(chain.firstLevelSeed);
  const counted = (matters: 'world' | 'policy'): number => enumerate(chain.env, own, 20_000, matters)!.model.states;
  expect(counted('policy')).toBeGreaterThan(counted('world'));
});

test('a batch tells what each step decides, which subgoal is followed and whether it holds', () => {
  const plan = planOf({ ...keyDoor, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4 });
  const { env, T, B } = plan;
  const level = plan.level(plan.firstLevelSeed);
  const needs = [...plan.estimator.needs, 'decides', 'subgoal', 'subgoalHeld'] as const;
  const wanting = { ...plan, estimator: { ...plan.estimator, needs } };
  const arrays = makeArrays(wanting);
  const tasks = makeTasks(wanting, 0, 'train');
  const theta = thetaOf(initialState(wanting));
  rolloutReplica(wanting, arrays, { policy: makeCpuPolicy(wanting), theta, tasks, mode: 'train' }, 0);
  let kept = 0;
  for (let i = 0; i < B; i++) {
    expect(STEP_ROLES[arrays.decides[i * T]!]).toBe('subgoal');
    expect(arrays.subgoal[i * (T + 1)]).toBe(0);
    for (let t = 0; t <= arrays.length[i]!; t++) {
      const k = i * (T + 1) + t;
      const at = k * env.words;
      expect(arrays.subgoal[k]).toBe(env.aiming!.chosen(arrays.state, at) + 1);
      expect(arrays.subgoalHeld[k]).toBe(env.aiming!.reached(level, arrays.state, at) ? 1 : 0);
      if (t === arrays.length[i]) break;
      const { decides } = env.scene(level, arrays.state, at).aim!;
      expect(STEP_ROLES[arrays.decides[i * T + t]!]).toBe(decides);
      kept += decides === 'switch' ? 1 : 0;
    }
  }
  expect(kept).toBeGreaterThan(0);
});

test('who acts sees what is nearby and its subgoal; who plans sees everything', () => {
  const { env, level, firstLevelSeed, obsWords } = planOf(keyDoor);
  const made = level(firstLevelSeed);
  const bare = planOf({ ...keyDoor, 'task.subgoals.on': false });
  const seen = Math.ceil(bare.env.features(bare.level(bare.firstLevelSeed)) / 32);
  const state = new Uint32Array(env.words);
  const obs = new Uint32Array(obsWords).fill(0xffffffff);
  env.reset(made, state, 0);
  env.observe(made, state, 0, obs, 0);
  expect(obs.subarray(0, seen).some((word) => word !== 0)).toBe(true);
  env.step(made, state, 0, { action: 6, seed: 1 }, { reward: 0, flags: 0 });
  env.observe(made, state, 0, obs, 0);
  expect(obs.subarray(0, seen).every((word) => word === 0)).toBe(true);
  expect(obs.subarray(seen).some((word) => word !== 0)).toBe(true);
});

test('where there is nothing to aim at, or too much, a sentence says so', () => {
  const told = (changes: Record<string, unknown>): string[] =>
    checkRules(configWith({ 'task.subgoals.on': true, 'run.backend': 'cpu', ...changes }))
      .filter(({ severity }) => severity === 'error')
      .map(({ path, message, repair }) => `${path} ${message}; ${repair?.label}`);
  expect(told({})).toEqual([]);
  expect(told({ 'task.method': 'textmaze', 'task.notes.on': true }).join()).toContain('at most 32 fit');
});

test('forks without plans, and a board that is dark for who acts, are told', () => {
  const hints = (changes: Record<string, unknown>): string[] =>
    checkRules(configWith({ 'task.subgoals.on': true, 'run.backend': 'cpu', ...changes }))
      .filter(({ severity }) => severity === 'hint')
      .map(({ path, message }) => `${path} ${message}`);
  const plans = /finds no plans/;
  expect(hints({ 'rollout.method': 'blueprints' }).join()).toMatch(plans);
  expect(hints({ 'rollout.method': 'blueprints', ...PLAN }).join()).not.toMatch(plans);
  const dark = /leaves the board dark/;
  expect(hints({ 'policy.method': 'conv' }).join()).toMatch(dark);
  expect(hints({ 'policy.method': 'conv', 'task.subgoals.sees': 'full' }).join()).not.toMatch(dark);
  expect(hints({}).join()).not.toMatch(dark);
});
