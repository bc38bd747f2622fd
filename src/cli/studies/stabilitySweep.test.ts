import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { readDescription, type Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { fillFolder } from '../sweeps/filledFolder.ts';
import { read, type Row } from './rows.ts';
import { measureCell, SETTINGS } from './stability.ts';
import { stabilityRows, stabilitySweep } from './stabilitySweep.ts';

const STUDIES = join(import.meta.dirname, '..', '..', '..', 'docs', 'studies');

test('the description of the study beside its data is that of what it measures, and can be trained', async () => {
  const text = readFileSync(join(STUDIES, 'stability.sweep.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(stabilitySweep({ seeds: 16, updates: 240 }));
  // its levels are drawn by the seed: two of the 16 tell whether what is drawn can be trained
  const description = { ...(readDescription(JSON.parse(text)) as Description), seeds: 2 };
  const sweep = (await expand(description, defaultConfig())) as Sweep;
  const rows = read(readFileSync(join(STUDIES, 'stability.csv'), 'utf8'));
  // PPO clip on rollouts that are not rounded stands in two rows of the table
  expect(sweep.cells.length * 8).toBe(rows.length - 16);
});

test('a sweep gives the rows that the study measures', async () => {
  const size = { seeds: 2, updates: 16 };
  const wanted = [
    ['table', 'gspo', '4'],
    ['stress', 'vcpoStep', '16'],
    ['rounded', 'ppoClip', 'f32'],
    ['rounded', 'unified', 'int4'],
  ] as const;
  const whole = stabilitySweep(size);
  const cells = whole.cells!.filter(({ name }) => wanted.some((place) => place.join('/') === name));
  const sweep = (await expand({ ...whole, cells }, defaultConfig())) as Sweep;
  const at = mkdtempSync(join(tmpdir(), 'horizon-study-'));
  await fillFolder(at, sweep);
  const measured: Row[] = [];
  for (const [id, wayId, level] of [...wanted, ['rounded', 'unified', 'f32'] as const]) {
    const setting = SETTINGS.find((s) => s.id === id)!;
    measured.push(
      ...(await measureCell(
        setting,
        setting.ways.find((w) => w.id === wayId)!,
        level,
        size,
      )),
    );
  }
  const named = (rows: readonly Row[]): Record<string, Row> =>
    Object.fromEntries(rows.map((row) => [[row['setting'], row['way'], row['level'], row['seed']].join(' '), row]));
  expect(named((await stabilityRows(at, size)) as Row[])).toEqual(named(measured));
});
