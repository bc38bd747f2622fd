import { describe, expect, test } from 'vitest';
import { random } from '../../../../core/random.ts';
import { BoundedQueue, capacity, queuesOf, timeOf, type QueueSettings } from './boundedQueue.ts';

const usual: QueueSettings = {
  bound: 4,
  tasks: 4,
  generators: 4,
  playTime: 2,
  tail: 1,
  interrupt: false,
  publishEvery: 1,
};
const UPDATES = 60;
/** settings that differ in everything, from equal times to heavy tails, from a slow trainer to slow generators */
const drawn = Array.from({ length: 40 }, (_, k): { settings: QueueSettings; seed: number } => {
  const draw = (j: number, n: number): number => random(5, 1000, k, j, 0) % n;
  const settings = {
    bound: draw(0, 9),
    tasks: 1 + draw(1, 7),
    generators: 1 + draw(2, 12),
    playTime: 0.05 * 1.5 ** draw(3, 14),
    tail: draw(4, 5) / 2,
    interrupt: draw(5, 2) === 1,
    publishEvery: 1 + (k % 2) * draw(6, 6),
  };
  return { settings, seed: k };
});

const versions = (queue: BoundedQueue, { tasks }: QueueSettings, u: number, part: number): number[] =>
  Array.from({ length: tasks }, (_, task) => queue.versionOf(u, task, part));

test('capacity: free generators, or what the bound leaves; less than nothing where the bound was narrowed', () => {
  const two = { bound: 2, tasks: 24, generators: 26 };
  expect(capacity(two, 2, 84, 26)).toBe(0);
  expect(capacity({ ...two, generators: 60 }, 2, 40, 20)).toBe(40);
  expect(capacity({ ...two, generators: 60 }, 2, 100, 15)).toBe(5);
  expect(capacity({ ...two, bound: 0 }, 2, 84, 0)).toBe(-12);
  // floor((N − 1)/B) ≤ i + η for as many more as it says, and for no more
  for (let all = 0; all < 40; all++) {
    const n = capacity({ bound: 3, tasks: 5, generators: 1000 }, 2, all, 0);
    for (let more = 1; more < 40; more++) expect(Math.floor((all + more - 1) / 5) <= 2 + 3).toBe(more <= n);
  }
});

/**
 * The same by recursion, without a clock: group N begins at the end of the update that the bound makes it wait for, or
 * when the generator that is free first is; update u trains once the last of its groups is finished.
 */
function byRecursion({ bound, tasks, generators, publishEvery }: QueueSettings, took: (N: number) => number): number[] {
  const free = new Array<number>(generators).fill(0);
  const finish: number[] = [];
  const ends: number[] = [];
  const release = (u: number, at: number): void => {
    for (let N = u * tasks; N < (u + 1) * tasks; N++) {
      free.sort((a, b) => a - b);
      finish[N] = Math.max(at, free[0]!) + took(N);
      free[0] = finish[N]!;
    }
  };
  const every = Math.min(publishEvery, bound + 1);
  // the first published version that is new enough for the groups of update u
  const admits = (u: number): number => Math.ceil(Math.max(0, u - bound) / every) * every;
  let next = 0;
  for (let u = 0; u < UPDATES; u++) {
    for (; admits(next) <= u; next++) release(next, admits(next) === 0 ? 0 : ends[admits(next) - 1]!);
    const last = Math.max(ends[u - 1] ?? 0, ...finish.slice(u * tasks, (u + 1) * tasks));
    ends.push(last + 1);
  }
  return ends;
}

describe.each(drawn)('$settings', ({ settings, seed }) => {
  const { bound, tasks } = settings;
  const queue = new BoundedQueue(settings, seed);
  const ends = Array.from({ length: UPDATES }, (_, u) => queue.at(u).end);

  test('no unit is older than the bound, none is from the future, and none of a group grows older', () => {
    for (let u = 0; u < UPDATES; u++) {
      let before = versions(queue, settings, u, 0);
      for (const part of [0, 0.3, 0.7, 0.999]) {
        const now = versions(queue, settings, u, part);
        for (const [task, v] of now.entries()) {
          expect(v).toBeGreaterThanOrEqual(Math.max(0, u - bound, before[task]!));
          expect(v).toBeLessThanOrEqual(u);
          if (!settings.interrupt) expect(v).toBe(before[task]);
        }
        before = now;
      }
    }
  });

  test('the oldest first: versions at the start never fall from group to group', () => {
    const all = Array.from({ length: UPDATES }, (_, u) => versions(queue, settings, u, 0)).flat();
    expect(all).toEqual(all.toSorted((a, b) => a - b));
  });

  test('the clock agrees with a recursion over updates', () => {
    const expected = byRecursion(settings, (N) => timeOf(settings, seed, Math.floor(N / tasks), N % tasks));
    for (let u = 0; u < UPDATES; u++) expect(Math.abs(ends[u]! / expected[u]! - 1)).toBeLessThan(1e-12);
  });

  test('a wider bound, or one more generator, never delays an update', () => {
    // with the same versions published: a wider bound may publish less often, as m is at most η + 1
    const publishEvery = Math.min(settings.publishEvery, bound + 1);
    for (const more of [{ bound: bound + 1 }, { bound: bound + 7 }, { generators: settings.generators + 1 }]) {
      const faster = new BoundedQueue({ ...settings, publishEvery, ...more }, seed);
      for (let u = 0; u < UPDATES; u++) expect(faster.at(u).end).toBeLessThanOrEqual(ends[u]! * (1 + 1e-12));
    }
  });

  test('nothing is lost: groups waiting and played fill the time that was not idle', () => {
    for (let u = 0; u < UPDATES; u++) {
      const { trainerIdle, generatorIdle, waiting, held } = queue.at(u);
      for (const share of [trainerIdle, generatorIdle]) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }
      expect(waiting).toBeGreaterThanOrEqual(0);
      expect(waiting).toBeLessThanOrEqual(bound * tasks);
      // generators may wait all the time of an update for weights that come later
      if (settings.publishEvery === 1) expect(generatorIdle).toBeLessThan(1);
      expect(trainerIdle).toBeLessThan(1);
      expect(held).toBeLessThanOrEqual(tasks * Math.min(settings.publishEvery, bound + 1));
      expect((ends[u]! - (ends[u - 1] ?? 0)) * (1 - trainerIdle)).toBeCloseTo(1, 9);
    }
  });
});

