// Installs the packages of the lock file when they are missing or differ from it. Needs only Node and npm.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm, ROOT } from './lib/process.mjs';

const OLDEST = [20, 19];

/** A sentence when this Node is too old for the build tools, else null. */
export function nodeProblem(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null;
  return `Horizon Lab needs Node ${OLDEST.join('.')} or newer; this is Node ${version}.`;
}

/** True when node_modules holds exactly what package-lock.json asks for (optional packages may be missing). */
export function isInstalled(root = ROOT) {
  const hidden = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '') continue;
    const there = found[path];
    if (there ? there.version !== version : !optional && !devOptional) return false;
    if (there && !existsSync(join(root, path, 'package.json'))) return false;
  }
  return true;
}

/** Makes node_modules agree with the lock file; throws with a sentence when that is impossible. */
export async function ensureInstalled() {
  const old = nodeProblem();
  if (old) throw new Error(old);
  if (isInstalled()) return;
  console.log('Installing the packages of package-lock.json …');
  const { code } = await npm(['ci', '--no-audit', '--no-fund'], { timeoutMs: 15 * 60_000 });
  if (code !== 0) throw new Error('The packages could not be installed; the lines above say why.');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await ensureInstalled();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
