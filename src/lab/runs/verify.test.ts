import { expect, test } from 'vitest';
import type { Expect } from '../../config/expect.ts';
import { LevelStream } from '../../core/random.ts';
import { CURVES, metricIndex, metrics } from '../../slots/metrics/metrics.ts';
import type { Curves } from './summary.ts';
import { inBoth } from './filed.ts';
import { areClose, firstsOf, verdictOf, verdictWords } from './verify.ts';

const RESULT: Expect = {
  backend: 'cpu',
  version: '0.1.0',
  exact: 'AAAAAAAAAAAAAAAA',
  summary: { updates: 80, successes: [8, 10, 20, 40, 60, 80, 90, 90], entropy: 0.8, ess: 0.99, evaluated: 88 },
};
const other = (summary: Partial<Expect['summary']>, more: Partial<Expect> = {}): Expect => ({
  ...RESULT,
  exact: 'BBBBBBBBBBBBBBBB',
  ...more,
  summary: { ...RESULT.summary, ...summary },
});

test('equal digests and equal counts are identical, whatever trained them', () => {
  expect(verdictOf(RESULT, RESULT, 96)).toEqual({ kind: 'identical', first: null, outside: [], environment: [] });
  const elsewhere = verdictOf(RESULT, { ...RESULT, version: '0.2.0' }, 96);
  expect(elsewhere.kind).toBe('identical');
  expect(elsewhere.environment).toEqual(['It was trained by version 0.1.0 of the lab; this is 0.2.0.']);
});

test('WebGPU beside the CPU path is equivalent while counts and entropy agree, and the difference is named', () => {
  const gpu = other({ successes: [8, 12, 22, 37, 63, 79, 91, 90], entropy: 0.84 }, { backend: 'webgpu' });
  const verdict = verdictOf(RESULT, gpu, 96);
  expect(verdict).toMatchObject({ kind: 'equivalent', first: { update: 20 }, outside: [] });
  expect(verdict.environment[0]).toContain('the CPU path, and here on WebGPU');
  expect(verdictWords(verdict)).toMatch(/^Equivalent: .*update 20: 12 successes in place of 10\.$/);
});

test('a count or an entropy outside its tolerance is different, with the first checkpoint that differs', () => {
  const counts = verdictOf(RESULT, other({ successes: [8, 10, 20, 80, 60, 80, 90, 90] }), 96);
  expect(counts).toMatchObject({ kind: 'different', first: { update: 40 } });
  expect(counts.outside).toEqual(['Success in update 40: 83.3 % where 41.7 % was expected.']);
  expect(verdictOf(RESULT, other({ entropy: 0.86 }), 96).kind).toBe('different');
  expect(verdictOf(RESULT, other({ entropy: 0.85 }), 96).kind).toBe('equivalent');
  expect(verdictOf(RESULT, other({ evaluated: null }), 96).kind).toBe('different');
});

test('numbers that do not belong to their digest are different even where the digest agrees', () => {
  const verdict = verdictOf(other({ successes: [9, 10, 20, 40, 60, 80, 90, 90] }, { exact: RESULT.exact }), RESULT, 96);
  expect(verdict).toMatchObject({ kind: 'different', first: { update: 10 } });
});

test('counts from one chance are close in at least 99 of 100 pairs of runs, nine counts each, and far ones are not', () => {
  const draw = new LevelStream(7, 3, 1);
  const count = (p: number, n: number): number =>
    Array.from({ length: n }, () => draw.below(1_000_000) < p * 1e6).filter(Boolean).length;
  let rejected = 0;
  for (let pair = 0; pair < 400; pair++) {
    const chances = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 1];
    if (!chances.every((p) => areClose(count(p, 96), count(p, 96), 96))) rejected++;
  }
  expect(rejected).toBeLessThanOrEqual(4);
  expect(areClose(20, 60, 96)).toBe(false);
  expect(areClose(0, 9, 1000)).toBe(true);
  expect(areClose(0, 30, 1000)).toBe(false);
});

function curvesOf(success: readonly number[]): Curves {
  const values = new Float32Array(success.length * CURVES).fill(NaN);
  success.forEach((x, u) => (values[u * CURVES + metricIndex.success] = x));
  return { S: 1, part: { from: 0, values, steps: Float64Array.from(success, (_, u) => u + 1) } };
}

