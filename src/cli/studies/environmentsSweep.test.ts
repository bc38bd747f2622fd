import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { mean } from '../../core/stats.ts';
import { readDescription, type Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { fillFolder } from '../sweeps/filledFolder.ts';
import { environmentsRows } from './environments.ts';
import { environmentsSweep, nameOf } from './environmentsSweep.ts';
import { kept, type Row } from './rows.ts';

const STUDIES = join(import.meta.dirname, '..', '..', '..', 'docs', 'studies');

test('the description of the study beside its data is that of what it measures, and can be trained', async () => {
  const text = readFileSync(join(STUDIES, 'environments.sweep.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(environmentsSweep());
  const sweep = await expand(readDescription(JSON.parse(text)) as Description, defaultConfig());
  expect((sweep as Sweep).cells).toHaveLength(2 * 7 * 8);
});

test('the rows come from the cells of the sweep; with the fewest environments both ways have the same', async () => {
  const whole = environmentsSweep();
  const names = [nameOf('noisy', 'constant', 64), nameOf('noisy', 'scaled', 256)];
  const cells = whole.cells!.filter(({ name }) => names.includes(name!));
  const sweep = (await expand({ ...whole, cells, seeds: 1, updates: 4 }, defaultConfig())) as Sweep;
  const at = mkdtempSync(join(tmpdir(), 'horizon-study-'));
  const results = await fillFolder(at, sweep);
  const rows = (await environmentsRows(at)) as Row[];
  expect(rows.map((row) => [row['way'], row['environments']])).toEqual([
    ['constant', 64],
    ['scaled', 64],
    ['scaled', 256],
  ]);
  expect({ ...rows[1], way: 'constant' }).toEqual(rows[0]);
  const [, scaled] = results;
  expect(rows[2]).toMatchObject({ steps: scaled!.envSteps, area: kept(mean(scaled!.evaluations.success)) });
});
