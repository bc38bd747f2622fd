import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { readDescription } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { measureOf, trainMeasured } from '../../lab/sweep/measures/measured.ts';
import { fillFolder } from '../sweeps/filledFolder.ts';
import { creditFidelityRows, creditFidelitySweep, judgedOf, offered, scoresOf, TASKS } from './creditFidelity.ts';
import { read } from './rows.ts';

const STUDIES = join(import.meta.dirname, '..', '..', '..', 'docs', 'studies');
const SIZE = { seeds: 16, updates: 240 };

test('the description beside the data is that of the study, and can be trained (-u writes it)', async () => {
  const path = join(STUDIES, 'credit-fidelity.sweep.json');
  const text = JSON.stringify(creditFidelitySweep(SIZE));
  const written = await format(text, { ...(await resolveConfig(path)), parser: 'json' });
  await expect(written).toMatchFileSnapshot(path);
  const description = readDescription(JSON.parse(text));
  if (typeof description === 'string') throw new Error(description);
  // what is checked before training differs between groups, not between seeds
  const sweep = (await expand({ ...description, seeds: 1 }, defaultConfig(), measureOf)) as Sweep;
  expect(sweep.groups).toHaveLength(2 * TASKS.length * offered.length);
});

test('cells that are trained today give the rows of the study', async () => {
  const names = ['grid/gigpo', 'grid/gdpo', 'textmaze/gigpo', 'textmaze/grpoPassK', 'textmaze/oprl'];
  const whole = creditFidelitySweep(SIZE);
  const cells = whole.cells!.filter(({ name }) => names.includes(name!.replace(/\/matched$/, '')));
  const sweep = (await expand({ ...whole, cells, seeds: [5] }, defaultConfig(), measureOf)) as Sweep;
  const at = mkdtempSync(join(tmpdir(), 'horizon-study-'));
  await fillFolder(at, sweep, trainMeasured);
  const kept = read(readFileSync(join(STUDIES, 'credit-fidelity.csv'), 'utf8'));
  const rows = await creditFidelityRows(at);
  if (typeof rows === 'string') throw new Error(rows);
  expect(rows.map((row) => `${row['task']}/${row['estimator']}`)).toEqual(names);
  for (const row of rows) {
    const is = (key: 'task' | 'estimator' | 'seed') => kept.filter((other) => other[key] === row[key]);
    expect(is('task').filter((o) => is('estimator').includes(o) && is('seed').includes(o))).toEqual([row]);
  }
});

test('a batch in which one estimator has no credit counts for none, unless that one is often silent', () => {
  const columns = ['moment', 'update', 'estimator', 'rev', 'correlation', 'cosine', 'sign', 'weighted'];
  const row = (moment: number, estimator: string, x: number | null) => [moment, 1, estimator, 1, x, x, 0.5, 0.5];
  const judged = judgedOf(
    [
      ...[row(5, 'grpo', 0.1), row(5, 'rloo', 0.2), row(5, 'grpoPassK', 0.3)],
      ...[row(40, 'grpo', 0.4), row(40, 'rloo', 0.5), row(40, 'grpoPassK', null)],
      ...[row(80, 'grpo', 0.6), row(80, 'rloo', null), row(80, 'grpoPassK', 0.7)],
    ],
    columns,
  );
  const of = (id: string): number[] => scoresOf({ id }, judged).map(({ correlation }) => correlation);
  expect([of('grpo'), of('rloo'), of('grpoPassK')]).toEqual([[0.1, 0.4], [0.2, 0.5], [0.3]]);
});