const firstsIn = (a: Curves, b: Curves) => firstsOf(inBoth(a, b));

test('with the metrics of both the first update that differs is exact', async () => {
  const curves = curvesOf([0.1, 0.2, 0.3]);
  const none = { counted: null, any: null };
  expect(await firstsIn(curves, curvesOf([0.1, 0.2, 0.3]))).toEqual(none);
  // a number that was written to a table with seven digits is the same number
  expect(await firstsIn(curves, curvesOf([0.1, 0.20000002, 0.3]))).toEqual(none);
  const changed = curvesOf([0.1, 0.25, 0.4]);
  const firsts = await firstsIn(curves, changed);
  const first = firsts.counted!;
  expect(first.update).toBe(2);
  expect(first.what).toMatch(/0\.25 in place of 0\.2$/);
  expect(verdictOf(RESULT, other({}), 96, firsts).first).toEqual(first);
});

test('a result of both paths is told as one, and rounds like WebGPU', () => {
  const both: Expect = { ...RESULT, backend: 'both', summary: { ...RESULT.summary, entropy: 0.801 } };
  const verdict = verdictOf(both, RESULT, 96);
  expect(verdict.kind).toBe('identical');
  expect(verdict.environment[0]).toBe(
    'It was trained on the CPU path and WebGPU in turn, and here on the CPU path: only the CPU path repeats every bit.',
  );
  expect(verdictOf(both, { ...RESULT, backend: 'both' }, 96)).toMatchObject({
    kind: 'identical',
    environment: [
      'Both were trained on the CPU path and WebGPU in turn, perhaps not in the same updates.',
      expect.any(String),
    ],
  });
});

test('equal digests with numbers that are only rounded differently are identical where WebGPU trained one of them', async () => {
  const gpu: Expect = { ...RESULT, backend: 'webgpu', summary: { ...RESULT.summary, entropy: 0.801 } };
  const verdict = verdictOf(gpu, RESULT, 96);
  expect(verdict).toMatchObject({ kind: 'identical', first: null });
  expect(verdict.environment.at(-1)).toMatch(
    /but for rounding, first in update 80: entropy 0\.8 in place of 0\.801\.$/,
  );
  // on the CPU path there is no such rounding
  expect(verdictOf({ ...gpu, backend: 'cpu' }, RESULT, 96).kind).toBe('different');
  // the digest decides the successes, and an entropy far away is no rounding
  const counts = { ...gpu, summary: { ...gpu.summary, successes: [9, ...gpu.summary.successes.slice(1)] } };
  expect(verdictOf(counts, RESULT, 96)).toMatchObject({ kind: 'different', first: { update: 10 } });
  expect(verdictOf({ ...gpu, summary: { ...gpu.summary, entropy: 0.9 } }, RESULT, 96).kind).toBe('different');
  const curves = curvesOf([0.1, 0.2, 0.3]);
  const changed = verdictOf(gpu, RESULT, 96, await firstsIn(curves, curvesOf([0.1, 0.25, 0.3])));
  expect(changed).toMatchObject({ kind: 'different', first: { update: 2 } });
});

test('of several metrics the earliest update is named, in this the first seed, and then the first metric', async () => {
  type Change = readonly [u: number, s: number, m: number, x: number];
  const zeros = (): Curves => {
    const values = new Float32Array(3 * 2 * CURVES);
    return { S: 2, part: { from: 0, values, steps: Float64Array.of(1, 2, 3) } };
  };
  const [first, last] = [0, CURVES - 1];
  const changed = (...places: readonly Change[]): Curves => {
    const curves = zeros();
    for (const [u, s, m, x] of places) curves.part.values[(u * 2 + s) * CURVES + m] = x;
    return curves;
  };
  const told = async (...places: readonly Change[]) => (await firstsIn(zeros(), changed(...places))).any!.what;
  const [early, late] = [metrics[first]!.title, metrics[last]!.title];
  expect(await told([2, 0, first, 7], [1, 1, last, 8])).toBe(`${late} 8 in place of 0`);
  expect(await told([1, 1, first, 7], [1, 0, last, 8])).toBe(`${late} 8 in place of 0`);
  expect(await told([1, 1, first, 7], [1, 1, last, 8])).toBe(`${early} 7 in place of 0`);
});