test('staleness 0 is synchronous: every age 0, and the trainer waits for the slowest of each batch', () => {
  const queue = new BoundedQueue({ ...usual, bound: 0, tail: 0 }, 3);
  for (let u = 0; u < 20; u++) {
    expect(versions(queue, usual, u, 0)).toEqual([u, u, u, u]);
    const { end, trainerIdle, generatorIdle, waiting, held } = queue.at(u);
    expect([end, waiting, held]).toEqual([3 * (u + 1), 0, u === 0 ? 0 : 4]);
    expect(trainerIdle).toBeCloseTo(2 / 3, 12);
    expect(generatorIdle).toBeCloseTo(1 / 3, 12);
  }
});

test('with equal times and a wide bound nobody who is the slower one ever waits', () => {
  const slowTrainer = new BoundedQueue({ ...usual, tail: 0, playTime: 0.5 }, 3);
  const slowGenerators = new BoundedQueue({ ...usual, tail: 0, playTime: 2 }, 3);
  for (let u = 10; u < 20; u++) {
    expect(slowTrainer.at(u).trainerIdle).toBeCloseTo(0, 12);
    expect(slowTrainer.versionOf(u, 0, 0)).toBe(u - 4);
    expect(slowGenerators.at(u).generatorIdle).toBeCloseTo(0, 12);
    expect(slowGenerators.at(u).trainerIdle).toBeCloseTo(1 / 2, 12);
    expect(slowGenerators.versionOf(u, 0, 0)).toBe(u - 1);
  }
});

test('with heavy tails the queue is two to three times as fast, and most of that comes with the first steps of staleness', () => {
  const speed = [0, 1, 2, 4, 8, 16].map((bound) => {
    const { of, synchronous } = queuesOf({ ...usual, bound });
    let sum = 0;
    for (let seed = 0; seed < 16; seed++) sum += synchronous(seed).at(249).end / of(seed).at(249).end;
    return sum / 16;
  });
  // 250 updates, 16 seeds: 1, 1.59, 1.97, 2.36, 2.60, 2.67
  expect(speed[0]).toBe(1);
  for (let k = 1; k < speed.length; k++) expect(speed[k]! - speed[k - 1]!).toBeGreaterThan(k < 5 ? 0.15 : 0.03);
  expect(speed[3]).toBeGreaterThan(2.2);
  expect(speed[5]).toBeLessThan(2.8);
});

test('with weights published every m updates, every version that plays is a multiple of m', () => {
  const settings = { ...usual, bound: 5, publishEvery: 3, interrupt: true };
  const queue = new BoundedQueue(settings, 2);
  const all = Array.from({ length: 40 }, (_, u) => versions(queue, settings, u, 0.9)).flat();
  expect(all.every((v) => v % 3 === 0)).toBe(true);
  expect(new Set(all).size).toBeGreaterThan(8);
  // m above η + 1 would leave nobody who may begin: it counts as η + 1
  const late = new BoundedQueue({ ...settings, publishEvery: 100 }, 2);
  expect(versions(late, settings, 30, 0)).toEqual([30, 30, 30, 30]);
});

test('the order of questions does not matter, and seeds have times of their own', () => {
  const forward = new BoundedQueue(usual, 1);
  const back = new BoundedQueue(usual, 1);
  const of = (queue: BoundedQueue, u: number): unknown => [queue.at(u), versions(queue, usual, u, 0.5)];
  const seen = Array.from({ length: 30 }, (_, u) => of(forward, u));
  for (let u = 29; u >= 0; u--) expect(of(back, u)).toEqual(seen[u]);
  expect(new BoundedQueue(usual, 2).at(29)).not.toEqual(forward.at(29));
});

test('times have the mean that was set, and the spread of their logarithm', () => {
  const logs: number[] = [];
  let sum = 0;
  for (let u = 0; u < 1000; u++) {
    for (let task = 0; task < 4; task++) {
      const took = timeOf({ ...usual, tail: 0.5 }, 9, u, task);
      sum += took;
      logs.push(Math.log(took));
    }
  }
  const mean = logs.reduce((a, b) => a + b) / 4000;
  const sd = Math.sqrt(logs.reduce((a, b) => a + (b - mean) ** 2, 0) / 4000);
  // sd of the mean of 4000: 2 · √(e^0.25 − 1)/√4000 = 0.017; of the sd: 0.5/√8000 = 0.0056
  expect(Math.abs(sum / 4000 - 2)).toBeLessThan(5 * 0.017);
  expect(Math.abs(sd - 0.5)).toBeLessThan(5 * 0.0056);
});
