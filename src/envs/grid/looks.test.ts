import { expect, test } from 'vitest';
import { backwardInduction } from '../../core/dp.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { must } from '../../core/problem.ts';
import { enumerate } from '../enumerate.ts';
import { grid, type GridLevel } from './grid.ts';
import { PLANE } from './observe.ts';
import { rewardSettings, taskSettings } from './settings.ts';

const make = (changes: AnyValues) =>
  grid.level({ ...defaultsOf(taskSettings), ...changes }, defaultsOf(rewardSettings), 1);

function levelOf(changes: AnyValues): GridLevel {
  return must(make(changes));
}

/** Features that are on at step t of an episode: plane and position of the maps, then the scalars. */
function seen(level: GridLevel, cells: number, seed: number, t: number): { plane: number; k: number }[] {
  const state = new Uint32Array(grid.words);
  grid.reset(level, state, 0);
  state[grid.words - 1] = t;
  const features = grid.features(level);
  const bits = new Uint32Array(Math.ceil(features / 32));
  grid.observe(level, state, 0, bits, 0);
  grid.flicker!.draw(level, state, 0, { episodeSeed: seed, obs: bits, obsAt: 0 });
  return Array.from({ length: features }, (_, f) => f)
    .filter((f) => ((bits[f >>> 5]! >>> (f & 31)) & 1) === 1)
    .map((f) => ({ plane: Math.floor(f / cells), k: f % cells }));
}

const TILES: AnyValues = { level: 'custom', text: '.z..\nSt.z\n..zG' };
const CHANGING = [1, 7, 10];

test('changing tiles show one of four looks in planes of their own, drawn from the episode, the step and the cell', () => {
  const level = levelOf({ ...TILES, noisyTiles: true });
  expect(grid.features(level)).toBe(23 * 12 + 4);
  const counts = [0, 0, 0, 0];
  for (let t = 0; t < 300; t++) {
    const looks = seen(level, 12, 5, t).filter(({ plane }) => plane > PLANE.agent);
    expect(looks.map(({ k }) => k).sort((a, b) => a - b)).toEqual(CHANGING);
    for (const { plane, k } of looks) {
      expect(plane).toBe(19 + below(random(5, PURPOSE.noise, t, k, 0), 4));
      counts[plane - 19]!++;
    }
  }
  // a quarter of 900 each, within 5 standard deviations: 5·sqrt(900·3/16)
  for (const count of counts) expect(Math.abs(count - 225)).toBeLessThan(65);
});

test('a window shows the look that its tile has on the map', () => {
  const map = levelOf({ ...TILES, noisyTiles: true });
  const window = levelOf({ ...TILES, noisyTiles: true, view: 'ego', window: 3 });
  for (let t = 0; t < 40; t++) {
    const onMap = seen(map, 12, 9, t).find(({ plane, k }) => plane > PLANE.agent && k === 1)!;
    // the agent stands on cell 4, in the middle; cell 1 is up to the right of it
    expect(seen(window, 9, 9, t).filter(({ plane }) => plane > PLANE.agent && plane < 23)).toEqual([
      { plane: onMap.plane, k: 2 },
    ]);
  }
});

test('without the switch nothing flickers and the planes are those of the specification', () => {
  const level = levelOf(TILES);
  expect(grid.features(level)).toBe(19 * 12 + 4);
  expect(grid.flicker!.isOn(level)).toBe(false);
  expect(seen(level, 12, 1, 4)).toEqual(seen(level, 12, 2, 5));
  expect(grid.flicker!.isOn(levelOf({ ...TILES, noisyTiles: true }))).toBe(true);
  expect(grid.flicker!.isOn(levelOf({ ...TILES, noisyTiles: true, view: 'tokens' }))).toBe(false);
});

test('slip makes every level ice with these weights, and 0 1 0 leaves the level as it is', () => {
  const own = levelOf({ level: 'frozenLake4' });
  expect(own.rules.map.slip).toEqual([1, 1, 1]);
  const mild = levelOf({ level: 'frozenLake4', slip: [1, 8, 1] });
  expect(mild.rules.map.slip).toEqual([1, 8, 1]);
  const room = levelOf({ level: 'empty', n: 4, slip: [0, 3, 1] });
  expect(room.rules.map.iceAll).toBe(true);
  const state = new Uint32Array(grid.words);
  grid.reset(room, state, 0);
  const outcomes = grid.outcomes(room, state, 0);
  // to the right as meant with 3/4, turned right = down with 1/4
  expect(outcomes.map((o) => [o.numerator / o.denominator, o.state[0]])).toEqual([
    [0.75, 1],
    [0.25, 4],
  ]);
  expect(levelOf({ level: 'empty', n: 4 }).rules.map.iceAll).toBe(false);
  const best = (level: GridLevel): number =>
    backwardInduction(enumerate(grid, level, 1000)!.model, null, 100, 1, 'success').V[0]!;
  expect(best(mild)).toBeGreaterThan(best(own) + 0.1);
});

test('slip without any weight is refused in words', () => {
  const made = make({ slip: [0, 0, 0] });
  expect(!made.ok && made.problem).toMatchObject({ issues: [{ path: 'task.grid.slip' }] });
});
