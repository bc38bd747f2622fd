import { expect, test } from 'vitest';
import { presetById } from '../../config/presets.ts';
import { measurePreset } from './horizon.ts';
import { horizonTables } from './horizonTables.ts';
import { tablesOf } from './tables.ts';

test('an experiment is measured until its seeds get there or their steps are over, the same way again', async () => {
  const preset = presetById('corridor')!;
  const rows = await measurePreset(preset, 2, 500);
  expect(rows.map(({ preset: id, k, seed, steps }) => [id, k, seed, steps])).toEqual([
    ['corridor', 1, 1, Infinity],
    ['corridor', 1, 2, Infinity],
  ]);
  expect(await measurePreset(preset, 2, 500)).toEqual(rows);
});

test('what has too many states has no rows', async () => {
  expect(await measurePreset(presetById('sokoban-gym-small-v1')!, 1, 1)).toEqual([]);
});

test('equal orders correlate fully, and who never gets there comes last', () => {
  const row = { states: 9, limit: 10, actions: 4, chance: 0, k: 1, bound: 9, predicted: 3, seed: 1 };
  const rows = [1, 2, 3, 4].map((H) => ({
    ...{ ...row, preset: `p${H}`, task: `t${H}`, H, steps: H === 4 ? Infinity : 100 * H },
  }));
  const [all, , solved] = tablesOf(horizonTables(rows));
  expect(all!.rows[0]!.slice(0, 3)).toEqual(['effective horizon H', '1 seeds', '4']);
  expect(all!.rows[0]![3]).toMatch(/^1\.00/);
  expect(solved!.rows[0]![2]).toBe('3');
});
