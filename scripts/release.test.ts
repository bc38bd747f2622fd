import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { release } from './lib/release.mjs';

const root = await mkdtemp(join(tmpdir(), 'release-'));
afterAll(() => rm(root, { recursive: true }));

async function built(name: string): Promise<string> {
  const dir = await mkdtemp(join(root, 'dist-'));
  await Promise.all(['index.html', 'sw.js', `${name}.js`].map((file) => writeFile(join(dir, file), name)));
  return dir;
}

test('every release stays where it is, the newest is also at the top, and none changes', async () => {
  const site = await mkdtemp(join(root, 'site-'));
  const [one, two] = [await built('one'), await built('two')];
  expect(await release({ dist: one, site, version: '0.1.0' })).toEqual(['0.1.0']);
  expect(await release({ dist: one, site, version: '0.1.0' })).toEqual(['0.1.0']);
  expect(await release({ dist: two, site, version: '0.2.0' })).toEqual(['0.1.0', '0.2.0']);
  expect((await readdir(site)).sort()).toEqual(['index.html', 'sw.js', 'two.js', 'v']);
  expect(await readFile(join(site, 'v/0.1.0/index.html'), 'utf8')).toBe('one');
  expect(await readFile(join(site, 'v/0.2.0/two.js'), 'utf8')).toBe('two');
  await expect(release({ dist: two, site, version: '0.1.0' })).rejects.toThrow(/0\.1\.0 is released already/);
  await expect(release({ dist: two, site, version: '../x' })).rejects.toThrow(/not a version/);
  await expect(release({ dist: site + '/none', site, version: '0.3.0' })).rejects.toThrow(/no build/);
  expect(await readFile(join(site, 'v/0.1.0/index.html'), 'utf8')).toBe('one');
});
