import { expect, test } from 'vitest';
import { REPORT, REPORT_SECTIONS } from './report.ts';

test('every section of the report has a place of its own, and there are as many as are kept', () => {
  expect(Object.values(REPORT).toSorted((a, b) => a - b)).toEqual(Array.from({ length: REPORT_SECTIONS }, (_, k) => k));
});
