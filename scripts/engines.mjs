// Finds the browsers and the runtime of the test step "engines", or installs them where that is allowed. Prints what is there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FRESH_LISTS, isDebian } from './chromium.mjs';
import { npm, ROOT, run } from './lib/process.mjs';

const DENO = '2.9.6';
const DENO_HOME = join(ROOT, '.cache', `deno-${DENO}`);
const DENO_PACKAGE = `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`;

/** Where each is looked for, the variable that names another place, and Debian's package or npm's. */
const PARTS = {
  firefox: {
    env: 'FIREFOX_PATH',
    places: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
    debian: 'firefox-esr',
    // the first of Debian's with WebGPU
    oldest: 153,
  },
  llvmpipe: {
    env: 'LLVMPIPE_ICD',
    places: ['x86_64', 'aarch64'].map((arch) => `/usr/share/vulkan/icd.d/lvp_icd.${arch}.json`),
    debian: 'mesa-vulkan-drivers',
  },
  webkit: { env: 'WEBKIT_DRIVER_PATH', places: ['/usr/bin/WebKitWebDriver'], debian: 'webkit2gtk-driver' },
  xvfb: { env: 'XVFB_PATH', places: ['/usr/bin/Xvfb'], debian: 'xvfb' },
  deno: {
    env: 'DENO_PATH',
    places: [
      join(DENO_HOME, 'node_modules', ...DENO_PACKAGE.split('/'), 'deno'),
      '/usr/local/bin/deno',
      '/usr/bin/deno',
    ],
    npm: `${DENO_PACKAGE}@${DENO}`,
  },
};

/** Path of a part, or null. A variable is taken at its word. */
export function findEngine(part) {
  const { env, places } = PARTS[part];
  const named = process.env[env];
  if (named) return existsSync(named) ? named : null;
  return places.find((path) => existsSync(path)) ?? null;
}

/** Why a test that needs these parts is skipped, in words for its name; null where all are there. */
export function missing(...parts) {
  const lacking = parts.filter((part) => findEngine(part) === null);
  if (lacking.length === 0) return null;
  const how = lacking.map((part) => {
    const { env, debian, npm: name } = PARTS[part];
    return `${debian ? `install ${debian}` : `npm install ${name}`} or set ${env} to its file`;
  });
  return `no ${lacking.join(', no ')} is here: ${how.join('; ')}`;
}

/** True where a part is there in a version that the tests cannot use in full. A path that a variable names is taken at its word. */
async function isOld(part) {
  const { env, oldest } = PARTS[part];
  const path = findEngine(part);
  if (!oldest || path === null || process.env[env]) return false;
  const { output } = await run(path, ['--version'], { show: false, timeoutMs: 60_000 });
  return Number(/\d+/.exec(output)?.[0] ?? oldest) < oldest;
}

/** Installs what is missing or too old: Debian's packages as root, and Deno from npm into .cache. Tells what stays missing. */
export async function ensureEngines() {
  const lacking = [];
  for (const part of Object.keys(PARTS)) if (findEngine(part) === null || (await isOld(part))) lacking.push(part);
  const packages = lacking.map((part) => PARTS[part].debian).filter(Boolean);
  if (packages.length > 0 && isDebian() && process.getuid?.() === 0) {
    console.log(`Installing ${packages.join(', ')} of Debian …`);
    const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, show: false, timeoutMs: 10 * 60_000 };
    const list = await run('apt-get', FRESH_LISTS, options);
    // one that cannot be installed must not take the others with it
    if (list.code === 0)
      for (const name of packages) await run('apt-get', ['install', '-y', '--no-install-recommends', name], options);
  }
  if (lacking.includes('deno')) {
    console.log(`Installing ${PARTS.deno.npm} into .cache …`);
    const words = ['install', '--prefix', DENO_HOME, '--ignore-scripts', '--no-audit', '--no-fund', PARTS.deno.npm];
    await npm(words, { show: false, timeoutMs: 5 * 60_000 });
  }
  return missing(...Object.keys(PARTS));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problem = await ensureEngines();
  for (const part of Object.keys(PARTS)) console.log(`${part}: ${findEngine(part) ?? 'not here'}`);
  if (problem) process.exitCode = 1;
}
