import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { backwardInduction, type Model } from '../../core/dp.ts';
import { must } from '../../core/problem.ts';
import { random } from '../../core/random.ts';
import { makePlan } from '../../engine/plan.ts';
import { episodesPerSequence, binomialQuantile, meanOf } from './gorp.ts';
import { backUp, horizonOf, horizonOfLevel, type Horizon } from './horizon.ts';

function ofTask(changes: Readonly<Record<string, unknown>>): Horizon {
  const { env, level, firstLevelSeed } = must(makePlan(configWith(changes)));
  const found = horizonOfLevel(env, level(firstLevelSeed));
  if (found === null || typeof found === 'string') throw new Error(found ?? 'nothing to decide');
  return found;
}

/** A process whose action a of state s leads to to[s][a], −1 at the end, and pays. */
function processOf(to: readonly (readonly number[])[], reward: readonly (readonly number[])[]): Model {
  const next = to.flat();
  return {
    states: to.length,
    actions: to[0]!.length,
    offset: Uint32Array.from({ length: next.length + 1 }, (_, k) => k),
    next: Int32Array.from(next),
    probability: new Float64Array(next.length).fill(1),
    reward: Float64Array.from(reward.flat()),
    success: new Float64Array(next.length),
  };
}

test.each([4, 8, 12, 20])('a corridor of length %i is solved by greed on the values of the uniform policy', (n) => {
  const found = ofTask({ 'task.grid.level': 'corridor', 'task.grid.n': n });
  expect(found.k).toBe(1);
  expect(found.isChance).toBe(false);
});

test('a bonus on the way misleads: greed on the values of the uniform policy is not best', () => {
  expect(ofTask({ 'task.grid.level': 'bonusRoom' }).k).toBeGreaterThan(1);
});

test('where slips have results of their own, k* is by expectations and only the bound is known', () => {
  const found = ofTask({ 'task.grid.level': 'corridor', 'task.grid.n': 6, 'task.grid.slip': [1, 8, 1] });
  expect(found).toMatchObject({ isChance: true, found: null });
  expect(found.k).toBeGreaterThanOrEqual(1);
  expect(Number.isFinite(found.bound.H)).toBe(true);
});

test('a tie with an action that is not best does not solve a level', () => {
  // action 0 pays 1/2 at once; action 1 leads to a state where one of two actions pays 1, so that Q¹ of both is 1/2
  const tied = processOf(
    [
      [-1, 1],
      [-1, -1],
    ],
    [
      [0.5, 0],
      [1, 0],
    ],
  );
  expect(horizonOf(tied, 2)).toMatchObject({ k: 2 });
  // with a bit less at once greed on Q¹ is right, with a bit more it is wrong
  expect(horizonOf({ ...tied, reward: Float64Array.from([0.4, 0, 1, 0]) }, 2)).toMatchObject({ k: 1 });
  expect(horizonOf({ ...tied, reward: Float64Array.from([0.6, 0, 1, 0]) }, 2)).toMatchObject({ k: 2 });
});

test('one step between arms takes one look at each: H = 1', () => {
  const arms = processOf([[-1, -1, -1]], [[0, 1, 0.5]]);
  // by hand: Q¹ = Q*, Δ = 1/2, so the bound is 1 + log₃(1·1/(1/2)²) + log₃(6·ln(2·1·3))
  const found = horizonOf(arms, 1) as Horizon;
  expect(found.found).toEqual({ H: 1, k: 1, m: 1, steps: 3 });
  expect(found.bound.H).toBeCloseTo(1 + Math.log(4) / Math.log(3) + Math.log(6 * Math.log(6)) / Math.log(3), 12);
});

test('where nothing that is done matters there is nothing to find', () => {
  expect(horizonOf(processOf([[0, 0]], [[1, 1]]), 5)).toBeNull();
});

const processes = fc
  .record({ n: fc.integer({ min: 1, max: 6 }), T: fc.integer({ min: 1, max: 6 }), seed: fc.infiniteStream(fc.nat(99)) })
  .map(({ n, T, seed }) => {
    const draw = (below: number): number => (seed.next().value as number) % below;
    const to = Array.from({ length: n }, () => [0, 1].map(() => draw(n + 1) - 1));
    return {
      T,
      model: processOf(
        to,
        to.map((row) => row.map(() => draw(5) / 4)),
      ),
    };
  });

