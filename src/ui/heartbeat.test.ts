import { expect, test } from 'vitest';
import { Heartbeat, LOADING_MS, SILENT_MS } from './heartbeat.ts';

/** A heart whose clock is moved by hand, with a worker that answers as long as it lives. */
function watch({ lives = true, patienceMs = SILENT_MS } = {}) {
  let now = 0;
  let tick: () => void = () => undefined;
  const seen = { pings: 0, silent: 0 };
  const worker = { lives };
  const heart = new Heartbeat(
    {
      ping: () => {
        seen.pings++;
        if (worker.lives) heart.hear(true);
      },
      silent: () => void seen.silent++,
      patienceMs: () => patienceMs,
    },
    {
      now: () => now,
      every: (_, act) => {
        tick = act;
        return () => (tick = () => undefined);
      },
    },
  );
  const wait = (seconds: number, step = 1000): void => {
    for (let passed = 0; passed < seconds * 1000; passed += step) {
      now += step;
      tick();
    }
  };
  return { heart, worker, seen, wait };
}

test('a worker that answers is never given up, and is asked once a second', () => {
  const { heart, seen, wait } = watch();
  heart.hear(false);
  wait(3600);
  expect(seen).toEqual({ pings: 3600, silent: 0 });
});

test('a worker that falls silent is given up once, ten seconds after it was asked', () => {
  const { heart, worker, seen, wait } = watch();
  heart.hear(false);
  wait(5);
  worker.lives = false;
  wait(10);
  expect(seen.silent).toBe(0);
  wait(1);
  expect(seen.silent).toBe(1);
  wait(100);
  expect(seen.silent).toBe(1);
});

test('while something is loaded, a minute is waited', () => {
  const { heart, seen, wait } = watch({ lives: false, patienceMs: LOADING_MS });
  heart.hear(false);
  wait(60);
  expect(seen.silent).toBe(0);
  wait(1);
  expect(seen.silent).toBe(1);
});

test('signs from the middle of long work count, though the ping stays unanswered', () => {
  const { heart, worker, seen, wait } = watch();
  heart.hear(false);
  worker.lives = false;
  for (let k = 0; k < 20; k++) {
    wait(9);
    heart.hear(false);
  }
  expect(seen).toEqual({ pings: 1, silent: 0 });
});

test('a page whose own clock stood still, hidden or suspended, does not take that for silence', () => {
  const { heart, worker, seen, wait } = watch();
  heart.hear(false);
  worker.lives = false;
  wait(3600, 60_000);
  expect(seen.silent).toBe(0);
  // back on the screen: nothing is known yet, and the worker gets its ten seconds
  wait(9);
  expect(seen.silent).toBe(0);
  wait(2);
  expect(seen.silent).toBe(1);
});

test('a worker that has not come yet is not silent, and one that was ended is no longer asked', () => {
  const { heart, seen, wait } = watch({ lives: false });
  wait(100);
  expect(seen).toEqual({ pings: 0, silent: 0 });
  heart.hear(false);
  heart.stop();
  wait(100);
  expect(seen).toEqual({ pings: 0, silent: 0 });
});
