import { expect, test } from 'vitest';
import { keyingOf } from './keys.ts';
import { patternOf } from './pattern.ts';
import { Clusters, similarity } from '../core/likeness.ts';
import { lines, mustRead } from './sampleLogs.ts';
import type { KeyRule } from './types.ts';

/** How many different states two texts are under a rule. */
function states(rule: KeyRule, ...texts: readonly string[]): number {
  const keying = keyingOf(rule);
  if (typeof keying === 'string') throw new Error(keying);
  return new Set(texts.map((text) => keying.keyOf(text, 0))).size;
}

test('states are the same by their text, by their words, without their numbers, or by what a pattern finds', () => {
  const [a, b, c] = ['Room 3\n  is dark', 'room 3 is dark', 'room 12 is dark'];
  expect(states({ kind: 'exact' }, a, b, c)).toBe(3);
  expect(states({ kind: 'spaces' }, a, b, c)).toBe(2);
  expect(states({ kind: 'digits' }, a, b, c)).toBe(1);
  expect(states({ kind: 'pattern', pattern: 'room (\\d)' }, a, b, c)).toBe(2);
  expect(states({ kind: 'similar', threshold: 0.85 }, a, b, c)).toBe(1);
});

test('a text without the pattern is compared as a whole, which is said', async () => {
  const rows = ['at room 1', 'in room 1', 'lost', 'lost'].map((observation, step) => ({
    episode: 'a',
    step,
    reward: 1,
    observation,
  }));
  const { table, found } = await mustRead(
    { 'x.jsonl': lines(...rows) },
    { key: { kind: 'pattern', pattern: 'room \\d' } },
  );
  const keys = Array.from({ length: 4 }, (_, k) => `${table.stateKey![2 * k]} ${table.stateKey![2 * k + 1]}`);
  expect([keys[0] === keys[1], keys[2] === keys[3], keys[0] === keys[2]]).toEqual([true, true, false]);
  expect(found.notes).toContain('The pattern was not found in 2 states; these are compared by their whole text.');
});

test.each([
  ['(a+)+b', 'repeats a group'],
  ['(a|aa)*$', 'repeats a group'],
  ['((a*)b)*', 'repeats a group'],
  ['(?:x*){2,}', 'repeats a group'],
  ['.*.*.*.*x', 'open repetitions'],
  ['(a)\\1', 'refers back'],
  ['(?<n>a)\\k<n>', 'refers back'],
  ['(?=a)b', 'looks ahead'],
  ['(?<!a)b', 'looks ahead'],
  ['(', 'not a regular expression'],
  ['', 'is empty'],
  ['a'.repeat(201), 'longer than 200'],
])('the pattern %s is refused', (source, why) => {
  const found = patternOf(source);
  expect(found.ok ? 'taken' : found.sentence).toContain(why);
});

test.each([
  ['url: (\\S+)', 'page url: shop/3 more', 'shop/3'],
  ['[a-z]+_\\d{1,3}', 'item_42 is here', 'item_42'],
  ['(on|in) the (\\w+)', 'a book ON the desk', 'ON\ndesk'],
  ['a??b', 'ab', 'ab'],
])('the pattern %s finds its match', (source, text, want) => {
  const found = patternOf(source);
  expect(found.ok && found.find(text)).toBe(want);
});

test('likeness is that of Ratcliff and Obershelp', () => {
  // shared blocks: WIKIM, then IA: 2·7/(9 + 9)
  expect(similarity('WIKIMEDIA', 'WIKIMANIA')).toBeCloseTo(14 / 18, 12);
  expect(similarity('abcd', 'bcde')).toBeCloseTo(0.75, 12);
  expect([similarity('', ''), similarity('a', ''), similarity('same', 'same')]).toEqual([1, 0, 1]);
});

test('a text joins the first cluster that is like it, and never one of another task', () => {
  const clusters = new Clusters(0.75);
  expect(['abcd', 'bcde', 'cdef', 'abcd'].map((text) => clusters.headOf(0, text))).toEqual([
    'abcd',
    'abcd',
    'cdef',
    'abcd',
  ]);
  expect(clusters.headOf(1, 'bcde')).toBe('bcde');
});

test('comparisons are bounded: then only equal texts are the same', () => {
  const heads = ['abcd', 'bcde', 'bcde', 'cdef'];
  const all = new Clusters(0.75);
  expect(heads.map((text) => all.headOf(0, text))).toEqual(['abcd', 'abcd', 'abcd', 'cdef']);
  expect(all.isCut).toBe(false);
  const none = new Clusters(0.75, 0);
  expect(heads.map((text) => none.headOf(0, text))).toEqual(heads);
  expect(none.isCut).toBe(true);
});
