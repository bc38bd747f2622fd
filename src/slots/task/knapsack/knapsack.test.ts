import fc from 'fast-check';
import { expect, test } from 'vitest';
import golden from '../../fixtures/budgets.json' with { type: 'json' };
import { wholeTask, trainingContext } from '../../../contract/taskContext.ts';
import { defaultsOf } from '../../../core/settings.ts';
import { allocation } from './allocation.ts';
import { checkBudgetCase, type BudgetCase } from '../conformance.ts';
import { reliabilityOf } from '../../../core/math/reliability.ts';
import { knapsack } from './knapsack.ts';
import { successRate } from './successRate.ts';

const cases = golden.cases.filter(({ kind }) => kind !== 'dynamicSampling') as unknown as BudgetCase[];

test.each(cases)('the golden values of $name come out', (c) => {
  const checks = checkBudgetCase(c, golden.tolerance);
  expect(checks.length).toBeGreaterThan(2);
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});

test('the estimate, by hand: the newest visit alone where it is large enough, else the newest outcomes of all', () => {
  const rule = { window: 4, minCount: 3 };
  expect(successRate([], rule)).toEqual({ seen: false, rate: 0, count: 0 });
  expect(
    successRate(
      [
        [1, 1, 1],
        [0, 0],
      ],
      rule,
    ),
  ).toEqual({ seen: true, rate: 0.5, count: 5 });
  // five outcomes of one visit count all
  expect(
    successRate(
      [
        [1, 1],
        [0, 0, 0, 0, 1],
      ],
      rule,
    ),
  ).toEqual({ seen: true, rate: 0.2, count: 7 });
});

const rule = defaultsOf(knapsack.params) as never;
const known = fc.record({ rate: fc.constantFrom(0, 0.05, 0.3, 0.5, 0.9, 1), seen: fc.boolean() });

test('budgets of a batch add up to it, give everybody something, and never less to a mixed task than its floor', () => {
  fc.assert(
    fc.property(fc.array(known, { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 12 }), (tasks, G) => {
      const n = allocation(tasks, G, rule);
      expect(n.reduce((a, b) => a + b, 0)).toBe(G * tasks.length);
      n.forEach((x, k) => expect(x).toBeGreaterThanOrEqual(tasks[k]!.seen ? Math.min(2, G) : G));
    }),
  );
});

test('a solved level gets two episodes, a hard one most, and an unseen one the group size', () => {
  const tasks = [1, 0.3, 0.9, 0].map((rate) => ({ rate, seen: true }));
  const n = allocation([...tasks, { rate: 0, seen: false }], 8, rule);
  expect([n[0], n[4]]).toEqual([2, 8]);
  expect(n[1]!).toBeGreaterThan(n[2]!);
});

test('the source remembers the newest outcomes of each level, and gives a mixed level more than a solved one', () => {
  const params = defaultsOf(knapsack.params) as never;
  const context = trainingContext({ P: 2, G: 8, levels: 2, stages: 1, growEvery: 1 }, 1, 0);
  const state = { recent: new Float64Array(2 * 16), count: new Uint32Array(2), reliability: new Float64Array(30) };
  const went = (tag: number, success: number) => ({
    task: { ...wholeTask(context.level(tag), 8), tag },
    ...{ tries: 8, success, returnMean: success, returnSpread: 0, creditSize: NaN, valueError: NaN },
  });
  knapsack.report!(state, [went(0, 1), went(1, 0.25)], context, params);
  knapsack.report!(state, [went(1, 0.5)], context, params);
  expect([...state.count]).toEqual([8, 16]);
  expect([...state.recent.subarray(16, 32)]).toEqual([...Array(8).fill(0.5), ...Array(8).fill(0.25)]);
  const before = structuredClone(state);
  for (let update = 0; update < 8; update++) {
    const tasks = knapsack.next(
      state,
      trainingContext({ P: 2, G: 8, levels: 2, stages: 1, growEvery: 1 }, 1, update),
      params,
    );
    expect(tasks.reduce((sum, { tries }) => sum + tries, 0)).toBe(16);
    const [a, b] = tasks;
    if (a!.tag !== b!.tag) expect(tasks.find(({ tag }) => tag === 0)!.tries).toBe(2);
  }
  expect(state).toEqual(before);
});

test('levels that nobody has played get what levels like them suggest, and expectations are held to what came', () => {
  const rule = { ...defaultsOf(knapsack.params), unseen: 'predicted' } as never;
  const sizes = { P: 4, G: 8, levels: 0, stages: 1, growEvery: 1 };
  const spec = knapsack.state!(rule, 0, 4);
  const state = Object.fromEntries(
    Object.entries(spec).map(([name, { type, width }]) => [
      name,
      type === 'u32' ? new Uint32Array(Number(width)) : new Float64Array(Number(width)),
    ]),
  );
  const at = (update: number) => trainingContext(sizes, 1, update);
  const first = knapsack.next(state, at(0), rule);
  // nothing is known: every task the group size, and nothing is expected
  expect(first.map(({ tries, expected }) => [tries, expected])).toEqual(Array(4).fill([8, undefined]));
  const went = (tasks: typeof first, success: number) =>
    tasks.map((task) => ({
      ...{ task, tries: task.tries, success, returnMean: success, returnSpread: 0, creditSize: NaN, valueError: NaN },
    }));
  knapsack.report!(state, went(first, 0.25), at(0), rule);
  expect(state['reliability']!.every((x) => x === 0)).toBe(true);
  // without a world all levels are alike: (2·¼ + 4·0.97·¼)/(2 + 4·0.97)
  const second = knapsack.next(state, at(1), rule);
  for (const { expected } of second) expect(expected).toBeCloseTo(0.25, 12);
  knapsack.report!(state, went(second, 0.5), at(1), rule);
  const [bin] = reliabilityOf(state['reliability']!);
  expect(bin).toMatchObject({ tasks: 4, success: 0.5 });
  expect(bin!.expected).toBeCloseTo(0.25, 12);
  const told = knapsack.measure!(state, { tasks: second, T: 10 }, rule);
  expect(told['unseenLoss']).toBeCloseTo(-0.5 * Math.log(0.25) - 0.5 * Math.log(0.75), 9);
  expect(told['levelsKnown']).toBe(0);
});
