import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { gpuBackendOn } from '../../engine/gpu/gpuBackend.ts';
import { createRun } from '../../engine/run.ts';
import { train } from '../../engine/sampleRun.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { nextBatch } from './batches.ts';
import type { CellResult } from './cell.ts';
import type { Cell } from './expand.ts';
import { trainTogether } from './together.ts';

const gpu = await testDevice();

const SMALL = {
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 5, 'policy.mlp.hidden': [9], 'run.backend': 'webgpu' },
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 5, 'analysis.evalEvery': 2, 'run.seeds': 1, 'run.updates': 4 },
};

const cellWith = (changes: Record<string, unknown>): Cell => {
  const config = configWith({ ...SMALL, ...changes });
  return { address: '', name: '', group: 0, seed: config.run['seed'] as number, config, limit: null };
};

/** Digest and table of every cell, trained as one batch. */
async function together(cells: readonly Cell[]): Promise<{ results: CellResult[]; tables: string[] }> {
  const results: CellResult[] = [];
  const tables: string[] = [];
  await trainTogether(cells, {
    makeBackend: gpuBackendOn(gpu),
    between: async () => undefined,
    async ended(k, end) {
      if ('problem' in end) throw new Error(end.problem);
      results[k] = end.result;
      tables[k] = end.series.csv(Uint32Array.of(cells[k]!.seed));
    },
  });
  return { results, tables };
}

/** The same of one cell as a run by itself. */
async function alone({ config }: Cell, updates: number): Promise<{ digest: string; table: string }> {
  const run = must(await createRun(config, gpuBackendOn(gpu)));
  await train(run, updates);
  const found = { digest: (await run.digest()).all, table: run.csv() };
  run.dispose();
  return found;
}

const BATCHES: readonly (readonly [string, readonly Record<string, unknown>[]])[] = [
  ['seeds that are no neighbors', [{ 'run.seed': 7 }, { 'run.seed': 3 }, { 'run.seed': 100 }]],
  [
    'learning rates and entropy bonuses',
    [
      { 'optimizer.learningRate': 0.02 },
      { 'optimizer.learningRate': 0.1, 'run.seed': 4 },
      { 'objective.entropyCoef': 0.05 },
    ],
  ],
  [
    'weights of the KL term, several steps per batch, a controller',
    [0.1, 0.9].map((klCoef) => ({
      ...{ 'objective.klCoef': klCoef, 'control.adaptiveKl.on': true, 'optimizer.learningRate': 0.05 },
      ...{ 'objective.epochs': 2, 'objective.minibatches': 2 },
    })),
  ],
  [
    'learning rates under an objective that looks at whole minibatches',
    [0.02, 0.1].map((rate) => ({
      ...{ 'objective.method': 'gspo', 'objective.aggregate': 'seqMeanUnitMean', 'optimizer.learningRate': rate },
    })),
  ],
];

test.each(BATCHES)('on WebGPU a batch gives each cell what it has alone: %s', async (_, changes) => {
  const cells = changes.map(cellWith);
  expect(nextBatch(cells, (cell) => cell)).toEqual(cells);
  const { results, tables } = await together(cells);
  for (const [k, cell] of cells.entries()) {
    const own = await alone(cell, results[k]!.updates);
    expect(results[k]!.digest, cell.name).toBe(own.digest);
    expect(tables[k]).toBe(own.table);
  }
  expect(new Set(tables).size, 'they are different experiments').toBe(cells.length);
});

test('one that diverges on WebGPU leaves the others the bits that they have without it', async () => {
  const overflows = {
    ...{ 'task.grid.level': 'keyDoor', 'advantage.method': 'gae', 'objective.epochs': 4, 'objective.valueClip': 0 },
    ...{ 'optimizer.method': 'sgd', 'optimizer.clipNorm': 0, 'run.updates': 20 },
  };
  const cells = [0.001, 3, 0.002].map((rate) => cellWith({ ...overflows, 'optimizer.learningRate': rate }));
  const { results, tables } = await together(cells);
  expect(results[1]).toMatchObject({ score: 0 });
  expect(results[1]!.diverged).toBeLessThan(20);
  const sound = await together([cells[0]!, cells[2]!]);
  expect([results[0], results[2]]).toEqual(sound.results);
  expect([tables[0], tables[2]]).toEqual(sound.tables);
  const fell = await together([cells[1]!]);
  expect(fell).toEqual({ results: [results[1]], tables: [tables[1]] });
});
