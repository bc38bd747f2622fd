import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { makePlan } from '../../engine/plan.ts';
import { OPTIONS, optionSignsOf, type OptionSigns } from './optionSigns.ts';

function signsOf(changes: Readonly<Record<string, unknown>>): OptionSigns | string {
  const { env, level, firstLevelSeed } = must(makePlan(configWith(changes)));
  return optionSignsOf(env, level(firstLevelSeed));
}
const CORRIDOR = { 'task.grid.level': 'corridor', 'task.grid.n': 40, 'task.grid.maxSteps': 120 };

/** Φ, by the series of its density. */
function normal(z: number): number {
  let [sum, term] = [z, z];
  for (let k = 1; k < 200; k++) sum += term *= (z * z) / (2 * k + 1);
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/**
 * The share in a corridor, where states follow each other: V̂(s) = Σ_j γ^j(−1 + ε_j) over the D = ⌈d/n⌉ decisions, so with
 * m = 4/n of them to the subgoal Â has the mean of both sums and independent errors, m of them of V̂(s) alone.
 */
function byHand(d: number, n: number): number {
  const [gamma, sigma] = [0.95, 0.5];
  const D = Math.ceil(d / n);
  const m = 4 / n;
  let [mean, variance] = [0, 0];
  for (let j = 0; j < D; j++) {
    const weight = (j >= m ? gamma ** (j - m) : 0) - gamma ** j;
    mean -= weight;
    variance += (sigma * weight) ** 2;
  }
  return normal(mean / Math.sqrt(variance));
}

test('in a corridor shares are those of a normal distribution, by hand', () => {
  const { distance, states, right } = signsOf(CORRIDOR) as OptionSigns;
  expect(distance[0]).toBe(5);
  expect(distance.at(-1)).toBeGreaterThan(30);
  expect(states.every((n) => n === 1)).toBe(true);
  OPTIONS.forEach((n, k) => {
    // over ten distances together: 480 tables, whose share is within 0.07 of what is expected
    for (let first = 0; first + 10 <= distance.length; first += 10) {
      const over = (of: (d: number) => number): number =>
        distance.slice(first, first + 10).reduce((sum, _, i) => sum + of(first + i) / 10, 0);
      const want = over((i) => byHand(distance[i]!, n));
      expect(Math.abs(over((i) => right[k]![i]!) - want), `options of ${n} from ${first}`).toBeLessThan(0.07);
    }
  });
});

test('far from the goal long options are right more often, near it single steps are at least as good', () => {
  const { distance, right } = signsOf(CORRIDOR) as OptionSigns;
  const [one, , four] = right as [number[], number[], number[]];
  const far = distance.flatMap((d, k) => (d > 25 ? [k] : []));
  const total = (x: readonly number[], at: readonly number[]): number => at.reduce((sum, k) => sum + x[k]!, 0);
  expect(total(four, far)).toBeGreaterThan(total(one, far) + 0.05 * far.length);
  const near = distance.flatMap((d, k) => (d <= 8 ? [k] : []));
  expect(total(one, near)).toBeGreaterThanOrEqual(total(four, near));
});

test('slips make states of one distance differ, and shares stay shares', () => {
  const { right, states } = signsOf({
    ...{ 'task.grid.level': 'fourRooms', 'task.grid.n': 9, 'task.grid.maxSteps': 100, 'task.grid.slip': [1, 8, 1] },
  }) as OptionSigns;
  expect(Math.max(...states)).toBeGreaterThan(1);
  for (const line of right) for (const share of line) expect(share).toBeGreaterThan(0.3);
  for (const line of right) for (const share of line) expect(share).toBeLessThanOrEqual(1);
});

test('a goal next door, or too many states, is told in words', () => {
  expect(signsOf({ 'task.grid.level': 'empty', 'task.grid.n': 3 })).toMatch(/at most 4 steps away/);
  expect(signsOf({ 'task.method': 'sokoban', 'task.sokoban.level': 'reverse', 'task.sokoban.boxes': 4 })).toMatch(
    /states/,
  );
});
