import { expect, test } from 'vitest';
import { presets } from '../../config/presets.ts';
import { entriesFor } from './entries.ts';

test('every experiment has a picture of a real run, as large as its map; node scripts/gallery.mjs makes those that lack', () => {
  for (const { preset, picture } of entriesFor('')) {
    expect(picture, preset.id).not.toBeNull();
    const { w, ground, visits, curve, seconds } = picture!;
    expect(ground.length % w, preset.id).toBe(0);
    expect(visits.length, preset.id).toBe(ground.length);
    expect(visits + curve, preset.id).toMatch(/^\d+$/);
    expect(seconds, preset.id).toBeGreaterThan(0);
  }
  expect(entriesFor('')).toHaveLength(presets.length);
});

test('a search looks at task, method and what happens, and every word has to occur', () => {
  const ids = (query: string): string[] => entriesFor(query).map(({ preset }) => preset.id);
  expect(ids('corridor gigpo')).toContain('corridor');
  expect(ids('KEY critic')).toContain('key-door-ppo');
  expect(ids('key zzz')).toEqual([]);
});
