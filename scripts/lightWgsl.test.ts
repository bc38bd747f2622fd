import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lightened } from './lib/lightWgsl.ts';
import { ROOT } from './lib/process.mjs';
import { folds } from '../src/gpu/cut.ts';

/** The words of a text, as long as each can be. */
const WORDS =
  /[A-Za-z_]\w*|0x[\da-fA-F.]+(?:p[-+]?\d+)?[uf]?|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?[fhiu]?|<<=|>>=|&&|\|\||<<|>>|\+\+|--|->|[-+*/%&|^=!<>]=|\S/g;
const wordsOf = (text: string): string[] => text.replace(/\/\/.*$/gm, '').match(WORDS) ?? [];

test('WGSL that travels light has the words that people read', () => {
  const src = join(ROOT, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wgsl'));
  expect(files.length).toBeGreaterThan(200);
  for (const name of files) {
    const text = readFileSync(join(src, name), 'utf8');
    expect(wordsOf(lightened(text)), name).toEqual(wordsOf(text));
    // what is looked for in a text is found in either
    for (const [, entry] of text.matchAll(/@workgroup_size\(\w+\)\s*fn (\w+)\(/g))
      expect(folds(lightened(text), entry!), `${name}, ${entry}`).toBe(folds(text, entry!));
  }
  expect(lightened('fn f() { // all\n  a += b - -c * d;\n\n  if (a <= b && c >> 2u > -1) { x = y < z; }\n}')).toBe(
    'fn f(){\na+=b - -c*d;\nif (a<=b&&c>>2u>-1){x=y<z;}\n}',
  );
});
