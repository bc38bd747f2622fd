import { expect, test } from 'vitest';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { outcomeOf, outcomeWords } from './outcome.ts';
import { Series } from './series.ts';

/** Updates whose training and evaluation success is given, [updates, seeds]; no evaluation where it says so. */
function seriesOf(training: readonly (readonly number[])[], evaluation: readonly (readonly number[] | null)[]): Series {
  const S = training[0]!.length;
  const series = new Series(S);
  training.forEach((successes, update) => {
    const metrics = new Float64Array(S * METRICS).fill(NaN);
    successes.forEach((x, s) => (metrics[s * METRICS + metricIndex.success] = x));
    evaluation[update]?.forEach((x, s) => (metrics[s * METRICS + metricIndex.evalSuccess] = x));
    series.put({
      update,
      metrics,
      hash: new Uint32Array(4),
      bad: new Uint32Array(S),
      envSteps: 10 * S,
      stepsOf: new Float64Array(S).fill(10),
    });
  });
  return series;
}

const series = seriesOf(
  [
    [0, 0.1],
    [0.5, 0.6875],
    [0.25, 0.5],
  ],
  [[0, 0.05], null, [0.5, 0.4]],
);

test('training and evaluation success are told apart, each with the update it belongs to, counted from 1', () => {
  expect(outcomeWords(outcomeOf(series), 2)).toBe(
    'training success 0.375 in update 3, evaluation success 0.45 after update 2, best evaluation 0.45 after update 2 (interquartile means of 2 seeds)',
  );
});

test('the first of equally good evaluations is the best, as on the timeline', () => {
  const flat = seriesOf([[0], [0], [0]], [[0.5], [0.75], [0.75]]);
  expect(outcomeOf(flat).best).toEqual({ update: 1, iqm: 0.75 });
  expect(outcomeOf(flat).scores).toEqual([0.75]);
});

test('the table of all curves puts an evaluation after the update before it, and the start in line 0', () => {
  const [head, ...lines] = series
    .csv(Uint32Array.of(7, 8))
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const column = (name: string): number => head!.indexOf(name);
  const cells = lines.map((line) =>
    ['update', 'seed', 'envSteps', 'success', 'evalSuccess'].map((c) => line[column(c)]),
  );
  expect(cells.filter(([, seed]) => seed === '8')).toEqual([
    ['0', '8', '0', '', '0.05'],
    ['1', '8', '10', '0.1', ''],
    ['2', '8', '20', '0.6875', '0.4'],
    ['3', '8', '30', '0.5', ''],
  ]);
});
