import { expect, test } from 'vitest';
import { speedOf } from './calibration.ts';
import { Clock } from './pace.ts';

test('at first what is left lies between the quarters of the updates so far', () => {
  const clock = new Clock();
  clock.start(0);
  let now = 0;
  const train = (ms: number, updates: number): void => {
    for (let k = 0; k < updates; k++) clock.tick((now += ms), k);
  };
  train(300, 7);
  expect(clock.leftBetween(now, 10), 'not before 8 updates').toBeNull();
  train(500, 13);
  // 20 updates: the quarters are five of 0.3 s and five of 0.5 s
  expect(clock.leftBetween(now, 10)).toEqual([3, 5]);
});

/** Between 0 and 1, the same every time. */
const noise = (update: number): number => (Math.imul(update + 1, 2_654_435_761) >>> 0) / 2 ** 32;

test.each<[string, number, (update: number) => number]>([
  ['an even pace', 23, () => 100],
  ['a slow start', 23, (u) => (u < 3 ? 5000 : 700)],
  ['updates that differ by a third', 23, (u) => 200 * (0.67 + 0.66 * noise(u))],
  ['an evaluation every five updates that takes as long as three', 23, (u) => (u % 5 === 0 ? 400 : 100)],
  ['one every 25 updates that takes as long as ten, once two were seen', 51, (u) => (u % 25 === 0 ? 1100 : 100)],
  ['a disturbance', 23, (u) => (u === 111 ? 3000 : 120)],
  ['WebGPU takes over and is three times as fast, 20 updates later', 70, (u) => (u < 50 ? 300 : 100)],
  ['episodes that become shorter by an eighth', 23, (u) => 100 + 15 * Math.exp(-u / 100)],
])('what is left is told as one number within 20 %%: %s', (_name, from, ms) => {
  const clock = new Clock();
  clock.start(0);
  const ends = Array.from({ length: 400 }, (_, u) => ms(u)).map(
    (
      (now) => (d) =>
        (now += d)
    )(0),
  );
  ends.forEach((now, u) => {
    clock.tick(now, u);
    const remaining = 399 - u;
    // an evaluation more or less is much of a few updates
    if (u + 1 < from || remaining < 75) return;
    const [low, high] = clock.leftBetween(now, remaining)!;
    expect(low).toBe(high);
    expect(Math.abs((1000 * low) / (ends.at(-1)! - now) - 1), `update ${u + 1}`).toBeLessThan(0.2);
  });
});

test('nothing is told in the first two seconds', () => {
  const clock = new Clock();
  clock.start(0);
  for (let k = 1; k <= 20; k++) clock.tick(k * 50, k);
  expect(clock.leftBetween(1000, 10)).toBeNull();
});

test('several trials give their common speed with the slowest and the fastest of them', () => {
  const trials = [
    { steps: 50, seconds: 0.5, shares: [0.5], evaluation: 0.25 },
    { steps: 90, seconds: 0.25, shares: [0.75], evaluation: 0.5 },
    { steps: 60, seconds: 0.25, shares: [0.5, 0.25], evaluation: 0.75 },
  ];
  const [shares, later] = [[1, 0.5, 0.25, 0.5, 0.25], 0.375];
  const once = { preparing: 3, snapshot: 2, checkpoint: 1, told: 0.5, written: 0.25 };
  // how much faster it becomes nobody knows, as they are not alike
  const speed = {
    stepsPerSecond: 200,
    slowest: 100,
    fastest: Infinity,
    shares,
    later,
    falling: 0,
    isKnown: false,
    beside: { ...once, evaluation: 0.5 },
  };
  expect(speedOf(trials, shares, once)).toEqual(speed);
  // milliseconds of an update are alike, not steps: episodes get shorter
  const alike = [100, 90, 110].map((steps) => ({ steps, seconds: 0.5, shares: [0.375], evaluation: 0 }));
  const known = {
    stepsPerSecond: 200,
    slowest: 180,
    fastest: 220,
    shares,
    later,
    falling: 0,
    isKnown: true,
    beside: { ...once, evaluation: 0 },
  };
  expect(speedOf([...trials, ...alike], shares, once)).toEqual(known);
});

test('episodes become shorter where a line through all updates of the trials says so, not where chance does', () => {
  const once = { preparing: 0, snapshot: 0, checkpoint: 0, told: 0, written: 0 };
  const falling = (...shares: number[][]): number =>
    speedOf(
      shares.map((of) => ({ steps: 1, seconds: 1, shares: of, evaluation: 0 })),
      [],
      once,
    ).falling;
  expect(falling([1, 0.95], [0.9, 0.85], [0.8, 0.75])).toBeCloseTo(0.05);
  // by numpy the slope is 0.051429, its standard error 0.003042
  expect(falling([1, 0.96], [0.88, 0.86], [0.8, 0.74])).toBeCloseTo(0.051429 - 2 * 0.003042, 5);
  expect(falling([1, 0.8], [1, 0.75], [0.9, 0.85])).toBe(0);
  expect(falling([0.75, 0.8], [0.85, 0.9], [0.95, 1])).toBe(0);
  expect(falling([1], [0.9], [0.8])).toBe(0);
  expect(falling([1, 1], [1, 1], [1, 1])).toBe(0);
});
