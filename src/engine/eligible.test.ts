import { expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import type { RowContext } from '../slots/rollout/types.ts';
import { mayForkAt, type Eligible } from '../slots/rollout/arpo/eligible.ts';

/** The steps t ≥ 1 of one episode that may fork, when it plays these actions. */
function steps(id: string, settings: AnyValues, names: readonly string[], eligible: Eligible): number[] {
  const env = environments.find((e) => e.id === id)!;
  const level = must(env.level({ ...defaultsOf(env.settings), ...settings }, defaultsOf(env.rewards), 1)) as object;
  const T = names.length;
  const state = new Uint32Array((T + 1) * env.words);
  const stateKey = new Uint32Array(2 * T);
  env.reset(level, state, 0);
  names.forEach((name, t) => {
    const at = t * env.words;
    env.key(level, state, at, stateKey, 2 * t);
    state.copyWithin(at + env.words, at, at + env.words);
    const action = env.actions(level).indexOf(name);
    if (action < 0) throw new Error(`${name} is none of ${env.actions(level).join()}`);
    env.step(level, state, at + env.words, { action, seed: 1 }, { reward: 0, flags: 0 });
  });
  const seen = { length: Uint32Array.of(T), state, stateKey, legal: new Uint32Array(T).fill(0xffffffff) };
  const context = { env, T, actions: env.actions(level).length, level: () => level, episodeSeed: () => 1 };
  const may = mayForkAt(eligible, { ...seen, count: 1 }, context as unknown as RowContext);
  return Array.from({ length: T - 1 }, (_, k) => k + 1).filter((t) => may(0, t));
}

// a corridor with one side way, below its third cell
const SIDE = { level: 'custom', text: '######\n#S..G#\n##.###\n######', view: 'planes' };

test('at junctions: where at least three ways are open, each time the episode comes there', () => {
  const way = ['right', 'left', 'right', 'right', 'left', 'left'];
  // cells 1 2 1 2 3 2: only the second has three neighbors
  expect(steps('grid', SIDE, way, 'junction')).toEqual([1, 3, 5]);
  expect(steps('grid', SIDE, way, 'newState')).toEqual([1, 4]);
  expect(steps('grid', SIDE, way, 'all')).toEqual([1, 2, 3, 4, 5]);
});

test('with new information: where something comes into view for the first time in the episode', () => {
  // two cells away are in view: from the first cell all of the first three, from the second the goal as well
  const long = { level: 'custom', text: '#########\n#S.....G#\n#########', view: 'planes' };
  expect(steps('grid', long, ['right', 'left', 'right', 'right', 'left'], 'newInformation')).toEqual([1, 4]);
});

test('Sokoban: after a push', () => {
  const board = { level: 'custom', text: '#######\n#     #\n#@ $ .#\n#     #\n#######' };
  expect(steps('sokoban', board, ['right', 'right', 'up', 'right', 'down'], 'junction')).toEqual([2]);
});
