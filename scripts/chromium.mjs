// Finds a Chromium for the tests, or installs one where that is allowed. Prints its path.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, tool } from './lib/process.mjs';

const PROGRAMS = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean);
/** Chromium without windows: a page opens at half of what it costs in the whole browser. */
const SHELL = { package: 'chromium-headless-shell', path: '/usr/bin/chromium-headless-shell' };
const PLACES = {
  linux: [
    SHELL.path,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/opt/google/chrome/chrome',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: PROGRAMS.flatMap((folder) => [
    join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ]),
};
const MINUTE = 60_000;
const HOW =
  'No Chromium was found for the browser tests: install Chromium or Chrome (Debian: apt-get install chromium), ' +
  'or set CHROMIUM_PATH to its program file.';

/** Where Playwright keeps its own browser, or null before it was downloaded. */
async function playwrights() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return existsSync(path) ? path : null;
}

/** True when the program starts: a downloaded browser may lack system libraries. */
async function starts(path) {
  if (process.platform === 'win32') return true; // prints nothing there
  const { code } = await run(path, ['--version'], { show: false, timeoutMs: MINUTE });
  return code === 0;
}

/** Path of a Chromium that starts, or null. `CHROMIUM_PATH` is taken at its word; `isWhole`: not the shell. */
export async function findChromium(isWhole = false) {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, and there is no such file.`);
    return named;
  }
  for (const path of [await playwrights(), ...(PLACES[process.platform] ?? [])]) {
    if (isWhole && path === SHELL.path) continue;
    if (path && existsSync(path) && (await starts(path))) return path;
  }
  return null;
}

/**
 * Finds a Chromium, else downloads Playwright's, else installs Debian's; throws with one sentence. `isWhole`: the shell, which
 * cannot measure the memory of a page, does not do.
 */
export async function ensureChromium(isWhole = false) {
  let found = await findChromium(isWhole);
  // the whole browser of Debian does, but its shell has the tests done in half of the time
  if (found === '/usr/bin/chromium' && !isWhole && !process.env.CHROMIUM_PATH) {
    found = (await installed(false, SHELL.package)) ?? found;
  }
  if (found) return found;

  console.log('No Chromium found; trying to download one …');
  await tool('playwright', ['install', 'chromium'], { timeoutMs: 5 * MINUTE });
  const packages = isWhole ? ['chromium'] : [SHELL.package, 'chromium'];
  found = (await findChromium(isWhole)) ?? (await installed(isWhole, ...packages));
  if (found) return found;
  throw new Error(HOW);
}

/** The Chromium that is there after the first of these packages of Debian that can be installed, or null. */
async function installed(isWhole, ...packages) {
  if (!isDebian() || process.getuid?.() !== 0) return null;
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, show: false, timeoutMs: 10 * MINUTE };
  console.log(`Installing ${packages[0]} of Debian …`);
  const list = await run('apt-get', FRESH_LISTS, options);
  if (list.code !== 0) return null;
  for (const name of packages) {
    const { code } = await run('apt-get', ['install', '-y', '--no-install-recommends', name], options);
    if (code === 0) return findChromium(isWhole);
  }
  return null;
}

/** Words for apt-get. Without retries it takes the browser of a year ago where one server did not answer at once, and succeeds. */
export const FRESH_LISTS = ['-o', 'Acquire::Retries=5', 'update'];

/** Ubuntu's package of the same name is only a pointer to a snap, so the id must be Debian's own. */
export function isDebian() {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(await ensureChromium());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
