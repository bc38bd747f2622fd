import { expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import type { MakeBackend } from '../../engine/backend.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { trainCell, type CellResult, type Finished } from '../../lab/sweep/cell.ts';
import type { Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { trainOnGpu } from './onGpu.ts';
import { Working } from './work.ts';

const SMALL: Description = {
  base: {},
  set: {
    ...{ 'policy.method': 'tabular', 'analysis.evalEvery': 1 },
    ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 },
  },
  vary: { 'advantage.method': ['grpo', 'rloo'] },
  seeds: 2,
  updates: 3,
  backend: 'webgpu',
};

/** What comes of a sweep on a device in whose place the CPU path is. */
async function trained(makeBackend: MakeBackend, isAsked: () => boolean = () => false) {
  const sweep = (await expand(SMALL, defaultConfig())) as Sweep;
  const kept = new Map<string, Finished>();
  const ended: [string, CellResult | string][] = [];
  const working = new Working(sweep.cells.length);
  const problem = await trainOnGpu(
    sweep.cells,
    working,
    {
      isAsked,
      now: () => 0,
      keep: (cell, finished) => Promise.resolve(void kept.set(cell.name, finished)).then(() => null),
      ended: (cell, outcome) => void ended.push([cell.name, outcome]),
    },
    makeBackend,
  );
  return { sweep, kept, ended, problem, working };
}

test('every cell of a batch is kept with the result and the table that it has alone', async () => {
  const sizes: number[] = [];
  const { sweep, kept, problem, working } = await trained((plan, state) => {
    sizes.push(plan.S);
    return makeCpuBackend(plan, state);
  });
  expect(problem).toBeNull();
  expect(sizes).toEqual([2, 2]);
  expect(working.waiting).toBe(0);
  for (const cell of sweep.cells) expect(kept.get(cell.name)).toEqual(await trainCell(cell, () => Promise.resolve()));
});

test('a batch that cannot be trained leaves the next one alone, and each of its cells says why', async () => {
  const { sweep, kept, ended } = await trained((plan, state) =>
    plan.estimator.id === 'grpo' ? Promise.reject(new Error('too large')) : makeCpuBackend(plan, state),
  );
  const names = (method: number): string[] => sweep.cells.filter(({ group }) => group === method).map((c) => c.name);
  expect(ended.filter(([, outcome]) => typeof outcome === 'string')).toEqual(
    names(0).map((name) => [name, 'Its batch on the GPU stopped: too large']),
  );
  expect([...kept.keys()]).toEqual(names(1));
});

test('whoever asks it to stop waits for the batch at hand only', async () => {
  let batches = 0;
  const { kept } = await trained(
    (plan, state) => {
      batches++;
      return makeCpuBackend(plan, state);
    },
    () => batches > 0,
  );
  expect(batches).toBe(1);
  expect(kept.size).toBe(2);
});
