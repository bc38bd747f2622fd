import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { healthPresets } from '../config/healthPresets.ts';
import { conditions } from './conditions.ts';

test('docs/health.md has one row for each condition, with its title and its experiment', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'health.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const written = rows.map((cells) => [cells[1], cells[2], cells[5]]);
  const known = conditions.map(({ id, title }) => [
    `\`${id}\``,
    title,
    `\`${healthPresets.find((p) => p.alarm === id)!.id}\``,
  ]);
  expect(written).toEqual(known);
});
