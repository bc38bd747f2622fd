import { expect, test } from 'vitest';
import { FAN } from '../../slots/metrics/batchMeasures.ts';
import { measures } from '../../slots/metrics/measures.ts';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { metricIndex, METRICS } from '../../slots/metrics/metrics.ts';
import { value } from '../format.ts';
import { covOf } from './CovPanel.tsx';
import { shareWords } from './shareWords.ts';
import { tellAges } from './AgesPanel.tsx';
import { tellMass } from './MassPanel.tsx';
import { tellWeights } from './WeightsPanel.tsx';
import { fanOf } from './FanPanel.tsx';
import { averaged } from './NoisePanel.tsx';
import { pathOf, rangeOf, scaleOf } from './frame.ts';
import { columnsOf } from './PositionPanel.tsx';
import { wordEntropies } from './CreditShape.tsx';
import { rowsOf, withOther } from './rows.ts';
import { phasesOf, safeOf } from './SafePanel.tsx';

test('a line breaks where a point is missing', () => {
  expect(
    pathOf([
      [0, 1],
      [2, 3],
      [NaN, 0],
      [4, 5],
    ]),
  ).toBe('M0.0 1.0L2.0 3.0M4.0 5.0');
  expect(rangeOf([2, NaN, 5], 0)).toEqual([0, 5]);
  expect(rangeOf([3])).toEqual([2.5, 3.5]);
  const { x, y } = scaleOf([0, 10], [0, 1]);
  expect(x(10)).toBeGreaterThan(x(0));
  expect(y(1)).toBeLessThan(y(0));
  expect(value(-0.25)).toBe('−0.25');
});

test('positions are joined by their steps; those that nobody reached are left out', () => {
  const T = 200;
  const steps = Float32Array.from({ length: T }, (_, t) => (t < 100 ? 4 : t < 150 ? 1 : 0));
  const entropy = Float32Array.from({ length: T }, (_, t) => t);
  const columns = columnsOf({ steps, entropy, size: new Float32Array(T), moved: new Float32Array(T) });
  expect(columns).toHaveLength(75);
  expect(columns[0]).toMatchObject({ from: 0, to: 1, steps: 8, entropy: 0.5 });
  expect(columns.at(-1)).toMatchObject({ from: 148, to: 149, steps: 2, entropy: 148.5 });
});

test('the fan has the newest batch, and none that is not known', () => {
  const points = 3;
  const values = new Float32Array(measures.length * points).fill(NaN);
  FAN.forEach((q, k) => {
    const m = measures.findIndex((x) => x.id === `delta${q}`);
    values[m * points] = k;
    values[m * points + 2] = 10 + k;
  });
  const history = { points, update: Float32Array.of(0, 5, 9), envSteps: Float32Array.of(1, 2, 3), values };
  expect(fanOf(history, 'update')).toEqual([
    { x: 0, q: [0, 1, 2, 3, 4, 5, 6] },
    { x: 9, q: [10, 11, 12, 13, 14, 15, 16] },
  ]);
});

test('words of a command: means over the steps that decided them', () => {
  const commands = [
    { words: ['go', 'east'], decided: [true, true] },
    { words: ['look', ''], decided: [true, false] },
  ];
  const written = {
    ...{ decisions: 2, commands, command: Uint32Array.of(0, 1), logp: new Float32Array(4) },
    entropy: Float32Array.of(1, 0.5, 3, 99),
  };
  expect(wordEntropies({ written, length: Uint32Array.of(2), B: 1, T: 2 })).toEqual([
    { mean: 2, n: 2 },
    { mean: 0.5, n: 1 },
  ]);
  expect(wordEntropies({ written: null, length: Uint32Array.of(2), B: 1, T: 2 })).toEqual([]);
});

test('the start of an update stands beside its end, where it was measured', () => {
  const values = new Float32Array(2 * METRICS);
  values.set([0.5, 0.6], 2 * metricIndex.ess);
  values.set([1, NaN], 2 * metricIndex.essStart);
  const series: SeriesFrame = {
    S: 1,
    points: 2,
    update: Float32Array.of(1, 2),
    envSteps: Float32Array.of(9, 18),
    stepsBefore: Float32Array.of(0, 9),
    values,
  };
  const rows = withOther(rowsOf(series, metricIndex.ess, 'update'), 'start', series, metricIndex.essStart, 'update');
  expect(rows.map((row) => row.start)).toEqual([1, undefined]);
});

test('ages are told with their mean and oldest; the last column is open, and full only where the bound was broken', () => {
  const kept = tellAges({ bound: 2, units: Float64Array.of(2, 0, 6, 0) });
  expect(kept.names).toEqual(['0', '1', '2', '3+']);
  expect(kept.told).toBe(
    '8 decisions, 1.5 updates old on average, the oldest 2 updates; none is older than the limit of 2.',
  );
  expect(tellAges({ bound: 1, units: Float64Array.of(0, 4, 4) }).told).toContain('4 are older than the limit of 1');
  const wide = tellAges({ bound: 128, units: Float64Array.from({ length: 33 }, (_, age) => Number(age > 30)) });
  expect(wide.told).toContain('at least 31.5 updates old on average, the oldest 32 updates or more; none is older');
  const full = tellAges({ bound: 32, units: Float64Array.from({ length: 33 }, (_, age) => Number(age > 30)) });
  expect(full.names.at(-1)).toBe('32');
  expect(full.told).toContain(
    ', 31.5 updates old on average, the oldest 32 updates; none is older than the limit of 32',
  );
});

