import { expect, test } from 'vitest';
import { REPORT_LAYOUT, reportSections } from '../../core/report.ts';
import { readReport, REPORT, REPORT_SECTIONS, REPORT_WORDS, wordOf } from './report.ts';

test('every section of the report has a place of its own, with room for its words and a place for every name', () => {
  expect(Object.values(REPORT).toSorted((a, b) => a - b)).toEqual(Array.from({ length: REPORT_SECTIONS }, (_, k) => k));
  for (const section of reportSections) {
    const { words, names } = REPORT_LAYOUT[section];
    const named = names.filter((name) => (name as string) !== '');
    expect(words, section).toBeLessThanOrEqual(REPORT_WORDS);
    expect(names.length, section).toBeLessThanOrEqual(words);
    expect(new Set(named).size, section).toBe(named.length);
  }
});

test('a number is found by its name where a kernel put it, for every replica', () => {
  const [size, S] = [256, 3];
  const bytes = new ArrayBuffer(REPORT_SECTIONS * size);
  for (let s = 0; s < S; s++) {
    new Float32Array(bytes, REPORT.update * size)[8 * s + wordOf('update', 'decisions')] = 10 + s;
    new Float32Array(bytes, REPORT.losses * size)[2 * s + 1] = 20 + s;
    new Uint32Array(bytes, REPORT.restriction * size)[2 * s] = 30 + s;
  }
  expect(wordOf('update', 'decisions')).toBe(4);
  const read = readReport(bytes, size, 1);
  expect([read.update.decisions, read.losses.value, read.restriction.legal, read.batch.wins]).toEqual([11, 21, 31, 0]);
});
