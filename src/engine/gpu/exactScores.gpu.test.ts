import { expect, test } from 'vitest';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';
import { wholeTask } from '../../contract/taskContext.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { placed } from '../../slots/fixtures/modules/placed.ts';
import { defineTaskSource } from '../../slots/task/types.ts';
import { makeCpuBackend } from '../cpu/cpuBackend.ts';
import { enumerate } from '../../envs/enumerate.ts';
import { PAIR_LIMIT } from '../exactValues.ts';
import type { Plan } from '../plan.ts';
import { Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

/** Groups of 2, 9 and 4. */
const uneven = defineTaskSource({
  ...{ id: 'uneven', title: 'Uneven', rev: 1, look: 'Groups of unequal size.', params: {}, unequal: true },
  next: (_state, { P, pick }) => Array.from({ length: P }, (_, p) => wholeTask(pick(p), [2, 9, 4][p % 3]!)),
});

/** A plan whose first level, by which lists get their room, and levels with many states count as too large to be listed. */
function withLargeLevels(plan: Plan): Plan {
  const { env } = plan;
  const first = plan.level(plan.firstLevelSeed);
  const isLarge = (level: unknown): boolean => level === first || enumerate(env, level, 100)!.model.states > 10;
  const maxSteps = (level: unknown): number => (isLarge(level) ? PAIR_LIMIT : env.maxSteps(level));
  return { ...plan, env: { ...env, maxSteps }, source: uneven };
}

type Case = {
  readonly name: string;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly planOf?: (plan: Plan) => Plan;
};

const CASES: readonly Case[] = [
  { name: 'a key and a door', changes: { 'task.grid.level': 'keyDoor', 'task.grid.maxSteps': 20 } },
  {
    name: 'slips, a discount, begun episodes',
    changes: {
      ...{ 'policy.method': 'conv', 'advantage.dual.gamma': 0.9, 'rollout.temperature': 1.5, 'task.levels': 4 },
    },
    planOf: (plan) => ({ ...plan, source: placed, sourceParams: { moves: 3 } }),
  },
  {
    name: 'levels of several sizes',
    changes: {
      ...{ 'task.grid.level': 'doorKey', 'task.grid.n': 5, 'task.grid.maxSteps': 14, 'task.levels': 0 },
      'task.grid.maskActions': true,
    },
    planOf: withLargeLevels,
  },
  {
    name: 'a table of rounded logits',
    changes: {
      ...{ 'task.grid.level': 'corridor', 'task.grid.n': 5, 'policy.method': 'tabular' },
      'rollout.rolloutPrecision': 'f16',
    },
  },
  {
    name: 'a level of one state',
    changes: { 'task.grid.level': 'custom', 'task.grid.text': 'SG', 'task.grid.maxSteps': 3 },
  },
];

test.each(CASES)(
  'exact scores of steps stay on the device and are those of the CPU path: $name',
  async ({ changes, planOf = (plan) => plan }) => {
    const { whole } = await openSmall({ 'advantage.method': 'dual', ...changes });
    const plan = planOf(whole);
    const [onGpu, onCpu] = [await Run.create(plan, gpuBackendOn(gpu)), await Run.create(plan, makeCpuBackend)];
    expect(onGpu.backend.depth).toBe(2);
    await trainAlike(onGpu, onCpu, 2, ['creditRms', 'creditStd', 'gradNorm']);
    for (const s of [0, 1]) {
      const [mine, theirs] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
      const psi = theirs.batch.processScore!;
      expect(psi.some((x) => x !== 0)).toBe(true);
      // values up to 1 whose π is of both paths, through up to 20 steps
      psi.forEach((x, k) => expect(Math.abs(mine.batch.processScore![k]! - x)).toBeLessThan(1e-6));
      for (const part of ['episode', 'step'] as const)
        theirs.parts[part]!.forEach((x, k) => expect(Math.abs(mine.parts[part]![k]! - x)).toBeLessThan(1e-4));
    }
    onGpu.dispose();
    onCpu.dispose();
  },
);
