import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { configWith, defaultConfig } from '../../../config/schema.ts';
import { sampleRun, train } from '../../../engine/sampleRun.ts';
import { metricIndex } from '../../../slots/metrics/metrics.ts';
import { trainCell, writeCell, type Finished } from '../cell.ts';
import { readDescription, type Description } from '../description.ts';
import { expand, type Cell, type Sweep } from '../expand.ts';
import { readPlan, writePlan } from '../plan.ts';
import { completed } from './creditFidelity.ts';
import { measures } from './registry.ts';
import { measuredCsv, measureOf, readMeasured, trainMeasured, writeMeasured, type MeasuredRows } from './measured.ts';

const SMALL = {
  'policy.method': 'tabular',
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'analysis.evalEvery': 8,
};
const DESCRIPTION: Description = {
  base: 'key-door',
  set: SMALL,
  seeds: 1,
  updates: 8,
  measure: { method: 'creditFidelity', moments: [0, 10, 100] },
};

async function sweepOf(changes: Partial<Description> = {}): Promise<Sweep> {
  const sweep = await expand({ ...DESCRIPTION, ...changes }, defaultConfig(), measureOf);
  if (typeof sweep === 'string') throw new Error(sweep);
  return sweep;
}
async function finished(cell: Cell): Promise<Finished> {
  const trained = await trainMeasured(cell, () => Promise.resolve());
  if ('problem' in trained) throw new Error(trained.problem);
  return trained;
}
const rowsOf = (cell: Cell, { result, measured }: Finished): MeasuredRows => {
  const read = readMeasured(cell, result.digest, measured ?? null);
  if (typeof read === 'string') throw new Error(read);
  return read;
};

let cell: Cell;
let trained: Finished;
beforeAll(async () => {
  [cell] = (await sweepOf()).cells as [Cell];
  trained = await finished(cell);
});

test('a cell that is measured is the cell that is not: address, result and metrics', async () => {
  const [plain] = (await sweepOf({ measure: undefined })).cells as [Cell];
  expect(plain.address).toBe(cell.address);
  const other = await trainCell(plain, () => Promise.resolve());
  if ('problem' in other) throw new Error(other.problem);
  expect(writeCell(plain, other.result, other.csv)).toBe(writeCell(cell, trained.result, trained.csv));
  expect(trained.csv).toBe(other.csv);
});

test('equal cells leave equal files', async () => {
  expect((await finished(cell)).measured).toBe(trained.measured);
});

test('the first batch that reaches a moment is judged, one moment after the other, by every estimator that can', async () => {
  const run = await sampleRun({ ...SMALL, 'run.updates': 8 });
  await train(run, 8);
  const success = Array.from({ length: 8 }, (_, u) => run.series.at(u, 0, metricIndex.success));
  const { rows, columns } = rowsOf(cell, trained);
  expect(columns).toEqual(['moment', 'update', 'estimator', 'rev', 'correlation', 'cosine', 'sign', 'weighted']);
  const updates = new Map(rows.map(([moment, update]) => [moment, update]));
  const second = success.findIndex((share, u) => u > 0 && share >= 0.1) + 1;
  expect(second).toBeGreaterThan(1);
  expect(updates).toEqual(
    new Map([
      [0, 1],
      [10, second],
    ]),
  );
  const judges = (moment: number): unknown[] => rows.filter((row) => row[0] === moment).map((row) => row[2]);
  expect(judges(10)).toEqual(judges(0));
  expect(judges(0)).toEqual(expect.arrayContaining(['gigpo', 'grpo', 'opo', 'gpg', 'grpoPassK', 'gdpo']));
  expect(judges(0)).toContain('optimalTokenBaseline');
  // these judge what only their own runs have
  for (const id of ['gae', 'remax', 'oprl', 'arpo']) expect(judges(0)).not.toContain(id);
});

test('an estimator alone judges its own batches with what its own run records', async () => {
  const set = { ...SMALL, 'advantage.method': 'remax' };
  const [own] = (await sweepOf({ set, measure: { method: 'creditFidelity', moments: [0], judges: 'own' } })).cells as [
    Cell,
  ];
  const { rows } = rowsOf(own, await finished(own));
  expect(rows.map((row) => row.slice(0, 3))).toEqual([[0, 1, 'remax']]);
});

test.each([
  ['gdpo', 'rewardParts'],
  ['optimalTokenBaseline', 'scoreNorm'],
] as const)('a batch gets for %s afterwards what a run of it records', async (method, column) => {
  const run = await sampleRun({ ...SMALL, 'advantage.method': method });
  await train(run, 2);
  const view = await run.backend.view(0);
  const { [column]: recordedColumn, ...batch } = view.batch;
  expect(recordedColumn!.some((x) => x !== 0)).toBe(true);
  const { T, length } = view.batch;
  const made = completed(run.plan, { ...view, batch })[column]!;
  // what is left of earlier batches after the end of an episode says nothing
  const isReal = (k: number): boolean => column === 'rewardParts' || k % T < length[Math.floor(k / T)]!;
  expect([...made].filter((_, k) => isReal(k))).toEqual([...recordedColumn!].filter((_, k) => isReal(k)));
});

