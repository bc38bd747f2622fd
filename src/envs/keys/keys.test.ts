import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backwardInduction } from '../../core/dp.ts';
import { must } from '../../core/problem.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { enumerate } from '../enumerate.ts';
import { grid } from '../grid/grid.ts';
import { keyed, type KeyMode } from '../perturb/keyed.ts';
import { sokoban } from '../sokoban/sokoban.ts';
import { textmaze } from '../textmaze/textmaze.ts';
import type { Environment } from '../types.ts';
import { bisimulation } from './bisimulation.ts';
import golden from './fixtures/symmetryKey.json' with { type: 'json' };
import { actionBefore, actionImage, canonicalGrid, imageCells, symmetriesOf } from './symmetry.ts';

test.each(golden.cases)('the canonical form of $name is the golden one', ({ inputs, expected }) => {
  const { canonical, transform } = canonicalGrid(inputs.grid, inputs.height, inputs.width);
  expect({ canonical, transform, canonicalAction: [0, 1, 2, 3].map((a) => actionImage(a, transform)) }).toEqual(
    expected,
  );
});

const grids = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([height, width]) =>
  fc.record({
    height: fc.constant(height),
    width: fc.constant(width),
    cells: fc.array(fc.nat(2), { minLength: height * width, maxLength: height * width }),
  }),
);

test('laws: all images of a grid have one canonical form, and an action turned forth and back is itself', () => {
  fc.assert(
    fc.property(grids, ({ height, width, cells }) => {
      const { canonical, transform } = canonicalGrid(cells, height, width);
      expect(imageCells(cells, height, width, transform)).toEqual(canonical);
      for (const id of symmetriesOf(height, width)) {
        expect(canonicalGrid(imageCells(cells, height, width, id), height, width).canonical).toEqual(canonical);
        for (let a = 0; a < 4; a++) expect(actionBefore(actionImage(a, id), id)).toBe(a);
      }
    }),
  );
});

type Changes = AnyValues;
function made(bare: unknown, mode: KeyMode, changes: Changes, rewards: Changes = {}, seed = 1) {
  const world = bare as Environment;
  const env = keyed(world, { stateKeys: mode });
  const settings = { ...defaultsOf(world.settings), ...changes };
  return { env, level: must(env.level(settings, { ...defaultsOf(world.rewards), ...rewards }, seed)) };
}

/** The key of every state of a level, and what is best to get from there. */
function keysOf({ env, level }: { env: Environment; level: unknown }) {
  const all = enumerate(env, level, 20_000)!;
  const key = new Uint32Array(2);
  const keys = Array.from({ length: all.model.states }, (_, s) => {
    env.key(level, all.states, s * env.words, key, 0);
    return key.join();
  });
  return { keys, all };
}
const different = (keys: readonly string[]): number => new Set(keys).size;

const KEYS_LEFT = { level: 'custom', maxSteps: 60, text: 'S.a#..\n.a.A.G' };
const ROOM = { level: 'empty', n: 4 };
const ONE_BOX = { level: 'custom', text: '######\n#@   #\n# $  #\n#   .#\n######' };

test.each([
  ['a room', grid, ROOM],
  ['keys and a door', grid, KEYS_LEFT],
  ['one box', sokoban, ONE_BOX],
] as const)('in %s, bisimulation is exact: equal keys have equal best values at every step', (_name, bare, changes) => {
  const exact = keysOf(made(bare, 'exact', changes));
  const { keys, all } = keysOf(made(bare, 'bisimulation', changes));
  expect(different(keys)).toBeLessThanOrEqual(different(exact.keys));
  const { V } = backwardInduction(all.model, null, 12);
  const n = all.model.states;
  const first = new Map<string, number>();
  keys.forEach((key, s) => {
    if (!first.has(key)) first.set(key, s);
    for (let t = 0; t < 12; t++) expect(V[t * n + s]).toBeCloseTo(V[t * n + first.get(key)!]!, 9);
  });
});

test('the coarsest partition: states apart differ, by an action, in pay, end or class', () => {
  const { all } = keysOf(made(grid, 'exact', KEYS_LEFT));
  const classes = bisimulation(all.model);
  const { actions: A, offset, next, reward } = all.model;
  const signature = (s: number): string =>
    Array.from({ length: A }, (_, a) => {
      const to = next[offset[s * A + a]!]!;
      return `${reward[s * A + a]}:${to < 0 ? 'end' : classes[to]}`;
    }).join();
  const signatures = new Map<string, number>();
  for (let s = 0; s < all.model.states; s++) {
    const own = signature(s);
    expect(signatures.get(own) ?? classes[s]).toBe(classes[s]);
    signatures.set(own, classes[s]!);
  }
});

test('reduced keys of the grid drop keys without a door, and are no coarser than the future allows', () => {
  const [exact, reduced] = [keysOf(made(grid, 'exact', KEYS_LEFT)), keysOf(made(grid, 'reduced', KEYS_LEFT))];
  expect(different(reduced.keys)).toBeLessThan(different(exact.keys));
  const classes = bisimulation(reduced.all.model);
  const of = new Map<string, number>();
  reduced.keys.forEach((key, s) => {
    expect(of.get(key) ?? classes[s]).toBe(classes[s]);
    of.set(key, classes[s]!);
  });
  // where taking a key pays it is not dead
  const paid = keysOf(made(grid, 'reduced', KEYS_LEFT, { subgoal: 100 }));
  expect(different(paid.keys)).toBe(different(exact.keys));
});

