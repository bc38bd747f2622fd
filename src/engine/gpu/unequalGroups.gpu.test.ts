import { expect, test } from 'vitest';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';
import { groupsOf } from '../../core/batch.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { wholeTask } from '../../contract/taskContext.ts';
import { defineTaskSource } from '../../slots/task/types.ts';
import { makeCpuBackend } from '../cpu/cpuBackend.ts';
import { Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

/** Fifteen episodes in groups of 2, 9 and 4; in every other update the other way round. */
const uneven = defineTaskSource({
  ...{ id: 'uneven', title: 'Uneven', rev: 1, look: 'Groups of unequal size.', params: {}, unequal: true },
  next: (_state, { P, update, pick }) => {
    const tries = update % 2 === 0 ? [2, 9, 4] : [4, 9, 2];
    return Array.from({ length: P }, (_, p) => wholeTask(pick(p), tries[p % 3]!));
  },
});

const IDS: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'returnMean', 'lengthMean', 'degenerate', 'anchorShare', 'gradNorm'] as const),
  ...(['creditRms', 'creditStd', 'creditMean', 'essGroup', 'essStart', 'approxKL'] as const),
  ...(['effectiveGroups', 'mixedOutcomeGroups', 'allSolved', 'allFailed', 'lengthSuccess'] as const),
];

/** Groups by outcome, left out, of states, histories, edges and ends, by rank, by greedy episodes, by pairs; and minibatches. */
const WAYS: readonly (readonly [string, Record<string, unknown>])[] = [
  ...[
    'grpo',
    'rloo',
    'gigpo',
    'hgpo',
    'salt',
    'loop',
    'mapo',
    'mars',
    'copo',
    'flowGrpo',
    'litePpo',
    'remax',
    'arpo',
  ].map((method) => [method, { 'advantage.method': method }] as const),
  ['graphGpo', { 'advantage.method': 'graphGpo' }],
  ['oprl', { 'advantage.method': 'oprl' }],
  ['gigpo, two minibatches', { 'objective.minibatches': 2 }],
  ['DPO, minibatches of whole groups', { 'objective.method': 'dpo', 'objective.minibatches': 3 }],
];

test.each(WAYS)('WebGPU: groups of 2, 9 and 4 train as on the CPU: %s', async (_, changes) => {
  const { whole } = await openSmall({
    ...{ 'task.grid.maxSteps': 12, 'task.levels': 4, 'objective.epochs': 1, 'advantage.method': 'gigpo' },
    ...changes,
  });
  const plan = { ...whole, source: uneven };
  const run = await Run.create(plan, gpuBackendOn(gpu));
  const cpu = await Run.create(plan, makeCpuBackend);
  await trainAlike(run, cpu, 3, IDS);
  const { batch } = await run.backend.view(1);
  expect(groupsOf(batch).map((rows) => rows.length)).toEqual([2, 9, 4]);
  run.dispose();
});
