import { describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { kindOf, mostTogether, nextBatch } from './batches.ts';
import { trainRun, type CellResult } from './cell.ts';
import type { Cell } from './expand.ts';
import type { Limit } from './limit.ts';
import { standingOf, trainTogether, type Standing } from './together.ts';

const SMALL = {
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 5, 'policy.method': 'tabular' },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'analysis.evalEvery': 2 },
  ...{ 'run.seeds': 1, 'run.updates': 6, 'run.backend': 'cpu', 'optimizer.learningRate': 0.1 },
};

/** A critic without any bound: at a rate of 3 its weights overflow within a few updates. */
const OVERFLOWS = {
  ...{ 'task.grid.level': 'keyDoor', 'policy.method': 'mlp', 'advantage.method': 'gae', 'objective.epochs': 4 },
  ...{ 'objective.valueClip': 0, 'optimizer.method': 'sgd', 'optimizer.clipNorm': 0, 'run.updates': 20 },
  ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 8 },
};

function cellWith(changes: Record<string, unknown>, limit: Limit | null = null): Cell {
  const config = configWith({ ...SMALL, ...changes });
  const seed = config.run['seed'] as number;
  return { address: `cell${JSON.stringify(changes)}`, name: '', group: 0, seed, config, limit };
}

/** Results and tables of cells that train together, in their order; `stopAt`: it stops there, and the state is in `left`. */
async function together(
  cells: readonly Cell[],
  begun: Standing | null = null,
  stopAt = Infinity,
): Promise<{ results: (CellResult | string)[]; tables: string[]; order: number[]; left: Standing | null }> {
  const results: (CellResult | string)[] = [];
  const tables: string[] = [];
  const order: number[] = [];
  let left: Standing | null = null;
  let updates = 0;
  const between = async (_: readonly number[], __: number, stand: () => Promise<Standing>): Promise<void> => {
    if (++updates !== stopAt) return;
    left = await stand();
    throw new Error('stopped');
  };
  await trainTogether(cells, {
    ...{ makeBackend: makeCpuBackend, between, begun },
    async ended(k, end) {
      order.push(k);
      results[k] = 'problem' in end ? end.problem : end.result;
      if (!('problem' in end)) tables[k] = end.series.csv(Uint32Array.of(cells[k]!.seed));
    },
  }).catch((error: unknown) => {
    if (!(error instanceof Error && error.message === 'stopped')) throw error;
  });
  return { results, tables, order, left };
}

async function alone(cell: Cell): Promise<{ result: CellResult; table: string }> {
  const trained = await trainRun(cell, { between: async () => undefined });
  if ('problem' in trained) throw new Error(trained.problem);
  return { result: trained.result, table: trained.run.csv() };
}

describe('cells that train together have the results and tables that they have alone', () => {
  const BATCHES: readonly (readonly [string, readonly Cell[]])[] = [
    ['seeds that are no neighbors', [7, 3, 100].map((seed) => cellWith({ 'run.seed': seed }))],
    [
      'learning rates and entropy bonuses, on a falling schedule',
      [
        { 'optimizer.learningRate': 0.02 },
        { 'optimizer.learningRate': 0.3, 'run.seed': 4 },
        { 'objective.entropyCoef': 0.05 },
      ].map((own) => cellWith({ 'optimizer.schedule': 'cosine', ...own })),
    ],
    [
      'weights of the KL term, with a change during the run',
      [0.1, 0.9].map((klCoef) =>
        cellWith({ 'objective.klCoef': klCoef, 'run.events': '3 objective.entropyCoef 0.02' }),
      ),
    ],
    [
      'a controller that follows the KL of its own replica',
      [0.05, 0.4].map((klCoef) =>
        cellWith({ 'objective.klCoef': klCoef, 'control.adaptiveKl.on': true, 'optimizer.learningRate': 0.5 }),
      ),
    ],
    [
      'the process model of two seeds, which learns at the rate of the run',
      [1, 2].map((seed) => cellWith({ 'run.seed': seed, 'advantage.method': 'oprl', 'run.updates': 3 })),
    ],
    [
      'environment steps, which each has taken at another update',
      [1, 2, 3].map((seed) =>
        cellWith({ 'run.seed': seed, 'run.updates': 40 }, { of: 'environmentSteps', amount: 300 }),
      ),
    ],
  ];

  test.each(BATCHES)('%s', async (_, cells) => {
    expect(nextBatch(cells, (cell) => cell)).toEqual(cells);
    const { results, tables } = await together(cells);
    const own = await Promise.all(cells.map(alone));
    expect(results).toEqual(own.map(({ result }) => result));
    expect(tables).toEqual(own.map(({ table }) => table));
    const digests = new Set(own.map(({ result }) => result.digest));
    expect(digests.size, 'they are different experiments').toBe(cells.length);
  });
});

