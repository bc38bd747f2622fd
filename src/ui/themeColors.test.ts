import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { signedColor, type Rgb } from './color.ts';
import { difference, type Vision } from './colorDifference.ts';
import { PALETTES } from './stage/palette.ts';

/** The bound of the signed colors (color.test.ts), in CIEDE2000. */
const LEAST = 20;
const VISIONS: readonly Vision[] = ['full', 'protan', 'deutan', 'tritan'];
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const rgb = (text: string): Rgb => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16)) as unknown as Rgb;

/** What a style sheet says of a custom property, in the order of the file: light, then twice the dark theme. */
function values(file: string, name: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  return [...text.matchAll(new RegExp(`^ *${name}: (#[0-9a-f]{6});`, 'gm'))].map((m) => m[1]!);
}

function ofTheme(file: string, name: string, theme: Theme): string {
  const [light, ...dark] = values(file, name);
  expect(dark, `${name} in ${file}`).toHaveLength(2);
  expect(dark[0], `${name} in ${file}: both ways to the dark theme`).toBe(dark[1]);
  return theme === 'light' ? light! : dark[0]!;
}

const GROUPS = [0, 1, 2, 3, 4, 5].map((k) => `--group${k}`);
/** Categories in their order, each with dashes, a shape, notches or its name as well. */
const CATEGORIES: readonly (readonly [what: string, file: string, names: readonly string[]])[] = [
  ['groups of runs and arms of lessons', 'styles/tokens.css', GROUPS],
  ['estimators', 'credit/credit.css', ['--cat0', '--cat1', '--cat2', '--cat3']],
  ['more and less credit', 'credit/credit.css', ['--more', '--less']],
  ['parts of an update', 'profile/profile.css', ['rollout', 'credit', 'optimize', 'report'].map((s) => `--slot-${s}`)],
];

function expectApart(a: string, b: string, what: string): void {
  for (const vision of VISIONS)
    expect(difference(rgb(a), rgb(b), vision), `${what}, ${vision} vision: ${a} and ${b}`).toBeGreaterThanOrEqual(
      LEAST,
    );
}

test('groups of runs and arms of lessons have the same colors', () => {
  for (const file of ['lessons/lessons.css', 'runs/runs.css'])
    for (const name of GROUPS) expect(values(file, name), `${name} of its own in ${file}`).toEqual([]);
});

describe.each(THEMES)('%s theme', (theme) => {
  const surface = ofTheme('styles/tokens.css', '--surface', theme);
  const palette = PALETTES[theme];

  test.each(CATEGORIES)('neighbors differ and stand out from the surface: %s', (what, file, names) => {
    const colors = names.map((name) => ofTheme(file, name, theme));
    colors.forEach((color, k) => {
      expectApart(color, surface, what);
      if (k > 0) expectApart(color, colors[k - 1]!, what);
    });
  });

  test('any two keys differ, and so each can be told from each in one room', () => {
    palette.keys.forEach((a, k) => palette.keys.slice(k + 1).forEach((b) => expectApart(a, b, 'keys')));
  });

  test('what stands on the floor of a map stands out from it', () => {
    const { agent, goal, lava, bonus, box, wall, quiet, holeLine, iceLine, keys } = palette;
    for (const color of [agent, goal, lava, bonus, box, wall, quiet, holeLine, iceLine, ...keys])
      expectApart(color, palette.surface, 'map');
  });

  test('marks of credit have the hue of their sign in strips: each is nearer to its own end than to the other', () => {
    const [more, less] = ['--more', '--less'].map((name) => rgb(ofTheme('credit/credit.css', name, theme)));
    for (const vision of VISIONS)
      for (const [mark, sign] of [
        [more!, 1],
        [less!, -1],
      ] as const) {
        const to = (x: number): number => difference(mark, signedColor(x, theme === 'dark'), vision);
        expect(to(0.7 * sign), `${vision} ${sign}`).toBeLessThan(to(-0.7 * sign));
      }
  });
});

test('neighbors of one lightness fail it', () => {
  expect(() => expectApart('#c8500a', '#00855f', 'groups')).toThrow('protan');
  expect(() => expectApart('#178a5a', '#b98a00', 'keys')).toThrow('protan');
});
