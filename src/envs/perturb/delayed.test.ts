import { describe, expect, test } from 'vitest';
import { backwardInduction } from '../../core/dp.ts';
import { must } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { enumerate, shortestPath } from '../enumerate.ts';
import { environments } from '../registry.ts';
import { FLAG, type Environment } from '../types.ts';
import { delayed, waitingReward } from './delayed.ts';

const RIGHT = 0;
const LEFT = 1;

function world(id: string, changes: AnyValues = {}, rewards: AnyValues = {}) {
  const env = environments.find((e) => e.id === id)!;
  const paid = { ...defaultsOf(env.rewards), ...rewards };
  const made = must(env.level({ ...defaultsOf(env.settings), ...changes }, paid, 2));
  return { env, level: made, behind: (d: number): Environment => delayed(env, d, waitingReward(paid)) };
}

const corridor = (n: number, maxSteps: number, step = 0) => world('grid', { level: 'corridor', n, maxSteps }, { step });

function valueOf(env: Environment, level: unknown, of: 'reward' | 'success', T: number, uniform: boolean): number {
  const { model } = enumerate(env, level, 100_000)!;
  const policy = uniform ? new Float64Array(model.states * model.actions).fill(1 / model.actions) : null;
  return backwardInduction(model, policy, T, 1, of).V[0]!;
}

/** Worlds of all kinds, with chance and with rewards that tell steps apart. */
const WORLDS: readonly (readonly [string, AnyValues, AnyValues])[] = [
  ['grid', { level: 'keyDoor' }, { step: -7, invalid: -31 }],
  ['grid', { level: 'dynamicObstacles', n: 5, count: 1, actions: 'turn' }, { step: -7 }],
  ['grid', { level: 'frozenLake4' }, { step: -3, dead: -500 }],
  ['sokoban', { slip: [1, 6, 1], maxSteps: 40 }, {}],
  ['textmaze', { level: 'threeRooms', slip: [1, 3, 0] }, { step: -5, invalid: -11, meta: -2 }],
];

describe('the delayed world', () => {
  test('in a corridor of 2, right right with a delay of 1: wait, walk, and the second step arrives', () => {
    const { level, behind } = corridor(2, 6, -5);
    const env = behind(1);
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    const did = (action: number): number[] => {
      env.step(level, state, 0, { action, seed: 1 }, result);
      return [result.reward, result.flags, state[0]!, env.cell(state, 0), state.at(-1)!];
    };
    env.reset(level, state, 0);
    expect([...state]).toEqual([0xff, 0, 0, 0, 0x3fffffff, 0x3fffffff, 0x3fffffff, 0]);
    expect(did(RIGHT)).toEqual([-5, FLAG.noEffect, RIGHT, 0, 1]);
    expect(did(RIGHT)).toEqual([-5, 0, RIGHT, 1, 2]);
    expect(did(LEFT)).toEqual([995, FLAG.terminated | FLAG.success, LEFT, 2, 3 | (5 << 16)]);
    expect(did(LEFT)).toEqual([0, 5, LEFT, 2, 3 | (5 << 16)]);
  });

  test.each(WORLDS)('moves like the world itself, d steps later, draws included: %s %o', (id, changes, rewards) => {
    const { env, level, behind } = world(id, changes, rewards);
    const n = env.actions(level).length;
    const got = { reward: 0, flags: 0 };
    const want = { reward: 0, flags: 0 };
    let effects = 0;
    for (const d of [1, 2, 3]) {
      const late = behind(d);
      for (let seed = 0; seed < 12; seed++) {
        const chosen = (t: number): number => below(random(seed, 99, t, d, 0), n);
        const state = new Uint32Array(late.words);
        const own = new Uint32Array(env.words);
        late.reset(level, state, 0);
        env.reset(level, own, 0);
        for (let t = 0; t < env.maxSteps(level); t++) {
          late.step(level, state, 0, { action: chosen(t), seed }, got);
          if (t < d) {
            own[env.words - 1] = t + 1;
            expect(got).toEqual({ reward: (rewards['step'] as number) ?? -100, flags: FLAG.noEffect });
          } else {
            env.step(level, own, 0, { action: chosen(t - d), seed }, want);
            expect(got).toEqual(want);
            if ((got.flags & FLAG.noEffect) === 0) effects++;
          }
          expect([...state.subarray(1)]).toEqual([...own]);
        }
      }
    }
    expect(effects).toBeGreaterThan(30);
  });

  test('an episode that is cut while nothing has happened yet is cut', () => {
    const { level, behind } = corridor(4, 2);
    const env = behind(3);
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    env.step(level, state, 0, { action: RIGHT, seed: 1 }, result);
    expect(result.flags).toBe(FLAG.noEffect);
    env.step(level, state, 0, { action: RIGHT, seed: 1 }, result);
    expect(result.flags).toBe(FLAG.noEffect | FLAG.truncated);
    expect(state.at(-1)! >>> 16).toBe(FLAG.truncated);
  });

  test('written words that are no command keep their place in the queue and do nothing when their turn comes', () => {
    const { env, level, behind } = world('textmaze', {}, { syntax: -53 });
    const late = behind(2);
    const state = new Uint32Array(late.words);
    const own = new Uint32Array(env.words);
    const got = { reward: 0, flags: 0 };
    const want = { reward: 0, flags: 0 };
    late.reset(level, state, 0);
    env.reset(level, own, 0);
    for (const action of [0xffffffff, 3, 1]) late.step(level, state, 0, { action, seed: 1 }, got);
    own[env.words - 1] = 2;
    env.step(level, own, 0, { action: 0xffffffff, seed: 1 }, want);
    expect(got).toEqual(want);
    expect(got.reward).toBe(-53);
    expect([...state.subarray(1)]).toEqual([...own]);
  });
});

