import { describe, expect, test } from 'vitest';
import { backwardInduction } from '../../core/dp.ts';
import { must } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { enumerate } from '../enumerate.ts';
import { environments } from '../registry.ts';
import { FLAG, type Environment } from '../types.ts';
import { optioned } from './optioned.ts';

function world(id: string, changes: AnyValues, length: number, singles: boolean) {
  const env = environments.find((e) => e.id === id)!;
  const behind = optioned(env, { length, singles }) as Environment;
  const settings = { ...defaultsOf(env.settings), ...changes };
  return { env: behind, bare: env, level: must(behind.level(settings, defaultsOf(env.rewards), 2)) };
}

const corridor = (n: number, length: number, singles = false, maxSteps = 0) =>
  world('grid', { level: 'corridor', n, maxSteps }, length, singles);

function chance(env: Environment, level: unknown): number {
  const { model } = enumerate(env, level, 100_000)!;
  const uniform = new Float64Array(model.states * model.actions).fill(1 / model.actions);
  return backwardInduction(model, uniform, env.maxSteps(level), 1, 'success').V[0]!;
}

/** Worlds of all kinds, with chance, headings and forbidden moves. */
const WORLDS: readonly (readonly [string, AnyValues])[] = [
  ['grid', { level: 'keyDoor', maskActions: true }],
  ['grid', { level: 'dynamicObstacles', n: 5, count: 1, actions: 'turn' }],
  ['grid', { level: 'frozenLake4' }],
  ['sokoban', { slip: [1, 6, 1], maxSteps: 40 }],
];
const WAYS = WORLDS.flatMap(([id, changes]) => [2, 3, 5].map((length) => [id, changes, length] as const));

describe('the world with options', () => {
  test('in a corridor of 6, four steps right, then two of four: counted one by one, and only the running one is legal', () => {
    const { env, level } = corridor(6, 4);
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    expect(env.actions(level)).toEqual(['4 right', '4 left']);
    const did = (action: number) => {
      env.step(level, state, 0, { action, seed: 1 }, result);
      return [env.cell(state, 0), state[0], state.at(-1), env.legal(level, state, 0), result.reward];
    };
    expect(env.legal(level, state, 0)).toBe(0xffffffff);
    expect(did(0)).toEqual([1, 1 | (3 << 8), 1, 1, 0]);
    // the other one is chosen in vain
    expect(did(1)).toEqual([2, 1 | (2 << 8), 2, 1, 0]);
    expect(env.scene(level, state, 0).waiting).toEqual(['right', 'right']);
    expect(did(0)).toEqual([3, 1 | (1 << 8), 3, 1, 0]);
    expect(did(0)).toEqual([4, 0, 4, 0xffffffff, 0]);
    expect(did(0)).toEqual([5, 1 | (3 << 8), 5, 1, 0]);
    expect(did(0)).toEqual([6, 0, 6 | (5 << 16), 0xffffffff, 1000]);
    expect(did(0)).toEqual([6, 0, 6 | (5 << 16), 0xffffffff, 0]);
  });

  // product §8.2, lesson 10: 18 choices of four steps in the corridor of 24 are the walk of 18 steps in one of 6
  test('by chance, four steps at a time find the end of a corridor of 24 in 0.26332 of the episodes, single steps in 0.00757', () => {
    const { env, level, bare } = corridor(24, 4);
    expect(env.maxSteps(level)).toBe(72);
    expect(chance(env, level)).toBeCloseTo(0.26332, 5);
    expect(chance(bare, level)).toBeCloseTo(0.00757, 5);
    const short = corridor(6, 2);
    expect(chance(env, level)).toBeCloseTo(chance(short.bare, short.level), 12);
  });

  test.each(WAYS)('each step is one of those that outcomes lists: %s %o, %s steps', (id, changes, length) => {
    for (const singles of [false, true]) {
      const { env, level } = world(id, changes, length, singles);
      const n = env.actions(level).length;
      const state = new Uint32Array(env.words);
      const result = { reward: 0, flags: 0 };
      for (let episode = 0; episode < 3; episode++) {
        env.reset(level, state, 0);
        for (let t = 0; t < 40 && state.at(-1)! >>> 16 === 0; t++) {
          const free = state[0] === 0;
          const action = below(random(episode, t, 0, 0, 0), n);
          const ways = env.outcomes(level, state.slice(), action);
          expect(ways.reduce((sum, o) => sum + o.numerator / o.denominator, 0)).toBeCloseTo(1, 12);
          env.step(level, state, 0, { action, seed: episode }, result);
          const is = (o: (typeof ways)[number]): boolean =>
            o.reward === result.reward &&
            (o.flags & FLAG.terminated) === (result.flags & FLAG.terminated) &&
            // at the limit nothing runs any more, of which outcomes knows nothing
            ((result.flags & FLAG.truncated) !== 0 || o.state[0] === state[0]) &&
            o.state.slice(1, -1).every((w, k) => w === state[1 + k]);
          expect(ways.some(is), `${free} ${action} at ${t}`).toBe(true);
          if (state[0] !== 0) expect(env.legal(level, state, 0)).toBe(1 << ((state[0]! & 255) - 1));
        }
      }
    }
  });

  test.each([
    [3, false],
    [4, true],
  ])('its best path reaches the goal by legal actions: %s steps, single ones too: %s', (length, singles) => {
    const { env, level } = world('grid', { level: 'keyDoor', maskActions: true }, length, singles);
    const path = env.shortestPath(level)!;
    if (singles) expect(path).toHaveLength(8);
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    for (const action of path) {
      expect((env.legal(level, state, 0) >>> action) & 1).toBe(1);
      env.step(level, state, 0, { action, seed: 1 }, result);
    }
    expect(result.flags & FLAG.success).toBe(FLAG.success);
  });

  test('with single steps an action and its option are legal together', () => {
    const { env, level, bare } = world('grid', { level: 'keyDoor', maskActions: true }, 3, true);
    const state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    // at the start one can go right and down
    expect(bare.legal(level, state, 1)).toBe(0b0011);
    expect(env.legal(level, state, 0)).toBe(0b00001111);
    expect(env.actions(level).slice(0, 4)).toEqual(['right', '3 right', 'down', '3 down']);
  });

  test('more actions than a word has bits are refused with the setting to change', () => {
    const env = environments.find((e) => e.id === 'textmaze')!;
    const made = optioned(env, { length: 2, singles: true }).level(
      defaultsOf(env.settings),
      defaultsOf(env.rewards),
      2,
    );
    expect(made.ok).toBe(false);
    if (!made.ok) expect(JSON.stringify(made.problem)).toContain('task.options.singles');
  });
});
