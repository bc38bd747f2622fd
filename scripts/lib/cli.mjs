// Bundles a command of src/cli (TypeScript and WGSL) into .cache/cli and runs it.
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../install.mjs';
import { commitDefined } from './commit.mjs';
import { attend, isAlive } from './attend.mjs';
import { lessonYaml } from './lessonYaml.mjs';
import { ROOT } from './process.mjs';

/**
 * Dawn needs a Vulkan loader. Where the system has none, the one that Chromium brings along serves; it is linked into a
 * folder of its own, because Chromium's other libraries must not be found.
 */
function vulkanEnvironment() {
  const loader = '/usr/lib/chromium/libvulkan.so.1';
  const has = [
    '/usr/lib/x86_64-linux-gnu/libvulkan.so.1',
    '/usr/lib/aarch64-linux-gnu/libvulkan.so.1',
    '/usr/lib64/libvulkan.so.1',
  ].some(existsSync);
  if (process.platform !== 'linux' || has || !existsSync(loader)) return {};
  const folder = join(ROOT, '.cache', 'vulkan');
  mkdirSync(folder, { recursive: true });
  const link = join(folder, 'libvulkan.so.1');
  if (!existsSync(link)) symlinkSync(loader, link);
  return { LD_LIBRARY_PATH: [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') };
}

/** Stay what they are: a native module, and tools that find their own files. */
const EXTERNAL = ['webgpu', 'vite', 'playwright', 'bullmq', 'ioredis'];

/** A bundle of its own for every process: two commands at the same time do not take each other's away. */
const BUNDLES = join(ROOT, '.cache', 'cli');

/** Ends the bundles of processes that ended without doing so themselves. */
function sweep() {
  if (!existsSync(BUNDLES)) return;
  for (const name of readdirSync(BUNDLES)) {
    const pid = Number(/-(\d+)$/.exec(name)?.[1]);
    if (!isAlive(pid)) rmSync(join(BUNDLES, name), { recursive: true, force: true });
  }
}

/** Bundles a command of src/cli into a folder, as one file that Node runs. */
export async function bundleCli(name, folder, entry = `src/cli/${name}.ts`) {
  const { build } = await import('vite');
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: commitDefined(ROOT),
    plugins: [lessonYaml],
    build: {
      ssr: join(ROOT, entry),
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: { external: EXTERNAL, output: { entryFileNames: `${name}.mjs` } },
    },
    ssr: { noExternal: true, external: EXTERNAL },
  });
  return join(folder, `${name}.mjs`);
}

/** Bundles a command, src/cli/<name>.ts where no file is named, and runs it with the words; resolves with its exit code. */
export async function runCli(name, words, entry) {
  const folder = join(BUNDLES, `${name}-${process.pid}`);
  try {
    await ensureInstalled();
    sweep();
    const file = await bundleCli(name, folder, entry);
    return await attend(process.execPath, [file, ...words], vulkanEnvironment());
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