test('reduced keys of Sokoban are boxes and the region of the player, with equal chances of success without a binding limit', () => {
  const { keys, all } = keysOf(made(sokoban, 'reduced', ONE_BOX, { step: 0, boxOn: 0, boxOff: 0, invalid: 0 }));
  expect(different(keys)).toBeLessThan(all.model.states / 3);
  const { V } = backwardInduction(all.model, null, 60, 1, 'success');
  const first = new Map<string, number>();
  keys.forEach((key, s) => {
    if (!first.has(key)) first.set(key, s);
    expect(V[s]).toBe(V[first.get(key)!]);
  });
});

test.each([
  ['an empty room', grid, ROOM],
  ['keys and a door', grid, KEYS_LEFT],
  ['slips', grid, { ...ROOM, slip: [1, 8, 1] }],
  ['one box', sokoban, ONE_BOX],
] as const)(
  'in %s, states with one symmetric key are seen alike and lead alike by the same action',
  (_n, bare, changes) => {
    const world = made(bare, 'symmetric', changes);
    const { env, level } = world;
    const { keys, all } = keysOf(world);
    expect(different(keys)).toBeLessThanOrEqual(all.model.states);
    const bits = Math.ceil(env.features(level) / 32);
    const seen = new Map<string, string>();
    const keyOf = (state: Uint32Array): string => {
      const out = new Uint32Array(2);
      env.key(level, state, 0, out, 0);
      return out.join();
    };
    keys.forEach((key, s) => {
      const state = all.states.slice(s * env.words, (s + 1) * env.words);
      const obs = new Uint32Array(bits);
      env.observe(level, state, 0, obs, 0);
      const told = [0, 1, 2, 3].map((action) => {
        const ways = env.outcomes(level, state, action);
        return ways
          .map((o) => `${o.numerator}/${o.denominator} ${o.reward} ${o.flags & 7} ${keyOf(o.state)}`)
          .sort()
          .join();
      });
      const own = `${obs.join()} ${told.join(' | ')}`;
      // a state that is its own image may go either way, so what it sees is compared alone
      const name = `${key}`;
      const stabilizers = symmetriesOf(1, 1).length;
      if (stabilizers > 0) expect((seen.get(name) ?? own).split(' ')[0]).toBe(own.split(' ')[0]);
      expect(seen.get(name) ?? own).toBe(own);
      seen.set(name, own);
    });
  },
);

test('a level and its mirror image are one world under symmetric keys', () => {
  const texts = ['S.b\n#.B\n..G', 'b.S\nB.#\nG..'];
  const [one, other] = texts.map((text) => made(grid, 'symmetric', { level: 'custom', text, maxSteps: 30 }));
  const [a, b] = [keysOf(one!), keysOf(other!)];
  expect(new Set(a.keys)).toEqual(new Set(b.keys));
  const path = one!.env.shortestPath(one!.level)!;
  expect(other!.env.shortestPath(other!.level)).toHaveLength(path.length);
});

test('a shortest path as the policy would choose it reaches the goal', () => {
  for (const [bare, changes] of [
    [grid, KEYS_LEFT],
    [sokoban, ONE_BOX],
  ] as const) {
    const { env, level } = made(bare, 'symmetric', changes);
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    for (const action of env.shortestPath(level)!) env.step(level, state, 0, { action, seed: 1 }, result);
    expect(result.flags & 4).toBe(4);
  }
});

test('what has a direction of its own is refused, and so are worlds without a map', () => {
  const refusedBy = (bare: unknown, mode: KeyMode, changes: Changes): string => {
    const world = bare as Environment;
    const env = keyed(world, { stateKeys: mode });
    const level = env.level({ ...defaultsOf(world.settings), ...changes }, defaultsOf(world.rewards), 1);
    return level.ok ? 'accepted' : JSON.stringify(level);
  };
  expect(refusedBy(grid, 'symmetric', { ...ROOM, slip: [2, 8, 0] })).toContain('one side');
  expect(refusedBy(grid, 'symmetric', { level: 'corridor', n: 5 })).toContain('four directions');
  expect(refusedBy(grid, 'symmetric', { ...ROOM, actions: 'turn' })).toContain('turns');
  expect(refusedBy(textmaze, 'symmetric', {})).toContain('no symmetries');
  expect(refusedBy(textmaze, 'reduced', {})).toContain('drops nothing');
});

test('a level with too many states to list keeps exact keys', () => {
  const wide = ['#'.repeat(12), ...Array.from({ length: 8 }, () => `#${' '.repeat(10)}#`), '#'.repeat(12)];
  wide[2] = '#  $ $ $ . #';
  wide[4] = '# @  $   ..#';
  wide[6] = '#        . #';
  const changes = { level: 'custom', text: wide.join('\n') };
  const keys = (['exact', 'bisimulation'] as const).map((mode) => {
    const { env, level } = made(sokoban, mode, changes);
    const state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    const key = new Uint32Array(2);
    env.key(level, state, 0, key, 0);
    return key.join();
  });
  expect(keys[1]).toBe(keys[0]);
});
