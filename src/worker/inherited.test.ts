import { expect, test } from 'vitest';
import { Series, type SeriesPart } from '../engine/series.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import { joinAll } from './inherited.ts';

const partOf = (from: number, count: number): SeriesPart => ({
  ...{ from, values: new Float32Array(2 * count * CURVES).map((_, k) => from + k) },
  steps: new Float64Array(count).map((_, k) => from + k),
});

test('a history is put together of parts in files and in memory, where a later part overrules what it overlaps', async () => {
  const parts = [partOf(0, 30), partOf(30, 5)];
  const all = parts.flatMap(({ steps, values }) => [steps, values] as Float32Array<ArrayBuffer>[]);
  const file = { from: 0, parts: parts.map(({ from, steps }) => ({ from, count: steps.length })), file: new Blob(all) };
  const [joined, whole] = [new Series(2), new Series(2)];
  expect(await joinAll(joined, [file, partOf(32, 9)])).toBe(true);
  for (const part of [...parts, partOf(32, 9)]) whole.join(part);
  expect(joined.part(0, 41)).toEqual(whole.part(0, 41));
});
