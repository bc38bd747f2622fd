// Bundles a command of src/cli (TypeScript and WGSL) into .cache/cli and runs it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../install.mjs';
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

/** Runs src/cli/<name>.ts with the given words; resolves with its exit code. */
export async function runCli(name, words) {
  try {
    await ensureInstalled();
    const { build } = await import('vite');
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        ssr: join(ROOT, 'src', 'cli', `${name}.ts`),
        outDir: join(ROOT, '.cache', 'cli', name),
        emptyOutDir: true,
        target: 'node20',
        minify: false,
        rolldownOptions: { external: ['webgpu'], output: { entryFileNames: `${name}.mjs` } },
      },
      ssr: { noExternal: true, external: ['webgpu'] },
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, '.cache', 'cli', name, `${name}.mjs`), ...words], {
      stdio: 'inherit',
      env: { ...process.env, ...vulkanEnvironment() },
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
