import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Series } from '../../engine/series.ts';
import { CURVES, metrics, type Metric } from '../../slots/metrics/metrics.ts';
import type { HeldCurves } from '../runs/heldFile.ts';
import { ofHeld } from '../runs/inParts.ts';
import { allSeeds } from '../runs/seedsOfHeld.ts';
import { linesIn, readMetricsCsv } from './metricsCsv.ts';

const SEEDS = [3, 4];
const UPDATES = 5;

/** The table of two seeds in which two numbers in three were measured. */
const TEXT = (() => {
  const series = new Series(SEEDS.length);
  const values = Float32Array.from({ length: UPDATES * SEEDS.length * CURVES }, (_, k) => (k % 3 === 0 ? NaN : k / 8));
  series.join({ from: 0, values, steps: Float64Array.of(1, 2, 3, 5, 8) });
  return series.csv(Uint32Array.from(SEEDS));
})();

/** Reads the bytes of a text in pieces that end at these places. */
function read(text: string, ends: readonly number[] = [], most?: number): Promise<HeldCurves | string> {
  const bytes = new TextEncoder().encode(text);
  const cuts = [...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let from = 0;
    for (const to of cuts) {
      yield bytes.subarray(from, to);
      from = to;
    }
  }
  return readMetricsCsv(pieces, SEEDS, most);
}

test('a table is the same wherever its pieces end', async () => {
  const whole = await allSeeds((await read(TEXT)) as HeldCurves);
  expect([...whole.steps]).toEqual([1, 2, 3, 5, 8]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (ends) => {
      expect(await allSeeds((await read(TEXT, ends)) as HeldCurves)).toEqual(whole);
    }),
    { numRuns: 40 },
  );
});

test('the numbers of a table go into a file in parts of so many updates, with the same numbers whatever the parts are', async () => {
  const row = SEEDS.length * CURVES;
  const measured = metrics.findIndex((metric: Metric) => metric.isBefore);
  const whole = await allSeeds((await read(TEXT)) as HeldCurves);
  // what is measured between two updates comes with the line of the one before
  expect(whole.values.filter((x, k) => k % CURVES === measured && !Number.isNaN(x)).length).toBeGreaterThan(0);
  for (let size = 1; size <= UPDATES + 1; size++) {
    const { S, held } = (await read(TEXT, [], size * row)) as HeldCurves;
    const counts = held.parts.map(({ count }) => count);
    expect(Math.max(...counts)).toBe(Math.min(size, UPDATES));
    expect(held.parts.map(({ from }) => from)).toEqual(counts.map((_, k) => k * size));
    expect(ofHeld(held, S).updates).toBe(UPDATES);
    expect(await allSeeds({ S, held })).toEqual(whole);
  }
});

test.each<[RegExp, string]>([
  [/last line is not whole/, `${TEXT}6,3`],
  [/one line for every/, TEXT.slice(0, -1)],
  [/last line is not whole/, ''],
  [/does not begin with/, TEXT.replace('update,', 'number,')],
  [/one line for every/, TEXT.slice(0, TEXT.indexOf('\n') + 1)],
  [/one line for every/, TEXT.replace(/5,4,.*\n$/, '')],
  [/Line 4 is not that of update 1 and seed 3/, TEXT.replace(/^1,3,/m, '1,9,')],
  [/no number under “envSteps”/, TEXT.replace(/^2,3,2/m, '2,3,two')],
  [/do not grow/, TEXT.replace(/^3,(\d),3/gm, '3,$1,1')],
  [/more lines/, `${TEXT}${'\n'.repeat(50_000)}`],
  [/longer than those/, `${TEXT}${'x'.repeat(2 ** 20 + 1)}`],
])('a table is refused: %s', async (sentence, text) => {
  expect(await read(text)).toMatch(sentence);
});

test('ends of lines are counted', () => {
  expect(linesIn(new TextEncoder().encode('a\n\nb\nc'))).toBe(3);
  expect(linesIn(new Uint8Array())).toBe(0);
});
