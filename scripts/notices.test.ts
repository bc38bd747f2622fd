import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noticesOf, noticesText } from './lib/notices.ts';

/** A project with these packages; `text` is what stands in the license file, null where there is none. */
function project(packages: Readonly<Record<string, string | null>>): string {
  const root = mkdtempSync(join(tmpdir(), 'horizon-lab-'));
  for (const [name, text] of Object.entries(packages)) {
    const folder = join(root, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }));
    if (text !== null) writeFileSync(join(folder, 'LICENSE.md'), text);
  }
  return root;
}

test('packages of a build are named with their words, the same words once', () => {
  const root = project({ a: 'be kind', '@b/c': 'be kind', d: 'be fair', unused: 'no' });
  const modules = ['a/x.js', '@b/c/deep/y.js', '@b/c/z.js', 'd/node_modules/a/x.js'].map(
    (m) => `${root}/node_modules/${m}`,
  );
  mkdirSync(join(root, 'node_modules', 'd', 'node_modules', 'a'), { recursive: true });
  writeFileSync(
    join(root, 'node_modules', 'd', 'node_modules', 'a', 'package.json'),
    JSON.stringify({ name: 'a', version: '0.9.0', license: 'ISC' }),
  );
  writeFileSync(join(root, 'node_modules', 'd', 'node_modules', 'a', 'LICENSE'), 'be brief');
  const found = noticesOf(root, [...modules, `${root}/src/own.ts`]);
  expect(found.map(({ name, license }) => `${name} ${license}`)).toEqual([
    '@b/c 1.2.3 MIT',
    'a 0.9.0 ISC',
    'a 1.2.3 MIT',
  ]);
  const text = noticesText(found);
  expect(text).toContain('@b/c 1.2.3 (MIT)\na 1.2.3 (MIT)\n\nbe kind\n');
  expect(text.match(/be kind/g)).toHaveLength(1);
  expect(text).toContain('a 0.9.0 (ISC)\n\nbe brief\n');
});

test('data of others in our own folders, and what build tools add, have their words', () => {
  const root = project({ vite: 'of vite\n\n# Licenses of bundled dependencies\nmuch else' });
  const folder = join(root, 'src', 'levels');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'README.md'), 'levels of somebody');
  writeFileSync(join(folder, 'LICENSE'), 'keep this');
  const found = noticesOf(root, [`${folder}/hard.txt`, '\0vite/preload-helper.js']);
  expect(found.map(({ name, text }) => [name, text])).toEqual([
    ['levels', 'levels of somebody\n\nkeep this'],
    ['vite 1.2.3', 'of vite'],
  ]);
});

test('a package without a license text ends the build', () => {
  const root = project({ silent: null });
  expect(() => noticesOf(root, [`${root}/node_modules/silent/x.js`])).toThrow('silent is part of the site');
});