test('one that diverges ends by itself, scores 0, and the others train on as if it were not there', async () => {
  const cells = [0.001, 3, 0.002].map((rate) => cellWith({ ...OVERFLOWS, 'optimizer.learningRate': rate }));
  const { results, order } = await together(cells);
  const own = await Promise.all(cells.map(alone));
  expect(results).toEqual(own.map(({ result }) => result));
  expect(order[0]).toBe(1);
  expect(results[1]).toMatchObject({ score: 0 });
  expect((results[1] as CellResult).diverged).toBeLessThan(20);
});

test('a batch that was stopped goes on from where it stood, also without those that nobody wants any more', async () => {
  const cells = [1, 2, 3].map((seed) => cellWith({ 'run.seed': seed, 'optimizer.learningRate': seed / 20 }));
  const whole = await together(cells);
  const { left } = await together(cells, null, 3);
  expect(left!.checkpoint.state.update).toBeGreaterThanOrEqual(3);
  const some = [2, 0];
  const rest = await together(
    some.map((s) => cells[s]!),
    standingOf(left!, some),
  );
  expect(rest.results).toEqual(some.map((s) => whole.results[s]));
  expect(rest.tables).toEqual(some.map((s) => whole.tables[s]));
});

test('a cell that cannot take its steps says so, and the others have their results', async () => {
  const limit: Limit = { of: 'environmentSteps', amount: 1e6 };
  const { results } = await together([cellWith({}, limit), cellWith({ 'run.seed': 9 }, limit)]);
  expect(results[0]).toContain('After 6 updates, the most there are');
});

describe('what is of another kind is another batch', () => {
  const base = configWith(SMALL);
  const kind = (changes: Record<string, unknown>): string => kindOf(configWith(changes, base));
  const ALIKE: readonly Record<string, unknown>[] = [
    { 'run.seed': 5 },
    { 'optimizer.learningRate': 0.7 },
    { 'objective.entropyCoef': 0.1 },
  ];
  const OTHER: readonly Record<string, unknown>[] = [
    { 'objective.klCoef': 0.1 },
    { 'rollout.groupSize': 5 },
    { 'run.updates': 7 },
    { 'advantage.method': 'rloo' },
    { 'run.backend': 'webgpu' },
  ];
  test.each(ALIKE)('%j shares', (changes) => expect(kind(changes)).toBe(kind({})));
  test.each(OTHER)('%j does not', (changes) => expect(kind(changes)).not.toBe(kind({})));

  test('a process model keeps those of one learning rate together', () => {
    const oprl = (rate: number): Config =>
      configWith({ 'advantage.method': 'oprl', 'optimizer.learningRate': rate }, base);
    expect(kindOf(oprl(0.1))).not.toBe(kindOf(oprl(0.2)));
    expect(kindOf(oprl(0.1))).toBe(kindOf(configWith({ 'run.seed': 3 }, oprl(0.1))));
  });

  test('a batch holds neighbors in the order of training, never more than fit', () => {
    const cells = [1, 2].flatMap((seed) =>
      ['grpo', 'rloo'].map((method) => cellWith({ 'run.seed': seed, 'advantage.method': method })),
    );
    expect(nextBatch(cells, (cell) => cell)).toEqual([cells[0], cells[2]]);
    expect(mostTogether(base)).toBe(64);
    const large = configWith({ 'rollout.tasksPerBatch': 64, 'rollout.groupSize': 64, 'task.grid.n': 40 }, base);
    expect(mostTogether(large)).toBeLessThan(64);
    expect(mostTogether(large)).toBeGreaterThan(0);
  });
});
