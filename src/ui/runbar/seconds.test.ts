import { expect, test } from 'vitest';
import { estimateCost } from '../../config/cost.ts';
import { configWith } from '../../config/schema.ts';
import { between, isSameSize, secondsOf } from './seconds.ts';

const NOTHING = { preparing: 0, evaluation: 0, snapshot: 0, checkpoint: 0, told: 0, written: 0 };

/** Episodes of full length from the first update to the last, and nothing beside them. */
const speed = (slowest: number, fastest: number) => ({
  slowest,
  fastest,
  shares: [],
  later: 1,
  falling: 0,
  beside: NOTHING,
});

test('a range is told in one unit and holds both of its ends', () => {
  expect(between(3.2, 4.9)).toBe('3–5 s');
  expect(between(12, 40.5)).toBe('12–41 s');
  expect(between(70, 130)).toBe('1–3 min');
  expect(between(4000, 9000)).toBe('1–3 hours');
  expect(between(0.4, 2.3)).toBe('up to 3 s');
});

test('ends that are hardly apart are a range as well: nobody knows it to the second', () => {
  expect(between(3.1, 3.4)).toBe('3–4 s');
  expect(between(3.9, 4.1)).toBe('3–5 s');
  expect(between(15, 15)).toBe('15–16 s');
  expect(between(0.1, 0.2)).toBe('up to 1 s');
});

test('the slowest trial gives the longest time, and a pace the least', () => {
  const config = configWith({ 'run.updates': 100 });
  const { stepsPerUpdate } = estimateCost(config, null)!;
  expect(secondsOf(config, speed(stepsPerUpdate * 10, stepsPerUpdate * 50), null)).toEqual([2, 10]);
  expect(secondsOf(config, speed(stepsPerUpdate * 10, stepsPerUpdate * 50), 20)).toEqual([5, 13]);
});

test('updates that the trials have made are as long as they were there, and those after them as long as the last', () => {
  const config = configWith({ 'run.updates': 10 });
  const { stepsPerUpdate } = estimateCost(config, null)!;
  const measured = { ...speed(stepsPerUpdate, stepsPerUpdate * 2), shares: [1, 0.5, 0.5, 0.5], later: 0.25 };
  expect(secondsOf(config, measured, null)).toEqual([2, 4]);
  // a run that is over before the trials were knows all of its updates
  expect(secondsOf(configWith({ 'run.updates': 2 }), measured, null)).toEqual([0.75, 1.5]);
});

test('where episodes become shorter they may go on to, until they are a quarter as long: the shortest time is that', () => {
  const of = (falling: number, updates: number) => {
    const config = configWith({ 'run.updates': updates });
    const rate = estimateCost(config, null)!.stepsPerUpdate;
    return secondsOf(config, { ...speed(rate, rate), shares: [1, 1], later: 0.5, falling }, null)!;
  };
  expect(of(0, 12)).toEqual([7, 7]);
  // 0.45, 0.4, …, 0.15, then an eighth
  expect(of(0.05, 12)[0]).toBeCloseTo(2 + 7 * 0.3 + 3 * 0.125);
  expect(of(0.05, 6)[0]).toBeCloseTo(2 + 0.45 + 0.4 + 0.35 + 0.3);
  expect(of(0.05, 12)[1]).toBeCloseTo(7);
});

