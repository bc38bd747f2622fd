import { describe, expect, test } from 'vitest';
import { below, random, uniform } from '../../../core/random.ts';
import type { Model } from '../../../core/dp.ts';
import golden from '../../fixtures/lookahead.json' with { type: 'json' };
import { checkLookaheadCase } from '../conformance.ts';
import { lookaheadOf } from './golden.ts';
import { bestOf, search, type Model as World } from './search.ts';
import { searchTable } from './table.ts';

describe.each(golden.cases.map((c) => [c.name, c] as const))('%s', (_, c) => {
  test('searched and from the table, the values are the golden ones', () => {
    const checks = checkLookaheadCase(c, golden.tolerance);
    expect(checks.map(({ key, passed }) => [key, passed])).toEqual([
      ['lookahead.q', true],
      ['lookahead.action', true],
      ['lookahead.myopicAction', true],
    ]);
  });
});

test('one step with nothing at the end is the reward alone; with values it is r + γ·leaf', () => {
  const [c] = golden.cases;
  const { next, reward, leafValue, nActions } = c!.inputs;
  const [one] = lookaheadOf({ ...c!, params: { depth: 1, gamma: 0.5 } });
  for (let a = 0; a < nActions; a++) expect(one!['q']![a]).toBeCloseTo(reward[a]! + 0.5 * leafValue[next[a]!]!, 12);
});

/** A drawn world with chance: two results of each action, some of which end. */
function drawnWorld(seed: number) {
  const draw = (a: number, b: number): number => random(seed, 1234, a, b, 0);
  const n = 3 + below(draw(0, 0), 7);
  const actions = 2 + below(draw(0, 1), 3);
  const offset: number[] = [];
  const [next, probability, reward, legal]: number[][] = [[], [], [], []] as number[][] as [
    number[],
    number[],
    number[],
    number[],
  ];
  for (let s = 0; s < n; s++) {
    legal!.push(1 | below(draw(s + 1, 99), 2 ** actions));
    for (let a = 0; a < actions; a++) {
      offset.push(next!.length);
      const p = uniform(draw(s + 1, 4 * a));
      for (const [k, q] of [p, 1 - p].entries()) {
        const to = below(draw(s + 1, 4 * a + 1 + k), n + 1);
        next!.push(to === n ? -1 : to);
        probability!.push(q);
      }
      reward!.push(uniform(draw(s + 1, 4 * a + 3)) - 0.5);
    }
  }
  offset.push(next!.length);
  const model: Model = {
    ...{ states: n, actions, offset: Uint32Array.from(offset), next: Int32Array.from(next!) },
    ...{ probability: Float64Array.from(probability!), reward: Float64Array.from(reward!) },
    success: new Float64Array(n * actions),
  };
  const world: World<number> = {
    actions,
    nameOf: String,
    branches: (s, a) =>
      ((legal![s]! >>> a) & 1) === 0
        ? []
        : [0, 1].map((k) => {
            const at = offset[s * actions + a]! + k;
            // the expected reward, whatever happens
            return {
              probability: probability![at]!,
              reward: reward![s * actions + a]!,
              next: next![at]! < 0 ? null : next![at]!,
            };
          }),
  };
  const values = Float64Array.from({ length: n }, (_, s) => uniform(draw(s + 1, 50)));
  const probs = Float64Array.from({ length: n * actions }, (_, k) => uniform(draw(k + 1, 60)));
  return { n, actions, model, world, legal: legal!, values, probs };
}

/** By the definition, without a table of states that were seen. */
function byRecursion({ world, values, actions }: ReturnType<typeof drawnWorld>, s: number, d: number): number {
  if (d === 0) return values[s]!;
  let best = -Infinity;
  for (let a = 0; a < actions; a++) {
    const all = world.branches(s, a);
    if (all.length === 0) continue;
    const q = all.reduce(
      (sum, { probability, reward, next }) =>
        sum + probability * (reward + (next === null ? 0 : 0.9 * byRecursion(drawn.get(values)!, next, d - 1))),
      0,
    );
    best = Math.max(best, q);
  }
  return best;
}
const drawn = new Map<Float64Array, ReturnType<typeof drawnWorld>>();

test.each([1, 2, 3, 4, 5, 6, 7, 8])('world %i: search, table and plain recursion agree in every state', (seed) => {
  const made = drawnWorld(seed);
  drawn.set(made.values, made);
  const { n, actions, model, world, legal, values, probs } = made;
  for (const depth of [1, 2, 4])
    for (const width of [0, 1, 2]) {
      const settings = { depth, width, gamma: 0.9 };
      const table = searchTable(model, { values, probs, legal }, settings)[depth - 1]!;
      for (let s = 0; s < n; s++) {
        const judges = {
          values: (states: readonly number[]) => states.map((x) => values[x]!),
          probs: (states: readonly number[]) =>
            states.flatMap((x) => [...probs.subarray(x * actions, (x + 1) * actions)]),
        };
        const { layers, held } = search(world, s, judges, settings);
        const [root] = layers;
        expect(held).toBeLessThanOrEqual(1 + n * depth);
        for (let a = 0; a < actions; a++) {
          const [x, y] = [root!.Q[a]!, table.Q[s * actions + a]!];
          if (x === -Infinity || y === -Infinity) expect(x).toBe(y);
          else expect(x).toBeCloseTo(y, 12);
        }
        expect(root!.best[0]).toBe(table.best[s]);
        if (width === 0) expect(root!.V[0]).toBeCloseTo(byRecursion(made, s, depth), 12);
        else if (width === 1) expect([...root!.Q].filter((q) => q > -Infinity)).toHaveLength(1);
      }
    }
});

test('a search that would hold too many states looks less far, but always one step', () => {
  const wide: World<number> = {
    actions: 4,
    nameOf: String,
    branches: (s, a) => [{ probability: 1, reward: 0, next: 4 * s + a + 1 }],
  };
  const judges = { values: (states: readonly number[]) => states.map((s) => s) };
  const at = (most: number) => search(wide, 0, judges, { depth: 3, width: 0, gamma: 1, most });
  expect([at(85).depth, at(84).depth, at(20).depth, at(1).depth]).toEqual([3, 2, 1, 1]);
  expect(at(84).layers[0]!.best[0]).toBe(3);
  expect([...at(84).layers[0]!.Q]).toEqual([8, 12, 16, 20]);
});

test('of equal values the most probable action is taken, then the first', () => {
  expect(bestOf([1, 1, 0.5], 0, 3, [0.2, 0.3, 0.5])).toBe(1);
  expect(bestOf([1, 1, 0.5], 0, 3, null)).toBe(0);
  expect(bestOf([-Infinity, 1, 1.5], 0, 3, [0.9, 0.05, 0.05])).toBe(2);
  expect(bestOf([-Infinity, -Infinity], 0, 2, null)).toBe(-1);
});
