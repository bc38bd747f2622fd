import { expect, test } from 'vitest';
import { measureResfit } from './resfit.ts';
import { resfitTables } from './resfitTables.ts';
import { tablesOf } from './tables.ts';

test('both ways that begin with the clone play one and the same first batch, and a seed gives the same row again', async () => {
  for (const seed of [1, 2, 3]) {
    const residual = await measureResfit('residual', seed, 12);
    const tuned = await measureResfit('fine-tuning', seed, 12);
    expect(residual['start']).toBe(tuned['start']);
    expect(residual['more']).not.toBe(tuned['more']);
    if (seed === 1) expect(await measureResfit('residual', seed, 12)).toEqual(residual);
  }
});

test('within 240 episodes the correction is ahead of fine-tuning and of no clone, on three seeds', async () => {
  for (const seed of [1, 2, 3]) {
    const last = async (way: 'residual' | 'fine-tuning' | 'scratch') =>
      Number((await measureResfit(way, seed, 30))['last']);
    const [residual, tuned, scratch] = [await last('residual'), await last('fine-tuning'), await last('scratch')];
    expect(residual).toBeGreaterThan(tuned + 0.1);
    expect(residual).toBeGreaterThan(scratch + 0.1);
  }
});

test('the tables have each way, and the correction minus it seed by seed', () => {
  const row = { updates: 40, start: 0, few: 0.25, more: 0.5 };
  const rows = [1, 2, 3].flatMap((seed) => [
    { ...row, way: 'residual', seed, last: 0.75 },
    { ...row, way: 'scratch', seed, last: 0.5 },
  ]);
  const [ways, differences] = tablesOf(resfitTables(rows));
  expect(ways!.rows.map(([way, n]) => [way, n])).toEqual([
    ['residual', '3 seeds'],
    ['scratch', '3 seeds'],
  ]);
  expect(differences!.rows.map((cells) => cells.at(-1))).toEqual(['0.25 [0.25, 0.25], p 0.25']);
  expect(resfitTables(rows)).toContain('Not measured yet: fine-tuning');
});