describe('the file', () => {
  test('no byte of it can change unseen', () => {
    const text = trained.measured!;
    const { digest } = trained.result;
    for (let at = 0; at < text.length - 1; at++) {
      const other = text[at] === '1' ? '2' : '1';
      expect(typeof readMeasured(cell, digest, text.slice(0, at) + other + text.slice(at + 1)), `${at}`).toBe('string');
    }
    for (const none of [null, '', '{}', 'null', text.slice(0, -40)])
      expect(readMeasured(cell, digest, none)).toMatch(/^has [^\n]+$/);
  });

  test('what was measured of another run, cell or with other settings does not count', async () => {
    const { digest } = trained.result;
    const rows = rowsOf(cell, trained).rows;
    const [other] = (await sweepOf({ measure: { method: 'creditFidelity', moments: [7] } })).cells as [Cell];
    expect(other.address).toBe(cell.address);
    const why = 'has beside it what was measured of another run';
    expect(readMeasured(cell, 'x', trained.measured!)).toBe(why);
    expect(readMeasured(cell, digest, writeMeasured(other, digest, rows))).toBe(why);
    expect(readMeasured({ ...cell, address: 'aaaaaaaaaa' }, digest, trained.measured!)).toBe(why);
  });

  test('as a table, what was not measured is empty', () => {
    const table = measuredCsv({
      columns: ['a', 'b'],
      rows: [
        ['x', null],
        ['y', 0.5],
      ],
    });
    expect(table).toBe('a,b\nx,\ny,0.5\n');
  });
});

test('a plan keeps what is measured beside which cell', async () => {
  const sweep = await sweepOf({
    measure: undefined,
    cells: [
      { name: 'with', set: {}, measure: DESCRIPTION.measure },
      { name: 'without', set: { 'advantage.method': 'grpo' } },
    ],
  });
  expect(sweep.cells.map(({ measure }) => measure?.id)).toEqual(['creditFidelity', undefined]);
  expect(readPlan(writePlan(sweep))!.cells.map(({ measure }) => measure)).toEqual([sweep.cells[0]!.measure, undefined]);
});

test('a cell with a measure of its own has that one', async () => {
  const own = { method: 'creditFidelity', moments: [50] };
  const cells = [
    { name: 'a', set: { 'advantage.method': 'grpo' }, measure: own },
    { name: 'b', set: {} },
  ];
  const moments = (await sweepOf({ cells })).cells.map(({ measure }) => measure!.params['moments']);
  expect(moments).toEqual([[50], [0, 10, 100]]);
});

test.each([
  [{ method: 'tusk' }, /^there is no measure “tusk”, only creditFidelity\.$/],
  [{ method: 'creditFidelity', tusk: 1 }, /^in its “measure”, “tusk” is not a known field\.$/],
  [{ method: 'creditFidelity', moments: [101] }, /“moments.*” each must be at most 100\.$/],
  [{ method: 'creditFidelity', moments: [] }, /needs at least 1 entries\.$/],
  [{ method: 'creditFidelity', moments: [5, 5] }, /must rise from one to the next\.$/],
])('%o is refused in one sentence', async (asked, sentence) => {
  const found = await measureOf(asked, configWith({ 'run.backend': 'cpu' }));
  expect(found).toMatch(sentence);
  expect(found).toMatch(/^[^\n]+\.$/);
});

test.each([
  [{ 'policy.method': 'gru' }, /remembers/],
  [{ 'reward.countBonus.on': true }, /set “judges” to "own"/],
  [{ 'run.backend': 'webgpu' }, /train it without “backend”/],
])('an experiment with %o cannot be measured, and the sentence says why', async (changes, sentence) => {
  const config = configWith({ 'run.backend': 'cpu', ...changes });
  expect(await measureOf({ method: 'creditFidelity' }, config)).toMatch(sentence);
});

test('docs/sweeps.md names every measure with its settings', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'sweeps.md'), 'utf8');
  for (const { id, params } of measures) {
    expect(text).toContain(`**\`${id}\`**`);
    for (const name of Object.keys(params)) expect(text).toContain(`\`${name}\``);
  }
});

test('a sweep is refused before anything trains, by the name of the cell; in the browser nothing is measured', async () => {
  const bad = { ...DESCRIPTION, measure: { method: 'tusk' } };
  expect(await expand(bad, defaultConfig(), measureOf)).toMatch(
    /^The cell “.+” cannot be measured: there is no measure/,
  );
  expect(await expand(DESCRIPTION, defaultConfig())).toMatch(/“measure” is for sweeps on the command line\.$/);
  expect(readDescription({ ...DESCRIPTION, measure: 'creditFidelity' })).toMatch(
    /must be the name of a measure, as “method”/,
  );
});
