import { expect, test } from 'vitest';
import { trainingContext, wholeTask } from '../../../contract/taskContext.ts';
import { defaultsOf } from '../../../core/settings.ts';
import { logLoss, predictedSuccess } from './kernelAverage.ts';
import { predicted } from './predicted.ts';
import { addExpected, reliabilityOf } from '../../../core/math/reliability.ts';

const rule = { decay: 0.5, prior: 2 };

test('the kernel average, by hand: two results on the same level, one of them an update older', () => {
  const results = [
    { phi: [1], success: 1, age: 0 },
    { phi: [1], success: 0, age: 1 },
  ];
  // (2·½ + 1·1 + ½·0) / (2 + 1 + ½)
  expect(predictedSuccess([1], results, rule)).toBeCloseTo(2 / 3.5, 12);
  expect(predictedSuccess([1], [], rule)).toBe(0.5);
});

test('a level is predicted by levels like it: near an easy one it is easier than near a hard one', () => {
  const results = [0, 1, 2, 8, 9, 10].map((x) => ({ phi: [x], success: x < 5 ? 1 : 0, age: 0 }));
  expect(predictedSuccess([1], results, rule)).toBeGreaterThan(0.7);
  expect(predictedSuccess([9], results, rule)).toBeLessThan(0.3);
  // far from everything only the mean is left
  expect(predictedSuccess([100], results, rule)).toBeCloseTo(0.5, 6);
});

test('the loss of a sure and right prediction is small, of a sure and wrong one large but finite', () => {
  expect(logLoss(0.5, 1)).toBeCloseTo(Math.log(2), 12);
  expect(logLoss(1, 1)).toBeLessThan(0.02);
  expect(logLoss(1, 0)).toBeCloseTo(-Math.log(0.01), 9);
});

test('without results it is the first of an even draw; results go round in a ring', () => {
  const params = { ...defaultsOf(predicted.params), kept: 2 } as never;
  const context = trainingContext({ P: 2, G: 4, levels: 0, stages: 1, growEvery: 1 }, 1, 0);
  const state = {
    ...{ phi: new Float64Array(8), success: new Float64Array(2), at: new Uint32Array(2), told: new Float64Array(3) },
    ...{ reliability: new Float64Array(30), toldByCritic: new Float64Array(2) },
  };
  expect(predicted.next(state, context, params)).toEqual([0, 1].map((p) => wholeTask(context.fresh(p), 4)));
  const outcome = { tries: 4, returnMean: 0, returnSpread: 0, creditSize: NaN, valueError: NaN };
  const went = [0, 0.5, 1].map((success) => ({ task: wholeTask(1, 4), success, ...outcome }));
  predicted.report!(state, went, context, params);
  expect([...state.success]).toEqual([1, 0.5]);
  expect([...state.at]).toEqual([1, 1]);
  expect(state.told[1]).toBeCloseTo((3 * Math.log(2)) / 3, 12);
  // without a critic there is no loss of one
  expect(predicted.measure!(state, { tasks: [], T: 1 }, params)).not.toHaveProperty('criticLoss');
  const withCritic = went.map((o, k) => ({ ...o, startValue: [0.2, 0.5, 3][k]! }));
  predicted.report!(state, withCritic, context, params);
  // −ln 0.8; ln 2; a V above 1 is cut to 0.99
  const loss = (-Math.log(0.8) + Math.log(2) - Math.log(0.99)) / 3;
  expect(predicted.measure!(state, { tasks: [], T: 1 }, params)['criticLoss']).toBeCloseTo(loss, 12);
});

test('bins of what was expected: how many tasks, what was expected, what came', () => {
  const reliability = new Float64Array(30);
  const outcome = (expected: number | undefined, success: number, tries = 2) => ({
    task: { ...wholeTask(1, 2), ...(expected === undefined ? {} : { expected }) },
    ...{ tries, success, returnMean: 0, returnSpread: 0, creditSize: NaN, valueError: NaN },
  });
  addExpected({ reliability }, [
    ...[outcome(0.12, 0), outcome(0.18, 0.5), outcome(1, 1)],
    ...[outcome(undefined, 1), outcome(0.5, NaN, 0)],
  ]);
  const [low, high, ...others] = reliabilityOf(reliability);
  expect(low!.expected).toBeCloseTo(0.15, 12);
  expect(low).toMatchObject({ tasks: 2, success: 0.25 });
  expect(high).toEqual({ tasks: 1, expected: 1, success: 1 });
  expect(others).toEqual([]);
});
