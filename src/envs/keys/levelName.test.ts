import fc from 'fast-check';
import { expect, test } from 'vitest';
import { must } from '../../core/problem.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { grid } from '../grid/grid.ts';
import { sokoban } from '../sokoban/sokoban.ts';
import { textmaze } from '../textmaze/textmaze.ts';
import type { Environment } from '../types.ts';
import { images } from './images.ts';
import { levelName } from './levelName.ts';
import { symmetriesOf } from './symmetry.ts';

function made(bare: unknown, changes: AnyValues, seed: number) {
  const env = bare as Environment;
  return {
    env,
    level: must(env.level({ ...defaultsOf(env.settings), ...changes }, defaultsOf(env.rewards), seed)),
  };
}

test.each([
  ['four rooms', grid, { level: 'fourRooms', n: 9 }],
  ['a room with a key and a door', grid, { level: 'doorKey', n: 6 }],
  ['moving obstacles', grid, { level: 'dynamicObstacles', n: 6, count: 3 }],
  ['a board of boxes', sokoban, { level: 'reverse' }],
] as const)(
  '%s: every image of a level has its name, and as a level that must be equal none but itself',
  (_n, bare, changes) => {
    fc.assert(
      fc.property(fc.nat(0xffff), (seed) => {
        const { env, level } = made(bare, changes, seed);
        const of = images[env.id]!;
        const { height, width } = of.size(level);
        const own = levelName(env, level, true);
        const all = symmetriesOf(height, width).map((id) => of.level(level, id));
        for (const image of all) expect(levelName(env, image, true)).toBe(own);
        // images that look alike are equal, and only those
        const start = new Uint32Array(env.words);
        const texts = all.map((image) => {
          env.reset(image, start, 0);
          return env.text(image, start, 0);
        });
        const exact = all.map((image) => levelName(env, image, false));
        for (let k = 1; k < all.length; k++) expect(exact[k] === exact[0]).toBe(texts[k] === texts[0]);
      }),
      { numRuns: 20 },
    );
  },
);

test('levels that differ in anything but their direction have different names', () => {
  const texts = ['S.b\n#.B\n..G', 'S.b\n#.B\n.G.', 'S.a\n#.A\n..G', 'S.b\n..B\n..G', '.Sb\n#.B\n..G'];
  const names = texts.map((text) => {
    const { env, level } = made(grid, { level: 'custom', text, maxSteps: 30 }, 1);
    return levelName(env, level, true);
  });
  expect(new Set(names).size).toBe(texts.length);
  const { env, level } = made(grid, { level: 'custom', text: 'b.S\nB.#\nG..', maxSteps: 30 }, 1);
  expect(levelName(env, level, true)).toBe(names[0]);
});

test('where chance pushes to one side, or the world has no map, levels have to be equal', () => {
  const TREE = { level: 'tree' };
  const wind = { level: 'custom', text: 'S..\n#..\n..G', maxSteps: 30, slip: [2, 8, 0] };
  const mirrored = { ...wind, text: '..S\n..#\nG..' };
  const name = (bare: unknown, changes: AnyValues, seed = 1): string => {
    const { env, level } = made(bare, changes, seed);
    return levelName(env, level, true);
  };
  expect(name(grid, wind)).not.toBe(name(grid, mirrored));
  expect(name(grid, wind)).toBe(name(grid, wind, 2));
  expect(name(textmaze, TREE, 1)).toBe(name(textmaze, TREE, 1));
  expect(name(textmaze, TREE, 1)).not.toBe(name(textmaze, TREE, 2));
});
