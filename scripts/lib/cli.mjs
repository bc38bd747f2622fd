// Bundles a command of src/cli (TypeScript and WGSL) into .cache/cli and runs it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled } from '../install.mjs';
import { ROOT } from './process.mjs';

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
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
