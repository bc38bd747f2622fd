import { expect, test } from 'vitest';
import { CURVES, METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import type { UpdateRecord } from './backend.ts';
import { CHUNK, MOST_BYTES } from '../contract/kept.ts';
import type { Spill } from './curveRows.ts';
import { outcomeOf } from './outcome.ts';
import { Series } from './series.ts';

const DENSE = ['success', 'entropy', 'returnMean', 'gradNorm'] as const;

/** A record whose numbers say which update and seed they are of; every 10th update is evaluated. */
function recordOf(update: number, S: number, branch = 0): UpdateRecord {
  const metrics = new Float64Array(S * METRICS).fill(NaN);
  for (let s = 0; s < S; s++) {
    DENSE.forEach((id, k) => {
      const x = Math.sin(update * (k + 1) + s + branch) + (update % 97 === 5 ? 10 : 0);
      metrics[s * METRICS + metricIndex[id]] = x;
    });
    if (update % 10 === 0) metrics[s * METRICS + metricIndex.evalSuccess] = (update % 300) / 300;
  }
  return {
    ...{ update, metrics, hash: new Uint32Array(2 * S), bad: new Uint32Array(S), envSteps: 7 * S },
    stepsOf: new Float64Array(S).fill(7),
  };
}

/** A file that has room for so many parts. */
function fileOf(room = Infinity): Spill & { kept: Float32Array[] } {
  const kept: Float32Array[] = [];
  return {
    kept,
    write: (values) => (kept.length < room ? kept.push(values.slice()) - 1 : null),
    read: (place, into) => {
      into.set(kept[place]!);
      return true;
    },
  };
}

function filled(S: number, updates: number, spill: Spill | null): Series {
  const series = new Series(S, spill, 4);
  for (let u = 0; u < updates; u++) series.put(recordOf(u, S));
  return series;
}

const seedsOf = (S: number): Uint32Array => Uint32Array.from({ length: S }, (_, s) => 3 + s);

/** All that a history tells, whether it is in memory or not. */
function told(series: Series) {
  return {
    part: series.part(0, series.length),
    csv: series.csv(seedsOf(series.S)),
    outcome: outcomeOf(series),
    last: series.last(0, metricIndex.evalSuccess),
  };
}

/** More updates than what stays in memory, four chunks here. */
const LONG = 9 * CHUNK + 5;

test('a history that was moved out of memory says every number of one that was not', () => {
  const file = fileOf();
  const [moved, whole] = [filled(2, LONG, file), filled(2, LONG, null)];
  expect(file.kept).toHaveLength(6);
  expect(moved.bytes).toBeLessThan(whole.bytes);
  expect(told(moved)).toEqual(told(whole));
  expect(moved.thin(LONG)).toEqual(whole.thin(LONG));
});

test('many thousand updates hold no more than some megabytes, and all of them are in the table', () => {
  const updates = 12_000;
  const series = new Series(1, fileOf());
  const heldAt = new Map<number, number>();
  for (let u = 0; u < updates; u++) {
    series.put(recordOf(u, 1));
    if (u === 9000 || u === updates - 1) {
      series.thin(400);
      heldAt.set(u, series.bytes);
    }
  }
  // what grows: environment steps and evaluations, not the curves
  expect(heldAt.get(updates - 1)! - heldAt.get(9000)!).toBeLessThan(0.15 * (updates - 9000) * CURVES * 4);
  expect(heldAt.get(updates - 1)!).toBeLessThan(1.5 * MOST_BYTES);
  let lines = 0;
  for (const piece of series.csvPieces(seedsOf(1))) {
    lines += piece.split('\n').length - 1;
    expect(piece.length).toBeLessThan(2 ** 20);
  }
  expect(lines).toBe(updates + 2);
});

test('where there is no more room the rest stays in memory, and nothing is lost', () => {
  const [full, whole] = [filled(2, LONG, fileOf(3)), filled(2, LONG, null)];
  expect(told(full)).toEqual(told(whole));
});

test('going back into what was moved out, and on another way, is as in memory; the parent keeps its own', () => {
  const histories = [fileOf(), null].map((spill) => {
    const parent = filled(2, LONG, spill);
    const at = CHUNK + 7;
    const child = parent.before(at);
    for (let u = at; u < LONG; u++) child.put(recordOf(u, 2, 0.5));
    const before = told(child);
    child.truncate(at + 3);
    for (let u = at + 3; u < at + 9; u++) child.put(recordOf(u, 2, 0.9));
    return [told(parent), before, told(child)];
  });
  expect(histories[0]).toEqual(histories[1]);
  expect(histories[0]![0]).not.toEqual(histories[0]![1]);
});

test('a part that is joined gives the history that it was taken from, also over what is there already', () => {
  const whole = filled(2, 300, null);
  const joined = filled(2, 120, fileOf());
  joined.join(whole.part(100, 300));
  expect(told(joined)).toEqual(told(whole));
});

test('spikes survive thinning from blocks, each in the bucket where it was', () => {
  const updates = 20 * LONG;
  const series = filled(1, updates, fileOf());
  const { points, update, values } = series.thin(200);
  expect(points).toBeLessThanOrEqual(200);
  const at = (k: number): number => values[metricIndex.success * points + k]!;
  for (let k = 0; k + 1 < points; k += 2) {
    const [from, to] = [update[k]! - 1, update[k + 1]! - 1];
    const numbers = Array.from({ length: to - from + 1 }, (_, j) => series.at(from + j, 0, metricIndex.success));
    expect([Math.min(at(k), at(k + 1)), Math.max(at(k), at(k + 1))]).toEqual([
      Math.min(...numbers),
      Math.max(...numbers),
    ]);
    expect(from).toBe(k === 0 ? 0 : update[k - 1]!);
  }
  expect(update.at(-1)).toBe(updates);
});
