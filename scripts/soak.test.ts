import { expect, test } from 'vitest';
import { verdictOfLongRun } from './lib/longRun.mjs';
import { FOR_BUNDLE, verdictOfLongSweep } from './lib/longSweep.mjs';
import { BUDGET, slope, verdict } from './lib/soak.mjs';

/** Three measurements, five minutes apart, of a page that grows by so many bytes each time. */
function soaked(growth: number, changes: object = {}) {
  const samples = [0, 1, 2].map((k) => ({
    minutes: 5 * k,
    page: 10e6 + k * growth,
    workers: 15e6,
    gpu: { buffers: 240, bytes: 8e6 },
  }));
  return { backend: 'webgpu', samples, points: 400, left: 0, wrong: [] as string[], ...changes };
}

const failures = (found: object): string[] =>
  verdict(found as never).sentences.filter((sentence: string) => sentence.startsWith(' FAIL '));

test('a soak that grows within its budget is good and says how much a minute', () => {
  const { ok, sentences } = verdict(soaked(BUDGET / 2) as never);
  expect(ok).toBe(true);
  expect(sentences[0]).toBe(
    '  ok   webgpu: memory grew by 20.0 MB in 10.0 minutes (2.0 MB per minute); 20.0 MB are allowed',
  );
});

test('a soak fails for growth, for buffers that stay, for a curve without bound and for an error, each in words', () => {
  expect(failures(soaked(BUDGET / 2 + 1e5))).toEqual([expect.stringContaining('memory grew by 20.2 MB')]);
  const more = soaked(0);
  more.samples[2]!.gpu = { buffers: 241, bytes: 8e6 };
  expect(failures(more)).toEqual([expect.stringContaining('GPU buffers at rest: 240, 240, 241')]);
  expect(failures(soaked(0, { left: 3 }))).toEqual([expect.stringContaining('left on the CPU path: 3')]);
  expect(failures(soaked(0, { points: 1601 }))).toEqual([expect.stringContaining('longest curve: 1601 points')]);
  expect(failures(soaked(0, { wrong: ['no such thing'] }))).toEqual([expect.stringContaining('no such thing')]);
  expect(verdict(soaked(0, { left: 3 }) as never).ok).toBe(false);
});

test('the slope is that of the line through the points', () => {
  expect(
    slope([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toBe(2);
  expect(slope([[3, 7]])).toBe(0);
});

/** Ten parts of one long run that grows by so many bytes each. */
function ran(growth: number, changes: object = {}) {
  const samples = Array.from({ length: 10 }, (_, k) => ({ page: 10e6 + k * growth, workers: 15e6 }));
  const numbers = Array.from({ length: 2001 }, (_, u) => u);
  const before = samples.at(-1)!;
  const bundle = { before, most: { ...before, page: before.page + BUDGET }, isWhole: true };
  return {
    ...bundle,
    samples,
    pace: [1, ...Array(9).fill(20)],
    updates: 2000,
    numbers,
    wrong: [] as string[],
    ...changes,
  };
}

test('a long run fails for growth after its second part, for a pace that flags, for updates that are not exported, for a bundle that takes memory', () => {
  const failing = (found: object): string[] =>
    verdictOfLongRun(found as never).sentences.filter((sentence: string) => sentence.startsWith(' FAIL '));
  expect(verdictOfLongRun(ran(BUDGET / 8) as never).ok).toBe(true);
  expect(failing(ran(BUDGET / 7))).toEqual([expect.stringContaining('memory grew by 22.9 MB')]);
  const flags = [...Array(9).fill(20), 10];
  expect(failing(ran(0, { pace: flags }))).toEqual([expect.stringContaining('2.00 times as quick as the slowest')]);
  const numbers = ran(0).numbers.filter((u) => u !== 2000);
  expect(failing(ran(0, { numbers }))).toEqual([expect.stringContaining('exported table: 1 of 2000')]);
  const most = { page: 10e6, workers: 15e6 + BUDGET + 1e6 };
  expect(failing(ran(0, { most }))).toEqual([expect.stringContaining('21.0 MB more while a bundle was made')]);
  expect(failing(ran(0, { isWhole: false }))).toEqual([expect.stringContaining('the table is not in the bundle')]);
  expect(failing(ran(0, { wrong: ['no such thing'] }))).toEqual([expect.stringContaining('no such thing')]);
});

test('a comparison of long runs fails for growth, for a bundle that takes much memory or misses a table, and for an error', () => {
  const found = (growth: number, more: number, changes: object = {}): object => {
    const samples = [0, 1].map((k) => ({ page: 10e6, workers: 15e6 + k * growth }));
    const [before, most] = [10e6, 10e6 + more].map((page) => ({ page, workers: 9e6 }));
    return { runs: 8, samples, before, most, tables: 8, wrong: [] as string[], ...changes };
  };
  const failing = (of: object): string[] =>
    verdictOfLongSweep(of as never).sentences.filter((sentence: string) => sentence.startsWith(' FAIL '));
  expect(verdictOfLongSweep(found(BUDGET, FOR_BUNDLE) as never).ok).toBe(true);
  expect(failing(found(BUDGET + 1e6, 0))).toEqual([expect.stringContaining('memory grew by 21.0 MB')]);
  expect(failing(found(0, FOR_BUNDLE + 1e6))).toEqual([
    expect.stringContaining('61.0 MB more while a bundle was made'),
  ]);
  expect(failing(found(0, 0, { tables: 7 }))).toEqual([expect.stringContaining('tables in the bundle: 7 of 8')]);
  expect(failing(found(0, 0, { wrong: ['no such thing'] }))).toEqual([expect.stringContaining('no such thing')]);
});
