import { expect, test } from 'vitest';
import { wordsOfRows } from '../core/slices.ts';
import { check, untouched, wholes, type Case } from './conformance.ts';
import { listKernels } from './listedRows.ts';
import { matchCalls } from './match.ts';
import { segmentStatsCall } from './segments.ts';
import { blankMatches, keyMatch } from './shaders/credit/keyMatch/keyMatch.ts';
import { segmentStats } from './shaders/credit/segmentStats/segmentStats.ts';
import { listOf } from './shaders/rollout/liveSteps/liveSteps.ts';
import { testDevice } from './testDevice.ts';

/** As many steps as a batch may have: those of its last episode are the first ones beyond 65,535 workgroups along an axis. */
const [B, T, P] = [65_536, 64, 1024];
const N = B * T;
const groups = [N / 64, 1, 1] as const;

const gpu = await testDevice();
const length = wholes(1, B, T).map((n) => n + 1);
const short = wholes(2, B, 2).map((n) => n + 1);
const taskIndex = Uint32Array.from({ length: B }, (_, i) => Math.floor(i / (B / P)));
const plan = Float32Array.from({ length: 2 * B }, (_, k) => (k % 2 === 0 ? (k >> 1) % 5 : length[k >> 1]!));

/** Whole numbers: their sums are exact in any order. */
const b = Float32Array.from({ length: N }, (_, k) => Math.imul(k, 0x9e3779b1) >>> 29);
const one = Float32Array.from(wholes(4, B, 2));

function listed(): Case {
  const rows = new Uint32Array(wordsOfRows(B, T)).fill(777);
  // three words of padding that nobody writes
  rows.fill(0, 1, 4);
  const dims = { B, T, all: 0 };
  return {
    ...{ name: 'live steps', kernel: listKernels.liveCount, dims, groups: [1, 1, 1] },
    after: [{ kernel: listKernels.liveSpread, dims, groups }],
    buffers: { plan, list: rows },
    expected: { list: listOf({ S: 1, B, T }, plan, false, rows) },
  };
}

function stats(cols: number, segments: number): Case {
  const x = cols === 1 ? one : b;
  return {
    name: `statistics of ${segments} sets of ${cols} columns`,
    ...segmentStatsCall(1, B, cols, segments, segments === 1 ? B : B / P),
    buffers: { x, length, taskIndex, stats: untouched(4 * segments) },
    expected: { stats: segmentStats(1, B, cols, segments, x, length, taskIndex) },
    tolerance: { abs: 0, rel: 2e-5 },
  };
}

function matched(): Case {
  const key = Uint32Array.from({ length: 2 * N }, (_, k) => Math.imul(k, 0x9e3779b1) >>> 30);
  const [first, ...after] = matchCalls('key', { S: 1, B, T, block: B / P });
  return {
    ...{ name: 'steps of equal states', ...first!, after },
    buffers: { key, length: short, taskIndex, ...blankMatches(N) },
    expected: { match_: keyMatch(1, B, T, key, short, taskIndex) },
  };
}

test.each<() => Case>([listed, () => stats(T, 1), () => stats(T, P), () => stats(1, 1), () => stats(1, P), matched])(
  'kernels are right at 4,194,304 steps of 65,536 episodes (%#)',
  async (make) => {
    expect(await check(gpu, make())).toBeNull();
  },
);
