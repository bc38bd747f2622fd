// Builds the site and adds it to a folder of versions: the newest at the top, each at v/<version>/ (docs/embed.md).
//
//   node scripts/release.mjs [--site site] [--no-build]
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, tool } from './lib/process.mjs';
import { release } from './lib/release.mjs';

const { values } = parseArgs({
  options: { site: { type: 'string', default: 'site' }, 'no-build': { type: 'boolean', default: false } },
});
try {
  if (!values['no-build'] && (await tool('vite', ['build', '--logLevel', 'warn'])).code !== 0)
    throw new Error('The site could not be built; the lines above say why.');
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const site = resolve(values.site);
  const versions = await release({ dist: join(ROOT, 'dist'), site, version });
  console.log(`${site} has version ${version} as its newest, and keeps: ${versions.join(', ')}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
