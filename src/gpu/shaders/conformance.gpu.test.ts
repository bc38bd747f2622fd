import { describe, expect, test } from 'vitest';
import { check, type Case } from '../conformance.ts';
import { testDevice } from '../testDevice.ts';
import { listKernels } from '../listedRows.ts';
import { commandKernels } from './commandKernels.ts';
import * as gruKernels from './gruKernels.ts';
import { placeRows } from './forkKernels.ts';
import { kernels, stepKernels } from './kernels.ts';
import { processKernels } from './processKernels.ts';
import * as likeKernels from './likeKernels.ts';
import * as reviseKernels from './reviseKernels.ts';
import { rewardNet } from './rewardNetKernels.ts';
import { answerProb, budgetPay, earnedTags, labelBook, rankedPairs, rowKernels, taught } from './signalKernels.ts';
import * as scoreKernels from './scoreKernels.ts';
import { tokenKernels } from './tokenKernels.ts';

const modules = import.meta.glob<{ cases: readonly Case[] }>('./*/*/*.ts', { eager: true });
const suites = Object.entries(modules).map(([path, { cases }]) => [path.split('/')[2]!, cases] as const);

const gpu = await testDevice();

test('every kernel has a definition and cases, or is completed and checked by an environment', () => {
  const checked = new Set(
    suites.flatMap(([, cases]) => cases.flatMap((c) => [c, ...(c.after ?? [])].map(({ kernel }) => kernel.id))),
  );
  expect(
    [
      kernels,
      stepKernels,
      commandKernels,
      listKernels,
      tokenKernels,
      gruKernels,
      likeKernels,
      processKernels,
      reviseKernels,
      scoreKernels,
      rewardNet,
      { answerProb, budgetPay, earnedTags, taught, placeRows, ...labelBook, ...rankedPairs, ...rowKernels },
    ]
      .flatMap((list) => Object.values(list))
      .map((k) => k.id)
      .filter((id) => !checked.has(id)),
  ).toEqual([]);
  expect(checked).toContain('coefficients');
  expect(checked).toContain('optimize');
});

describe.each(suites)('%s equals its definition', (_name, cases) => {
  test.each(cases.map((c) => [c.name, c] as const))('%s', async (_case, c) => {
    expect(await check(gpu, c)).toBeNull();
  });
});

test('the check itself notices a wrong number, a cell nobody wrote, and NaN', async () => {
  const good = suites.find(([name]) => name === 'combine')![1][1]!;
  const want = Float32Array.from(good.expected['z']!);
  const wrong = want.slice();
  wrong[3]! += 0.01;
  expect(await check(gpu, { ...good, expected: { z: wrong } })).toContain('z[3]');
  expect(await check(gpu, { ...good, groups: [0], expected: { z: want } })).toContain('z[0]');
  const x = good.buffers['x']!.slice() as Float32Array;
  const real = want.findIndex((v) => v !== 0);
  x.fill(NaN);
  expect(await check(gpu, { ...good, buffers: { ...good.buffers, x } })).toContain(`z[${real}]`);
});
