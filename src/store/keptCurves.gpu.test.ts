import { expect, test } from 'vitest';
import type { SeriesPart } from '../engine/series.ts';
import { Overview } from '../lab/runs/inParts.ts';
import { COLUMNS } from '../lab/runs/soFar.ts';
import { keepPart, PART } from './curveParts.ts';
import { open } from './database.ts';
import { keptCurves } from './keptCurves.ts';
import { curvesOf } from './runs.ts';

const S = 2;

/** Updates of some seeds, in which every number is another one. */
const partOf = (from: number, count: number, seeds: number): SeriesPart => ({
  from,
  values: Float32Array.from({ length: count * seeds * COLUMNS.length }, (_, k) => from + k),
  steps: Float64Array.from({ length: count }, (_, u) => 3 * (from + u + 1)),
});

/** Seed 1 of a run of two, with so many updates that are stored in parts and so many that are not. */
async function keep(id: string, sums: readonly number[], newest: number, lost: number): Promise<void> {
  const until = sums.length * PART;
  const older = { run: id, S, s: 1, stored: { until, sums: sums.map((sum, k) => (k === lost ? sum + 1 : sum)) } };
  await (await open()).put('curves', { id, columns: COLUMNS, part: partOf(until, newest, 1), older });
}

async function read(parts: () => Iterable<SeriesPart> | AsyncIterable<SeriesPart>): Promise<SeriesPart[]> {
  const found: SeriesPart[] = [];
  for await (const part of parts()) found.push(part);
  return found;
}

test.each([
  ['whole', -1],
  ['without a part that is not there any more', 1],
])('kept curves %s, part by part, are the numbers of all of them together', async (_, lost) => {
  const id = crypto.randomUUID();
  const sums = [await keepPart(id, partOf(0, PART, S)), await keepPart(id, partOf(PART, PART, S))];
  await keep(id, sums, 5, lost);
  const curves = (await keptCurves(id))!;
  const { part } = (await curvesOf(id))!;
  const parts = await read(curves.parts);
  expect([curves.S, curves.updates, parts.length]).toEqual([1, 2 * PART + 5, 3]);
  expect(parts.flatMap(({ steps }) => [...steps])).toEqual([...part.steps]);
  let at = 0;
  for (const { values } of parts) {
    expect(values).toEqual(part.values.slice(at, at + values.length));
    at += values.length;
  }
  expect(at).toBe(part.values.length);
});

test('what a run trains while it is read is left out; one that is deleted is told, or was held', async () => {
  const id = crypto.randomUUID();
  await keep(id, [], 5, -1);
  const [curves, held] = [(await keptCurves(id))!, (await keptCurves(id, true))!];
  await keep(id, [], 9, -1);
  const overview = await Overview.of(curves);
  expect([overview.length, overview.at(4, 0, COLUMNS.indexOf('success'))]).toEqual([
    5,
    4 * COLUMNS.length + COLUMNS.indexOf('success'),
  ]);
  await (await open()).delete('curves', id);
  await expect(Overview.of(curves)).rejects.toThrow('one of the runs was deleted');
  expect((await Overview.of(held)).length).toBe(5);
  expect(await keptCurves(id)).toBe(null);
});
