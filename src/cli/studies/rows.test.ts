import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kept, read, Rows } from './rows.ts';
import { measuredOf, tablesOf, withMeasured, written } from './tables.ts';

test('rows measured again replace those with the same keys, and all others stay', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'horizon-lab-')), 'rows.csv');
  const open = (): Rows => new Rows(path, ['method', 'seed', 'score'], ['method', 'seed']);
  await open().put([
    { method: 'a', seed: 1, score: kept(0.123456) },
    { method: 'b', seed: 1, score: kept(Infinity) },
  ]);
  const last = open();
  await last.put([{ method: 'a', seed: 1, score: kept(NaN) }]);
  expect(last.all).toEqual(open().all);
  expect(readFileSync(path, 'utf8')).toBe('method,seed,score\na,1,\nb,1,Infinity\n');
  expect(open().all).toEqual([
    { method: 'a', seed: 1, score: NaN },
    { method: 'b', seed: 1, score: Infinity },
  ]);
  expect(read('x,y\n0.5,k\n')).toEqual([{ x: 0.5, y: 'k' }]);
});

test('tables are written between the marks, and read back as they were', () => {
  const table = { title: 'First', columns: ['what', 'n'], rows: [['one', '3 seeds, 9 batches']] };
  const document = withMeasured(
    '# A\n\n<!-- measured: by hand -->\nold\n<!-- end of measured -->\n\nb\n',
    written(table),
  );
  expect(document).toBe(
    [
      '# A\n\n<!-- measured: by hand -->\n\n### First\n',
      '| what | n                  |\n| ---- | ------------------ |\n| one  | 3 seeds, 9 batches |',
      '\n<!-- end of measured -->\n\nb\n',
    ].join('\n'),
  );
  expect(tablesOf(measuredOf(document))).toEqual([table]);
  expect(() => withMeasured('# A', '')).toThrow('The document needs the marks');
});
