import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Series } from '../../engine/series.ts';
import { CURVES } from '../../slots/metrics/metrics.ts';
import type { Curves } from '../runs/summary.ts';
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
function read(text: string, ends: readonly number[] = []): Promise<Curves | string> {
  const bytes = new TextEncoder().encode(text);
  const cuts = [...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let from = 0;
    for (const to of cuts) {
      yield bytes.subarray(from, to);
      from = to;
    }
  }
  return readMetricsCsv(pieces, SEEDS);
}

test('a table is the same wherever its pieces end', async () => {
  const whole = (await read(TEXT)) as Curves;
  expect([...whole.part.steps]).toEqual([1, 2, 3, 5, 8]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (ends) => {
      expect(await read(TEXT, ends)).toEqual(whole);
    }),
    { numRuns: 40 },
  );
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
