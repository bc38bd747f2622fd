import { describe, expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { below, random } from '../core/random.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { wrappers } from '../slots/registry.ts';
import { wrappedBy } from '../slots/wrapper/registry.ts';
import { environments } from '../envs/registry.ts';
import type { Environment } from '../envs/types.ts';

const envOf = (id: string): Environment => environments.find((env) => env.id === id)!;
const BARE = { id: 'nothing', params: {}, module: null };
/** Where somebody sees only what is nearby, the board is dark for them. */
const SEES: Readonly<Record<string, AnyValues>> = { subgoals: { sees: 'full' } };
/** Every wrapper by itself, at its defaults or so that the board is seen, and none. */
const WRAPPED = [
  BARE,
  ...wrappers
    .filter(({ world }) => world)
    .map((module) => ({ id: module.id, params: { ...defaultsOf(module.params), ...SEES[module.id] }, module })),
];
const MAPS: readonly (readonly [string, AnyValues])[] = [
  ['grid', { level: 'custom', text: 'S..#a\n.#..A\n...bG' }],
  ['grid', { level: 'custom', text: 'S.a\n..A\n..G\nzz.', noisyTiles: true, actions: 'turn' }],
  ['sokoban', { level: 'twoBoxes' }],
];

function worldOf(id: string, { module, params }: (typeof WRAPPED)[number], changes: AnyValues) {
  const bare = envOf(id);
  const rewards = defaultsOf(bare.rewards);
  const env = module ? wrappedBy([{ module, params }], bare, rewards) : bare;
  const level = must(env.level({ ...defaultsOf(bare.settings), ...changes }, rewards, 3));
  return { env, level, features: env.features(level) };
}

describe.each(WRAPPED.map((w) => [w.id, w] as const))('before the world: %s', (_id, wrapped) => {
  test.each(MAPS)('a board of %s comes first, and shows the agent where the drawing has it: %o', (id, changes) => {
    const { env, level, features } = worldOf(id, wrapped, { ...changes, view: 'planes' });
    const board = env.board!(level)!;
    const cells = board.height * board.width;
    expect(features).toBeGreaterThanOrEqual(board.planes * cells);
    const state = new Uint32Array(env.words);
    const obs = new Uint32Array(Math.ceil(features / 32));
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    for (let t = 0; t < 12; t++) {
      env.observe(level, state, 0, obs, 0);
      const { agent, width, height } = env.scene(level, state, 0);
      expect([height, width]).toEqual([board.height, board.width]);
      const plane = Array.from({ length: cells }, (_, cell) => board.agent! * cells + cell);
      const on = plane.filter((f) => ((obs[f >>> 5]! >>> (f & 31)) & 1) === 1);
      expect(on).toEqual([board.agent! * cells + agent.cell]);
      const action = below(random(5, 1, t, 0, 0), env.actions(level).length);
      env.step(level, state, 0, { action, seed: 7 }, result);
    }
  });

  test.each(['grid', 'sokoban', 'textmaze'])('in every view of %s the board is that of the world alone', (id) => {
    const { view } = envOf(id).settings;
    for (const option of view!.kind === 'choice' ? view!.options : []) {
      const { env, level } = worldOf(id, wrapped, { view: option });
      const bare = worldOf(id, BARE, { view: option });
      expect(env.board?.(level) ?? null, option).toEqual(bare.env.board?.(bare.level) ?? null);
    }
  });
});

test('a window is a board with the agent in its middle, a board around the player shows no agent, and numbers are none', () => {
  const windowed = worldOf('grid', BARE, { view: 'ego', window: 5 });
  expect(windowed.env.board!(windowed.level)).toMatchObject({ height: 5, width: 5 });
  const around = worldOf('sokoban', BARE, { level: 'twoBoxes', view: 'around' });
  const { planes, height, width, agent } = around.env.board!(around.level)!;
  expect([planes * height * width, agent]).toEqual([around.features, undefined]);
  const numbered = worldOf('sokoban', BARE, { level: 'firstPush', view: 'index' });
  expect(numbered.env.board!(numbered.level)).toBeNull();
  const said = worldOf('textmaze', BARE, {});
  expect(said.env.board?.(said.level) ?? null).toBeNull();
});
