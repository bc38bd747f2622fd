import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/**
 * Words that sound translated, refused in texts that people read. These are the ones of the table in CONTRIBUTING.md that
 * have no good use at all; “behind”, “way” or “lies” have one, so an editor has to judge them.
 */
const REFUSED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bso (many|much) (as|of|episodes|steps|updates|seeds|rows)\b/i, 'that many, or the number'],
  [/\b(some|any)body\b/i, 'someone, anyone, you'],
  [/\bwho(so)?ever\b/i, 'anyone who'],
  [/\banew\b/i, 'again'],
  [/\b(goes|go|going|went|gone) on\b(?! to\b)/i, 'continue'],
  [/\ba(n)? \w+ of (its|their) own\b/i, 'its own …, a separate …'],
  [/\bin mid-(run|episode)\b/i, 'during a run, within an episode'],
  [/\bpresent (policy|state)\b/i, 'current'],
  [/\buntil there\b/i, 'up to there'],
  [/\blike(lier|liest)\b/i, 'more likely, most likely'],
  [/\bdata (are|were|come)\b/i, 'data is, was, came'],
  [/\bwork(ed|ing)? (it )?out\b/i, 'compute'],
  [/\bis no (part|command|kind|record|function)\b/i, 'is not a …'],
  [/\b(nothing|what|item|goal|key) lies\b|\blies (in|there|nowhere)\b/i, 'is'],
  [/\btells? (apart|best|most|whether)\b/i, 'shows, distinguishes'],
  [/colour|behaviour\b|neighbour|towards\b|\bgrey\b|favour/i, 'American spelling'],
];

const FOLDERS = ['ui', 'slots', 'networks', 'envs', 'config', 'monitor', 'cli', 'worker', 'lab'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => join(import.meta.dirname, folder, name)),
);

/** Every string, text of a template and text between tags that has at least two words; imports hold no such text. */
function textsOf(code: string, name: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { type?: string; value?: unknown };
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') texts.push(value);
    if (type === 'TemplateElement') texts.push((value as { cooked: string }).cooked);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(name, code).program);
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => /\p{L}{2}.* .*\p{L}/u.test(text));
}

/** What is wrong with a text, or nothing. */
const wrongIn = (text: string): string[] =>
  REFUSED.filter(([word]) => word.test(text)).map(
    ([word, instead]) => `“${word.exec(text)![0]}” (${instead}) in: ${text}`,
  );

test('texts that people read have none of the words that sound translated', () => {
  const texts = files.map((file) => textsOf(readFileSync(file, 'utf8'), file));
  // that texts are found at all: thousands of them, and this one between two tags
  expect(texts.flat().length).toBeGreaterThan(2000);
  expect(texts.flat()).toContain('How to read this page');
  const wrong = texts.flatMap((found, k) =>
    found.flatMap(wrongIn).map((why) => `${relative(import.meta.dirname, files[k]!)}: ${why}`),
  );
  expect(wrong).toEqual([]);
});

test('a text with such a word is found, in a string, a template and between tags', () => {
  const code = 'const a = "The run goes on."; const b = `${a} is drawn anew`; const c = <p>its data are old</p>;';
  expect(textsOf(code, 'a.tsx').flatMap(wrongIn)).toHaveLength(3);
  expect(textsOf('const a = "The run continues."; // somebody goes on', 'a.ts').flatMap(wrongIn)).toEqual([]);
});