test('laws: 1 ≤ k* ≤ T, H ≥ k*, T backups are the best values, and the scale of rewards changes nothing', () => {
  fc.assert(
    fc.property(processes, ({ T, model }) => {
      const found = horizonOf(model, T);
      if (found === null) return;
      expect(typeof found).toBe('object');
      const { k, found: searched, bound } = found as Horizon;
      expect(k).toBeGreaterThanOrEqual(1);
      expect(k).toBeLessThanOrEqual(T);
      expect(searched!.H).toBeGreaterThanOrEqual(k);
      expect(bound.H).toBeGreaterThanOrEqual(k);
      const doubled = horizonOf({ ...model, reward: model.reward.map((r) => 2 * r) }, T) as Horizon;
      expect(doubled.k).toBe(k);
      expect(doubled.bound.H).toBeCloseTo(bound.H, 9);
      const { states, actions } = model;
      const Q = backwardInduction(model, new Float64Array(states * actions).fill(1 / actions), T).Q;
      for (let j = 1; j < T; j++) backUp(model, T, Q);
      expect([...Q]).toEqual([...backwardInduction(model, null, T).Q]);
    }),
  );
});

/** From each state action 1 leads on and the last of them pays; action 0 ends the episode. */
function ladder(T: number): Model {
  const to = Array.from({ length: T }, (_, s) => [-1, s + 1 < T ? s + 1 : -1]);
  return processOf(
    to,
    to.map((_, s) => [0, s + 1 === T ? 1 : 0]),
  );
}

function episodesOn(T: number, k: number): number {
  const model = ladder(T);
  const best = backwardInduction(model, null, T);
  return episodesPerSequence({ model, T, k, best, worst: new Float64Array(T * T), tie: 1e-9 })!;
}

/** GORP as it is told, episode by episode: does it climb to the top of a ladder? */
function climbs(T: number, k: number, { m, run }: { m: number; run: number }): boolean {
  let draws = 0;
  const draw = (): number => random(run, 999, draws++, 0, 0) >>> 31;
  for (let t = 0; t < T; t++) {
    const length = Math.min(k, T - t);
    const sums = Array.from({ length: 2 ** length }, (_, sequence) => {
      let sum = 0;
      for (let episode = 0; episode < m; episode++) {
        let at = t;
        const action = (): number => (at - t < length ? (sequence >> (length - 1 - (at - t))) & 1 : draw());
        while (at < T && action() === 1) at++;
        sum += at === T ? 1 : 0;
      }
      return sum;
    });
    const top = Math.max(...sums);
    const tied = [0, 1].filter((a) => sums.some((x, sequence) => x === top && sequence >> (length - 1) === a));
    if (tied[tied.length > 1 ? draw() : 0] === 0) return false;
  }
  return true;
}

test.each([
  [6, 1],
  [7, 1],
  [7, 2],
])(
  'with m episodes GORP as it is told climbs a ladder of %i steps with %i-step sequences in half of all runs',
  (T, k) => {
    const m = episodesOn(T, k);
    const share = (episodes: number): number => {
      let won = 0;
      for (let run = 0; run < 60; run++) won += climbs(T, k, { m: episodes, run }) ? 1 : 0;
      return won / 60;
    };
    expect(share(2 * m)).toBeGreaterThan(0.5);
    expect(share(Math.max(1, m >> 2))).toBeLessThan(0.5);
  },
);

test('m of a goal that chance finds once in n episodes grows with n', () => {
  const m = (T: number): number => episodesOn(T, 1);
  // the first step finds the goal once in 2^(T−1) episodes after the right action
  expect(m(4)).toBeLessThan(m(7));
  expect(m(7)).toBeLessThan(m(10));
  expect(m(10)).toBeGreaterThan(2 ** 7);
  expect(m(10)).toBeLessThan(2 ** 12);
});

test('the scaled binomial is the distribution itself for one goal, and keeps its mean', () => {
  // mean 1/4, variance 3/16: one draw is 0 or 1
  expect(meanOf(1, 0.25, 3 / 16, 0.7)).toBe(0);
  expect(meanOf(1, 0.25, 3 / 16, 0.8)).toBe(1);
  // Bin(3, 1/4): P(X = 0) = 27/64 ≈ 0.42, P(X ≤ 1) = 54/64 ≈ 0.84
  expect([0.4, 0.5, 0.84, 0.9].map((u) => binomialQuantile(3, 0.25, u))).toEqual([0, 1, 1, 2]);
  expect(binomialQuantile(1e6, 0.3, 0.5)).toBeCloseTo(3e5, -1);
});