describe('what is known about it', () => {
  test('with a delay of 1 a corridor of 4 has 9 states: nothing chosen, or 4 cells with one of 2 actions', () => {
    const { level, behind } = corridor(4, 12);
    expect(enumerate(behind(1), level, 1000)!.model.states).toBe(1 + 4 * 2);
  });

  test.each([1, 2, 3])('a uniform policy wins d = %i steps later what it wins without delay', (d) => {
    const { env, level, behind } = corridor(5, 30, -20);
    const T = 30;
    for (const of of ['success', 'reward'] as const) {
      const waited = of === 'reward' ? -0.02 * d : 0;
      const late = valueOf(behind(d), level, of, T, true);
      expect(late).toBeCloseTo(waited + valueOf(env, level, of, T - d, true), 12);
      expect(valueOf(behind(d), level, of, T, false)).toBeCloseTo(waited + valueOf(env, level, of, T - d, false), 12);
    }
  });

  test('with chance the best policy loses by the delay, more than the waiting alone takes', () => {
    const { env, level, behind } = world('grid', { level: 'frozenLake4' });
    const T = 40;
    const best = [1, 2].map((d) => valueOf(behind(d), level, 'success', T, false));
    expect(best[0]).toBeLessThan(valueOf(env, level, 'success', T - 1, false) - 0.01);
    expect(best[1]).toBeLessThan(best[0]! - 0.01);
  });

  test.each(WORLDS)('each sampled step is one of the outcomes, which sum to 1: %s %o', (id, changes, rewards) => {
    const { level, behind } = world(id, changes, rewards);
    const env = behind(2);
    const n = env.actions(level).length;
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    for (let t = 0; t < 60; t++) {
      if (state.at(-1)! >>> 16 !== 0) env.reset(level, state, 0);
      const from = state.slice();
      from[env.words - 1] = 0;
      const action = below(random(5, 99, t, 0, 0), n);
      env.step(level, state, 0, { action, seed: t }, result);
      const outcomes = env.outcomes(level, from, action);
      expect(outcomes.reduce((sum, o) => sum + o.numerator / o.denominator, 0)).toBeCloseTo(1, 12);
      const next = [...state.subarray(0, env.words - 1)].join();
      const same = outcomes.filter((o) => [...o.state.subarray(0, env.words - 1)].join() === next);
      expect(same.map((o) => o.reward)).toContain(result.reward);
    }
  });

  test.each([
    ['grid', { level: 'keyDoor' }],
    ['grid', { level: 'bonusRoom' }],
    ['sokoban', {}],
    ['textmaze', { level: 'twoRooms' }],
  ] as const)('the shortest path reaches success and none is shorter: %s %o', (id, changes) => {
    const { level, behind } = world(id, changes);
    for (const d of [1, 2]) {
      const env = behind(d);
      const path = env.shortestPath(level)!;
      const state = new Uint32Array(env.words);
      const result = { reward: 0, flags: 0 };
      env.reset(level, state, 0);
      for (const action of path) env.step(level, state, 0, { action, seed: 1 }, result);
      expect(result.flags & FLAG.success).toBe(FLAG.success);
      if (d === 1) expect(path.length).toBe(shortestPath(env, level)!.length);
    }
  });

  test('what a search finds is a path of the delayed world too', () => {
    const { env: plain, level, behind } = world('sokoban');
    const env = behind(3);
    const found = env.solve!(level);
    expect({ ...found, path: null }).toEqual({ ...plain.solve!(level), path: null });
    expect(found.path).toEqual(env.shortestPath(level));
  });

  test('key, layer, scene and text tell what is still to come', () => {
    const { env: plain, level, behind } = world('grid', { level: 'keyDoor', maskActions: true });
    const env = behind(2);
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    const keys = new Set<string>();
    const layers = new Set<string>();
    for (const actions of [[], [0], [1], [0, 1], [1, 0], [1, 1]]) {
      env.reset(level, state, 0);
      for (const action of actions) env.step(level, state, 0, { action, seed: 1 }, result);
      const key = new Uint32Array(2);
      env.key(level, state, 0, key, 0);
      keys.add(key.join());
      layers.add(env.layer(state, 0));
      expect(env.cell(state, 0)).toBe(0);
      expect(env.legal(level, state, 0)).toBe(0xffffffff);
      const names = actions.map((a) => ['right', 'down'][a]!);
      expect(env.scene(level, state, 0).waiting).toEqual(names);
      const map = plain.text(level, state, 1);
      expect(env.text(level, state, 0)).toBe(names.length > 0 ? `; still to come: ${names.join(', ')}\n${map}` : map);
    }
    expect(keys.size).toBe(6);
    expect(layers.size).toBe(6);
  });
});
