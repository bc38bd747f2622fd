import { expect, test } from 'vitest';
import { measures } from '../../slots/metrics/measures.ts';
import type { MeasuredHistory } from '../../worker/protocol.ts';
import { measuredCsv, measuredRows, measuredTable } from './rows.ts';

/** Three shown batches; the first measure is not known for the second one. */
const values = new Float32Array(measures.length * 3);
values.set([0.5, NaN, 0.75], 0);
values.set([1, 2, 3], 3);
const history: MeasuredHistory = {
  points: 3,
  update: Float32Array.of(0, 4, 9),
  envSteps: Float32Array.of(100, 500.4, 900),
  values,
};

test('batches where a measure is not known are left out', () => {
  expect(measuredRows(history, 0, 'update')).toEqual([
    { x: 0, iqm: 0.5 },
    { x: 9, iqm: 0.75 },
  ]);
  expect(measuredRows(history, 1, 'envSteps').map((r) => r.x)).toEqual([100, Math.fround(500.4), 900]);
});

test('the table and the text hold the plotted numbers', () => {
  expect(measuredTable(history, 0)).toEqual([
    { update: 0, envSteps: 100, value: 0.5 },
    { update: 9, envSteps: 900, value: 0.75 },
  ]);
  expect(measuredCsv(history, 1, 'creditSign')).toBe('update,envSteps,creditSign\n0,100,1\n4,500,2\n9,900,3\n');
});
