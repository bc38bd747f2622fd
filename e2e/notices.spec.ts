import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

const DIST = join(import.meta.dirname, '..', 'dist');

/** Names of the packages of which something is in a script of the site, as its source maps tell. */
function bundled(): string[] {
  const assets = join(DIST, 'assets');
  const maps = readdirSync(assets).filter((name) => name.endsWith('.js.map'));
  const sources = maps.flatMap(
    (name) => (JSON.parse(readFileSync(join(assets, name), 'utf8')) as { sources: string[] }).sources,
  );
  const names = sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

test('every package in the site, and the levels of others, have their notice and license, which Help leads to', async ({
  lab,
  page,
  context,
}) => {
  await lab.open();
  await lab.button('Help').click();
  const [notices] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'their notices and licenses' }).click(),
  ]);
  await notices.waitForLoadState();
  expect(notices.url()).toBe(`${lab.site}third-party.txt`);
  const text = await notices.evaluate(() => document.body.innerText);
  const names = bundled();
  expect(names).toEqual(expect.arrayContaining(['react', 'recharts', 'comlink', 'valibot', 'fflate', 'idb']));
  const missing = names.filter((name) => !new RegExp(`^${name} \\S+ \\([^)]+\\)$`, 'm').test(text));
  expect(missing).toEqual([]);
  expect(text).toContain('google-deepmind/boxoban-levels');
  expect(text).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION');
  expect(text.match(/Permission is hereby granted/g)!.length).toBeGreaterThan(10);
});