test('behavior weights are told with their ends and the share above the cap; bars have equal widths in log b', () => {
  const weights = { low: 0.5, high: 2, units: Float64Array.of(1, 3), cap: 1.5, capped: 0.25 };
  const { ends, told } = tellWeights(weights);
  expect(ends).toEqual([
    [0.5, 1],
    [1, 2],
  ]);
  expect(told).toBe('4 decisions, b from 0.5 to 2; 25 % are above the cap of 1.5.');
  expect(tellWeights({ ...weights, cap: 5, capped: 0 }).told).toContain('none is above the cap of 5.');
  // all are 1: the bars span 1 % on both sides, the sentence tells only those that hold something
  const fresh = { low: 1 / 1.01, high: 1.01, units: Float64Array.from({ length: 25 }, (_, k) => Number(k === 12)) };
  expect(tellWeights({ ...fresh, cap: 5, capped: 0 }).told).toContain('b from 1 to 1;');
});

test('SAFE: updates without it are left out, and stretches of a phase meet', () => {
  const values = new Float32Array(METRICS * 2 * 4).fill(NaN);
  const set = (metric: number, x: readonly number[]): void => values.set(x, (metric * 2 + 1) * 4);
  set(metricIndex.klShort, [NaN, 0.1, 0.2, 0.3]);
  set(metricIndex.safePhase, [NaN, 0, 2, 2]);
  const update = Float32Array.of(1, 2, 3, 4);
  const series: SeriesFrame = { S: 2, points: 4, update, envSteps: update, stepsBefore: update, values };
  expect(safeOf(series, 0, 'update')).toEqual([]);
  const points = safeOf(series, 1, 'update');
  expect(points.map(({ x, phase }) => [x, phase])).toEqual([
    [2, 0],
    [3, 2],
    [4, 2],
  ]);
  expect(phasesOf(points)).toEqual([
    { phase: 0, from: 2, to: 3 },
    { phase: 2, from: 3, to: 4 },
  ]);
});

test('a covariance stands beside the change of entropy that follows it, while no update is left out', () => {
  const values = new Float32Array(METRICS * 4).fill(NaN);
  values.set([0.5, 0.25, NaN, 1], metricIndex.cov * 4);
  values.set([2, 1.5, 1, 0.25], metricIndex.entropy * 4);
  const update = Float32Array.of(1, 2, 3, 4);
  const series: SeriesFrame = { S: 1, points: 4, update, envSteps: update, stepsBefore: update, values };
  expect(covOf(series, 0)).toEqual([
    { update: 1, cov: 0.5, change: -0.5 },
    { update: 2, cov: 0.25, change: -0.5 },
  ]);
  expect(covOf({ ...series, update: Float32Array.of(1, 3, 4, 6) }, 0)).toEqual([]);
});

test('a share of episodes is told as a count over all seeds with its Wilson interval', () => {
  const values = new Float32Array(METRICS * 2 * 2).fill(NaN);
  values.set([0.5, NaN, 1, NaN], metricIndex.evalSuccess * 4);
  const update = Float32Array.of(0, 1);
  const series: SeriesFrame = { S: 2, points: 2, update, envSteps: update, stepsBefore: update, values };
  // 12 of 16: (0.75 + z²/32 ± z·√(0.1875/16 + z²/1024)) / (1 + z²/16)
  expect(shareWords('evalSuccess', series, 8)).toBe(' 12/16 episodes, 95 % interval 51 % … 90 %.');
  expect(shareWords('success', series, 8)).toBe('');
  expect(shareWords('entropy', series, 8)).toBe('');
  // evaluations fork nothing; in a batch of 8 with 2 fresh starts, 12 of 16 weigh like 3 of 4
  expect(shareWords('evalSuccess', series, 8, 2)).toBe(shareWords('evalSuccess', series, 8));
  values.set([0.5, NaN, 1, NaN], metricIndex.success * 4);
  expect(shareWords('success', series, 8, 2)).toBe(
    ' 12/16 episodes in 4 families within these levels, 95 % interval 30 % … 95 %.',
  );
});

test('the mass balance says what unsampled correct actions cost, and where there is no danger', () => {
  const point = (N: number, danger: number, exact: number) =>
    ({ N, terms: [0.02, 0.01, 0.005, danger], firstOrder: 0.03, exact, harmed: exact < 0 ? 0.6 : 0 }) as const;
  expect(tellMass([point(4, -0.002, -0.01), point(512, 0, 0.03)], ['right', 'down'], 0.8)).toBe(
    '“right” and “down” are correct, with 80 % of the probability. A step on 4 samples loses 0.01 of it on average, and takes some away in 60 % of the draws; one on 512 gains 0.03, and takes some away in 0 %. Correct actions that were not drawn cost 0.002 at N = 4, and nothing at 512.',
  );
  expect(tellMass([point(4, 0.01, 0.02), point(512, 0, 0.03)], ['up'], 0.3)).toContain(
    'With one correct action there is no danger',
  );
});

test('noise in the two-batch form is a mean over the last ten measurements, unit by unit it is the newest', () => {
  const one = (trace: number, each: number) =>
    ({
      gradNorm: 1,
      trace,
      signalSq: 1,
      noiseScale: trace,
      snr: 1,
      update: 3,
      units: 'trajectories',
      n: 64,
      each,
    }) as const;
  const many = Array.from({ length: 12 }, (_, k) => one(k, 8));
  expect(averaged(many)).toMatchObject({ trace: 6.5, noiseScale: 6.5, snr: 64 / 6.5 });
  expect(averaged([one(3, 1), one(5, 1)])).toMatchObject({ trace: 5 });
});