test('what is done beside the updates comes on top: once, for each copy of the state, and for evaluations that have no share in the speed', () => {
  const of = (beside: Partial<typeof NOTHING>, changes: Record<string, unknown>, fastest = Infinity) => {
    const config = configWith({ 'run.updates': 100, ...changes });
    const rate = estimateCost(config, null)!.stepsPerUpdate;
    const measured = { ...speed(rate * 10, fastest * rate), beside: { ...NOTHING, ...beside } };
    return secondsOf(config, measured, null)!;
  };
  expect(of({ preparing: 3 }, {})).toEqual([0, 13]);
  expect(of({ preparing: 3 }, {}, 50)).toEqual([5, 13]);
  // every 20 updates, at powers of two, before each evaluation
  const copies = (evaluations: number): number => 10 + (5 + Math.log2(101) + evaluations) * 0.25;
  expect(of({ checkpoint: 0.25 }, { 'analysis.evalEvery': 0 })[1]).toBeCloseTo(copies(0));
  expect(of({ checkpoint: 0.25 }, { 'analysis.evalEvery': 10 })[1]).toBeCloseTo(copies(10));
  // before updates 0, 30, 60, 90 and the last one, where the speed has 100 / 30 of them
  expect(of({ evaluation: 6 }, { 'analysis.evalEvery': 30 })[1]).toBeCloseTo(10 + (5 - 100 / 30) * 6);
  expect(of({ evaluation: 6 }, { 'analysis.evalEvery': 99 })[1]).toBeCloseTo(10 + (2 - 100 / 99) * 6);
  expect(of({ evaluation: 6 }, { 'analysis.evalEvery': 0 })[1]).toBe(10);
});

test('what the page shows takes its time as often as it is shown: a tenth of the run at most, and the first and the last in any case', () => {
  const config = configWith({ 'run.updates': 90 });
  const rate = estimateCost(config, null)!.stepsPerUpdate * 10;
  const of = (snapshot: number) => secondsOf(config, { ...speed(rate, rate), beside: { ...NOTHING, snapshot } }, null);
  // ten a second of 2 ms each; of half a second one after every 4.5 s
  expect(of(0.002)![1]).toBeCloseTo(9 * 1.02 + 2 * 0.002);
  expect(of(0.5)![1]).toBeCloseTo(10 + 2 * 0.5);
});

test('copies of a state are given to the page once a second at most, and written every three', () => {
  const of = (beside: Partial<typeof NOTHING>, updates: number): number => {
    const config = configWith({ 'run.updates': updates, 'analysis.evalEvery': 0 });
    const rate = estimateCost(config, null)!.stepsPerUpdate * 100;
    return secondsOf(config, { ...speed(rate, rate), beside: { ...NOTHING, ...beside } }, null)![1];
  };
  // a run of a hundredth of a second: every copy that there is
  expect(of({ told: 0.25, written: 0.5 }, 1)).toBeCloseTo(0.01 + (1 / 20 + 1) * 0.75);
  // of more than a hundred seconds the first and the last one, and those between
  const told = of({ told: 0.25 }, 10_000);
  expect(told).toBeCloseTo(100 + told * 0.25 + 2 * 0.25);
  const written = of({ written: 0.06 }, 10_000);
  expect(written).toBeCloseTo(100 + (written / 3) * 0.06 + 2 * 0.06);
  // a twentieth of the time at most
  expect(of({ written: 6 }, 10_000)).toBeCloseTo((100 + 2 * 6) / 0.95);
  // where more are due than there is time for, no more than those are made
  expect(of({ told: 1 }, 100)).toBeCloseTo(1 + 5 + Math.log2(101));
});

test('a speed counts for runs of the same size alone', () => {
  const config = configWith({});
  expect(isSameSize(config, configWith({ 'optimizer.learningRate': 0.5, 'run.updates': 7 }))).toBe(true);
  expect(isSameSize(config, configWith({ 'rollout.groupSize': 32 }))).toBe(false);
});

test('rounds of fresh tasks make the longest time longer, not the shortest, and another size of run', () => {
  const config = configWith({ 'run.updates': 20 });
  const rounds = configWith({ 'rollout.method': 'dynamicSampling', 'rollout.dynamicSampling.maxRounds': 3 }, config);
  const { stepsPerUpdate } = estimateCost(config, null)!;
  expect(secondsOf(rounds, speed(stepsPerUpdate * 10, stepsPerUpdate * 20), null)).toEqual([1, 6]);
  expect(isSameSize(config, rounds)).toBe(false);
});
