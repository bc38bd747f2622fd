import { expect, test } from 'vitest';
import type { SeriesPart } from '../../engine/series.ts';
import { CURVES, metricIndex } from '../../slots/metrics/metrics.ts';
import { columnIn, columnOfParts, filedInParts } from './filed.ts';
import { Holding } from './heldFile.ts';
import { seedsOfHeld } from './seedsOfHeld.ts';
import { partOfSeed } from './soFar.ts';

const S = 5;
const UPDATES = 7;
const ROW = S * CURVES;
const BYTES_OF_SEED = 4 * UPDATES * CURVES;

/** Curves in which no number is there twice, whole and as a file of three parts. */
function curves(): { part: SeriesPart; held: ReturnType<Holding['end']> } {
  const values = Float32Array.from({ length: UPDATES * ROW }, (_, k) => k / 4);
  const steps = Float64Array.from({ length: UPDATES }, (_, u) => 2 * u + 1);
  const holding = new Holding();
  for (const [from, to] of [
    [0, 3],
    [3, 4],
    [4, 7],
  ] as const)
    holding.add({ from, values: values.subarray(from * ROW, to * ROW), steps: steps.subarray(from, to) });
  return { part: { from: 0, values, steps }, held: holding.end() };
}

test.each([
  [0, 1],
  [BYTES_OF_SEED, 1],
  [2 * BYTES_OF_SEED + 1, 2],
  [9 * BYTES_OF_SEED, 5],
])('with %i bytes in memory every seed of a file has its curves, %i at a time', async (most, atOnce) => {
  const { part, held } = curves();
  let next = 0;
  for await (const { s, count, part: some } of seedsOfHeld({ S, held }, most)) {
    expect(s).toBe(next);
    expect(count).toBe(Math.min(atOnce, S - s));
    for (let k = 0; k < count; k++) expect(partOfSeed(some, count, k)).toEqual(partOfSeed(part, S, s + k));
    next += count;
  }
  expect(next).toBe(S);
});

test('a metric is the same of curves in files, part after part', async () => {
  const { part, held } = curves();
  const parts = await filedInParts({ S, held });
  expect(parts.map(({ updates }) => updates)).toEqual([3, 1, 3]);
  for (const metric of [0, metricIndex.entropy, CURVES - 1])
    expect(await columnOfParts(parts, metric)).toEqual(columnIn({ S, part }, metric));
});
