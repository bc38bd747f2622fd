import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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

test('of a file that the browser has let go of there are updates without numbers, and what came after them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'curves-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'curves');
  const { steps, values } = partOf(0, 30);
  await writeFile(path, Buffer.concat([steps, values].map(({ buffer }) => Buffer.from(buffer))));
  const file = { from: 0, parts: [{ from: 0, count: 30 }], file: await openAsBlob(path) };
  // a file that has changed is not the one that was held
  await writeFile(path, 'gone');
  const series = new Series(2);
  expect(await joinAll(series, [file, partOf(30, 5)])).toBe(false);
  const read = (u: number): number[] => [series.at(u, 0, 0), series.envSteps(u)];
  expect([0, 29, 30, 34].map(read)).toEqual([
    [NaN, 0],
    [NaN, 0],
    [30, 30],
    [30 + 8 * CURVES, 34],
  ]);
});
