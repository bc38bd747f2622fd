import { expect, test } from 'vitest';
import { presets } from '../../config/presets.ts';
import { useDraft } from '../stores/draft.ts';
import { entriesFor } from './entries.ts';

/** Longer names are cut in the picker of a phone, where the task has to be legible. */
const LONGEST = 46;
/** Names of whole recipes: a method with several settings that belong together. */
const RECIPES: Readonly<Record<string, string>> = {
  'key-door-ppo-max': 'PPO-max',
  'key-door-safe': 'SAFE',
  'bro-rl': 'BroRL',
  'own-credit': 'Your own credit',
  'beat-grpo': 'Beat GRPO',
  'small-room-archer': 'ArCHer',
  'given-subgoals-vsc': 'VSC-RL',
};

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

test('a title names the task, then the method, and no two experiments share one', () => {
  for (const { preset, world, method } of entriesFor('')) {
    const [task, named, ...rest] = preset.title.split(' · ');
    expect(rest, preset.title).toEqual([]);
    expect(preset.title.length, preset.title).toBeLessThanOrEqual(LONGEST);
    const firstWord = task!.split(/[ ,]/)[0]!.toLowerCase();
    if (!world.endsWith('my own level')) expect(world.toLowerCase(), preset.title).toContain(firstWord);
    if (preset.id in RECIPES) expect(named).toBe(RECIPES[preset.id]);
    else expect(`${method}, PPO clip`, preset.title).toContain(named);
  }
  expect(new Set(presets.map(({ title }) => title)).size).toBe(presets.length);
});

test('the page opens on the first experiment, under its title', () => {
  expect(useDraft.getState().baseTitle).toBe(presets[0]!.title);
});
