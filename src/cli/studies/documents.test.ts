import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boundText, learningRuns, rowName } from '../../config/learningRuns.ts';
import { boardsTables } from './boardsTables.ts';
import { boxobanTables } from './boxobanTables.ts';
import { paragraphs, wrongClaims } from './claims.ts';
import { offered } from './creditFidelity.ts';
import { echoTables } from './echoTables.ts';
import { environmentsFigure, environmentsTables } from './environmentsTables.ts';
import { TASKS as CURRICULA } from './curricula.ts';
import { curriculaTables } from './curriculaTables.ts';
import { creditTables } from './creditTables.ts';
import { horizonFigure, horizonTables } from './horizonTables.ts';
import { hierarchyTables } from './hierarchyTables.ts';
import { keysTables } from './keysTables.ts';
import { resfitTables } from './resfitTables.ts';
import { WAYS } from './rewards.ts';
import { rewardTables } from './rewardTables.ts';
import { read, type Row } from './rows.ts';
import { stabilityTables } from './stabilityTables.ts';
import { measuredOf, tablesOf } from './tables.ts';

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs');
const docOf = (name: string): string => readFileSync(join(DOCS, name), 'utf8');
const rowsOf = (name: string): Row[] => read(docOf(`studies/${name}.csv`));

describe.each([
  'studies/credit-fidelity.md',
  'studies/stability.md',
  'studies/environments.md',
  'studies/rewards.md',
  'studies/curricula.md',
  'studies/boxoban.md',
  'studies/horizon.md',
  'studies/boards.md',
  'studies/echo.md',
  'studies/keys.md',
  'studies/resfit.md',
  'studies/hierarchy.md',
  'learning.md',
])('%s', (path) => {
  test('says only what its tables carry', () => {
    expect(paragraphs(docOf(path)).length).toBeGreaterThan(3);
    expect(wrongClaims(docOf(path))).toEqual([]);
  });

  test('says in every row of how many seeds it is', () => {
    for (const { title, columns, rows } of tablesOf(measuredOf(docOf(path)))) {
      const at = columns.indexOf('n');
      expect(at, title).toBeGreaterThan(0);
      for (const row of rows) expect(row[at], `${title}: ${row[0]}`).toMatch(/\d+ seeds|1 seed\b/);
    }
  });
});

test.each([
  ['credit-fidelity', creditTables],
  ['stability', stabilityTables],
  ['environments', environmentsTables],
  ['rewards', rewardTables],
  ['curricula', curriculaTables],
  ['boxoban', boxobanTables],
  ['horizon', horizonTables],
  ['boards', boardsTables],
  ['echo', echoTables],
  ['keys', keysTables],
  ['resfit', resfitTables],
  ['hierarchy', hierarchyTables],
] as const)('the tables of the study of %s are those of its data', (name, tables) => {
  expect(measuredOf(docOf(`studies/${name}.md`))).toBe(tables(rowsOf(name)).trim());
});

test('the figure of the study of many environments is that of its data', () => {
  expect(docOf('studies/environments.svg')).toBe(environmentsFigure(rowsOf('environments')));
});

test('the figure of the study of horizons is that of its data', () => {
  expect(docOf('studies/horizon.svg')).toBe(horizonFigure(rowsOf('horizon')));
});

test('estimators that are compared by the same batches judged the same number of them', () => {
  for (const { title, rows } of tablesOf(docOf('studies/credit-fidelity.md')))
    if (title.endsWith(': same batches')) expect(new Set(rows.map((row) => row[1])).size, title).toBe(1);
});

test('the study of credit fidelity measured estimators that are the same today, and names the others', () => {
  const measured = new Set(rowsOf('credit-fidelity').map((row) => `${row['estimator']} rev ${row['rev']}`));
  const nameOf = ({ id, rev }: (typeof offered)[number]): string => `${id} rev ${rev}`;
  expect(offered.map(nameOf)).toEqual(expect.arrayContaining([...measured]));
  const missing = offered.filter((e) => !measured.has(nameOf(e))).map(({ title }) => title);
  const named = /^Not measured yet: (.*)\.$/m.exec(docOf('studies/credit-fidelity.md'))?.[1]?.split('; ') ?? [];
  expect(named).toEqual(missing);
});

test('the study of rewards measured modules that are the same today', () => {
  const measured = new Set(rowsOf('rewards').map((row) => `${row['way']} rev ${row['rev']}`));
  expect(WAYS.map(({ id, rev }) => `${id} rev ${rev}`)).toEqual(expect.arrayContaining([...measured]));
});

test('the study of curricula measured task sources that are the same today', () => {
  const measured = new Set(rowsOf('curricula').map((row) => `${row['task']} ${row['way']} rev ${row['rev']}`));
  const today = CURRICULA.flatMap((task) => task.ways.map(({ id, rev }) => `${task.id} ${id} rev ${rev}`));
  expect(today).toEqual(expect.arrayContaining([...measured]));
});

test('the rows of learning are those that are run, and say of each whether it is a test, and of what', () => {
  const [table] = tablesOf(measuredOf(docOf('learning.md')));
  const cells = (name: string): string[] => table!.rows.map((row) => row[table!.columns.indexOf(name)]!);
  expect(cells('experiment')).toEqual(learningRuns.map(rowName));
  expect(cells('updates')).toEqual(learningRuns.map((run) => `${run.updates}`));
  expect(cells('n')).toEqual(learningRuns.map((run) => `${run.seeds} seeds`));
  expect(cells('test')).toEqual(learningRuns.map(boundText));
});
