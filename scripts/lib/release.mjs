import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where released versions stay, below the newest one. */
const VERSIONS = 'v';

/** What a built site is: its service worker carries a hash of all of its files. */
const stampOf = (dir) => readFile(join(dir, 'sw.js'), 'utf8');

/**
 * Puts a built site into a tree of versions: at `v/<version>/`, where it stays for good, and as the newest at the top.
 * Versions that are there are left as they are; one that would change is refused.
 */
export async function release({ dist, site, version }) {
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) throw new Error(`“${version}” is not a version such as 1.2.3.`);
  if (!existsSync(join(dist, 'sw.js'))) throw new Error('There is no build to release; run npm run build first.');
  const own = join(site, VERSIONS, version);
  if (existsSync(own)) {
    if ((await stampOf(own)) !== (await stampOf(dist)))
      throw new Error(
        `Version ${version} is released already, and links to it must not change: raise the version in package.json.`,
      );
  } else {
    await mkdir(own, { recursive: true });
    await cp(dist, own, { recursive: true, preserveTimestamps: true });
  }
  for (const name of await readdir(site)) if (name !== VERSIONS) await rm(join(site, name), { recursive: true });
  await cp(dist, site, { recursive: true, preserveTimestamps: true });
  return (await readdir(join(site, VERSIONS))).sort();
}
