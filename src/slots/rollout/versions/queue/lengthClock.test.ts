import { describe, expect, test } from 'vitest';
import { random, uniform } from '../../../../core/random.ts';
import type { QueueSettings } from './boundedQueue.ts';
import { LengthClock } from './lengthClock.ts';

const usual: QueueSettings = {
  ...{ bound: 3, tasks: 4, generators: 6, playTime: 3, tail: 0, interrupt: true, publishEvery: 1 },
};
const UPDATES = 40;
const lengthOf = (seed: number, u: number, k: number): number =>
  0.05 + 0.95 * uniform(random(seed, 4321, u, k, 0)) ** 3;

const drawn = Array.from({ length: 20 }, (_, k) => {
  const draw = (j: number, n: number): number => random(6, 4322, k, j, 0) % n;
  const tasks = 1 + draw(1, 5);
  const settings: QueueSettings = {
    ...{ bound: draw(0, 6), tasks, generators: tasks + draw(2, 6), playTime: 0.2 * 2 ** draw(3, 6), tail: 0 },
    ...{ interrupt: draw(4, 2) === 1, publishEvery: 1 + draw(5, 4) },
  };
  return { settings, seed: k };
});

/** Plays updates and tells the clock how long their groups were. */
function ticked(settings: QueueSettings, seed: number, updates = UPDATES) {
  const clock = new LengthClock(settings);
  const state = new Float64Array(clock.size);
  const states = [state.slice()];
  for (let u = 0; u < updates; u++) {
    clock.begin(seed, u, state);
    clock.settle(
      seed,
      u,
      Array.from({ length: settings.tasks }, (_, k) => lengthOf(seed, u, k)),
      state,
    );
    states.push(state.slice());
  }
  return { clock, states };
}

describe.each(drawn)('$settings', ({ settings, seed }) => {
  const { clock } = ticked(settings, seed);
  const { bound, tasks, generators, playTime, publishEvery } = settings;
  const every = Math.min(publishEvery, bound + 1);

  test('group by group, without the state of the clock, the ends of updates are the same', () => {
    const free = new Array<number>(generators).fill(0);
    const ends: number[] = [];
    for (let u = 0; u < UPDATES; u++) {
      let last = ends[u - 1] ?? 0;
      for (let k = 0; k < tasks; k++) {
        const v = Math.ceil(Math.max(0, u - bound) / every) * every;
        const lane = (u * tasks + k) % generators;
        const start = Math.max(free[lane]!, v === 0 ? 0 : ends[v - 1]!);
        free[lane] = start + playTime * lengthOf(seed, u, k);
        last = Math.max(last, free[lane]!);
        // versions: the newest published one whose update had ended
        let version = Math.floor(u / every) * every;
        while (version > 0 && ends[version - 1]! > start) version -= every;
        expect(clock.versionOf(seed, u, k, 0)).toBe(version);
      }
      ends.push(last + 1);
      expect(clock.at(seed, u).end).toBeCloseTo(last + 1, 9);
    }
  });

  test('nobody is older than the bound or from the future, versions are published ones and never fall in an episode', () => {
    for (let u = 0; u < UPDATES; u++)
      for (let k = 0; k < tasks; k++) {
        const versions = [0, 0.2, 0.5, 0.99].map((part) => clock.versionOf(seed, u, k, part));
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        expect(versions[0]).toBeGreaterThanOrEqual(Math.max(0, u - bound));
        expect(versions.at(-1)).toBeLessThanOrEqual(u);
        for (const v of versions) expect(v % every).toBe(0);
      }
  });

  test('overlap never costs time where weights are published at once', () => {
    const { clock: eager } = ticked({ ...settings, publishEvery: 1 }, seed);
    for (let u = 0; u < UPDATES; u++) {
      const { end, synchronous, trainerIdle, generatorIdle } = eager.at(seed, u);
      expect(end).toBeLessThanOrEqual(synchronous + 1e-9);
      for (const share of [trainerIdle, generatorIdle]) expect(share >= 0 && share <= 1).toBe(true);
    }
  });
});

test('staleness 0 waits for the longest episode of every batch', () => {
  const { clock } = ticked({ ...usual, bound: 0 }, 5);
  let time = 0;
  for (let u = 0; u < UPDATES; u++) {
    time += 1 + 3 * Math.max(...[0, 1, 2, 3].map((k) => lengthOf(5, u, k)));
    const { end, synchronous, held } = clock.at(5, u);
    expect(end).toBeCloseTo(time, 9);
    expect(synchronous).toBeCloseTo(time, 9);
    expect(held).toBe(u === 0 ? 0 : 4);
    expect(clock.versionOf(5, u, 2, 0.7)).toBe(u);
  }
});

test('one long episode in a batch holds back less where batches overlap', () => {
  const speed = [0, 1, 4].map((bound) => {
    const { clock } = ticked({ ...usual, bound, generators: 16 }, 7);
    return clock.at(7, UPDATES - 1).synchronous / clock.at(7, UPDATES - 1).end;
  });
  expect(speed[0]).toBeCloseTo(1, 9);
  expect(speed[1]!).toBeGreaterThan(1.2);
  expect(speed[2]!).toBeGreaterThan(speed[1]! + 0.2);
});

test('a clock that takes over a state goes on as the one that was not stopped', () => {
  const { clock, states } = ticked(usual, 3);
  const other = new LengthClock(usual);
  const state = states[20]!.slice();
  for (let u = 20; u < UPDATES; u++) {
    other.begin(3, u, state);
    other.settle(
      3,
      u,
      Array.from({ length: 4 }, (_, k) => lengthOf(3, u, k)),
      state,
    );
    expect(other.at(3, u)).toEqual(clock.at(3, u));
  }
  expect(state).toEqual(states[UPDATES]);
});
