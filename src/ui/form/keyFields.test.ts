import { expect, test } from 'vitest';
import { presetConfig, presets } from '../../config/presets.ts';
import { defaultConfig, setValue } from '../../config/schema.ts';
import { keyFields } from './keyFields.ts';
import { searchFields } from './search.ts';

const paths = (config = defaultConfig(), base = config): string[] => keyFields(base, config).map(({ path }) => path);

test('five settings matter for every experiment: its method, what it changes, and what is usual', () => {
  for (const preset of presets) {
    const found = paths(presetConfig(preset));
    expect(found, preset.id).toHaveLength(5);
    expect(found[0], preset.id).toBe('advantage.method');
  }
  const sokoban = presets.find(({ id }) => id === 'sokoban-two-boxes')!;
  expect(paths(presetConfig(sokoban))).toContain('task.sokoban.boxes');
});

test('a setting that matters and is not read by the chosen methods gives its place to another', () => {
  const cliff = presetConfig(presets.find(({ id }) => id === 'corridor')!);
  expect(paths(cliff)).toContain('task.grid.n');
  expect(paths(setValue(cliff, 'task.method', 'sokoban'), cliff)).not.toContain('task.grid.n');
});

test('a search finds names before mentions, and what is used before what is not', () => {
  const config = defaultConfig();
  const found = searchFields('discount', config);
  expect(found[0]).toMatchObject({ field: { path: 'advantage.gigpo.gamma' }, isUsed: true });
  expect(found.some(({ field, isUsed }) => field.path === 'advantage.gae.gamma' && !isUsed)).toBe(true);
  expect(searchFields('  ', config)).toEqual([]);
  expect(searchFields('step limit', config)[0]!.field.path).toBe('task.grid.maxSteps');
});
