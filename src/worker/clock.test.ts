import { expect, test } from 'vitest';
import { speedOf } from './calibration.ts';
import { Clock } from './pace.ts';

test('what is left lies between the quarters of the last updates, and follows them', () => {
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
  train(100, 20);
  expect(clock.leftBetween(now, 10)).toEqual([1, 1]);
});

test('nothing is told in the first two seconds', () => {
  const clock = new Clock();
  clock.start(0);
  for (let k = 1; k <= 20; k++) clock.tick(k * 50, k);
  expect(clock.leftBetween(1000, 10)).toBeNull();
});

test('several trials give their common speed with the slowest and the fastest of them', () => {
  const trials = [
    { steps: 50, fullSteps: 100, seconds: 0.5 },
    { steps: 90, fullSteps: 100, seconds: 0.25 },
    { steps: 60, fullSteps: 100, seconds: 0.25 },
  ];
  expect(speedOf(trials)).toEqual({ stepsPerSecond: 200, fullStepsPerSecond: 300, slowest: 200, fastest: 400 });
});
