import { expect, test } from 'vitest';
import { always, Governor, type Trial } from './governor.ts';

/** ms that a piece of work takes on so many cores, after so much time. */
type Machine = (cores: number, at: number) => number;
const WORK = 1000;
const LATE = 4;

/** Trains on a machine, of which others arrive some updates after they were needed, and go when they are not. */
function train(machine: Machine, updates: number, most = 8) {
  const governor = new Governor(most);
  let [at, least, hires, calledAt] = [0, 0, 0, -1];
  const found: number[] = [];
  for (let u = 0; u < updates; u++) {
    const ms = machine(governor.now, at);
    least += Math.min(...[1, Math.ceil(most / 2), most].map((cores) => machine(cores, at)));
    at += ms;
    governor.took(ms, WORK);
    if (governor.needed === 1) calledAt = -1;
    else if (calledAt < 0) [calledAt, hires] = [u, hires + 1];
    else if (u === calledAt + LATE) governor.arrived();
    if (governor.found !== (found.at(-1) ?? 1)) found.push(governor.found);
  }
  return { governor, found, hires, lost: at / least - 1 };
}

/** Noise of up to a share, the same in every run of the test. */
function noisy(machine: Machine, share: number): Machine {
  let x = 1;
  return (cores, at) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return machine(cores, at) * (1 + share * (x / 2 ** 31 - 1));
  };
}

test('where more cores gain nothing, one is used, the others are let go, and looking costs less than 2 %', () => {
  for (const slower of [1, 1.03, 1.3, 2, 10]) {
    const { governor, found, hires, lost } = train((cores) => (cores === 1 ? 50 : 50 * slower), 20_000);
    expect([governor.now, governor.needed, found]).toEqual([1, 1, []]);
    expect(lost).toBeLessThan(0.02);
    // seldom: after 10 s, 20 s, … 5 minutes, or later where looking was dear
    expect(hires).toBeGreaterThan(1);
    expect(hires).toBeLessThan(12);
  }
});

test('where cores gain, as many are used as are clearly faster', () => {
  const of = (times: Record<number, number>) => train((cores) => 100 / times[cores]!, 5000);
  expect(of({ 1: 1, 4: 1.4, 8: 1.8 }).found).toEqual([8]);
  expect(of({ 1: 1, 4: 1.8, 8: 1.2 }).found).toEqual([4]);
  expect(of({ 1: 1, 4: 1.75, 8: 1.8 }).found).toEqual([4]);
  expect(of({ 1: 1, 4: 1.8, 8: 1.8 }).hires).toBe(1);
  // without the first second on one core
  expect(of({ 1: 1, 4: 1.4, 8: 1.8 }).lost).toBeLessThan(0.02);
});

test('measurements that differ by a third do not hide a gain, and a gain of nothing costs nothing', () => {
  expect(
    train(
      noisy((cores) => (cores === 8 ? 50 : 90), 0.3),
      20_000,
    ).found,
  ).toEqual([8]);
  const { lost } = train(
    noisy(() => 50, 0),
    20_000,
  );
  expect(lost).toBe(0);
});

test('short updates are measured together, and long ones each', () => {
  expect(train((cores) => (cores === 8 ? 0.5 : 1), 20_000).found).toEqual([8]);
  expect(train((cores) => (cores === 8 ? 20_000 : 40_000), 30).found).toEqual([8]);
});

test('a machine that others begin to use is noticed at once, one that they leave at the next look', () => {
  const busy = (from: number, until: number): Machine => {
    const isBusy = (at: number): boolean => at > from && at < until;
    return (cores, at) => (isBusy(at) ? { 1: 60, 4: 90, 8: 120 } : { 1: 50, 4: 30, 8: 20 })[cores]!;
  };
  const { found } = train(busy(60_000, 300_000), 30_000);
  expect(found).toEqual([8, 1, 8]);
  expect(train(busy(60_000, Infinity), 4000).found).toEqual([8, 1]);
});

test('before others arrive one core is used, and a short run asks for none', () => {
  const governor = new Governor(4);
  for (let u = 0; u < 9; u++) governor.took(100, WORK);
  expect([governor.now, governor.needed]).toEqual([1, 1]);
  for (let u = 0; u < 9; u++) governor.took(100, WORK);
  expect([governor.now, governor.needed]).toEqual([1, 4]);
  governor.arrived();
  const tried = [];
  for (let u = 0; u < 6; u++) {
    tried.push(governor.now);
    governor.took(100, WORK);
  }
  expect(tried).toEqual([1, 2, 4, 1, 2, 4]);
  // what is told is what was found
  expect(governor.found).toBe(1);
});

test('every trial tells what it measured, and the next begins when those before it cost 2 % at most', () => {
  const trials: Trial[] = [];
  const governor = new Governor(8, (trial) => trials.push(trial));
  for (let u = 0; u < 3000; u++) {
    governor.took({ 1: 50, 4: 70, 8: 300 }[governor.now]!, WORK);
    if (governor.needed > 1) governor.arrived();
  }
  expect(trials.length).toBeGreaterThan(1);
  for (const [k, { at, rates, found, wasted }] of trials.entries()) {
    expect([rates, found]).toEqual([{ 1: 0.05, 4: 0.07, 8: 0.3 }, 1]);
    // five looks at four cores, and one at eight
    expect(wasted).toBeCloseTo((k + 1) * (5 * 20 + 250));
    expect(at).toBeGreaterThanOrEqual(k === 0 ? 1000 : trials[k - 1]!.wasted / 0.02);
  }
});

test('a fixed number stays', () => {
  const three = always(3);
  three.took(1, WORK);
  three.arrived();
  expect([three.now, three.found, three.needed]).toEqual([3, 3, 3]);
});
