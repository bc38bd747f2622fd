import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from './browser.ts';

const RUN = `#!/bin/sh
# Runs the benchmarks with the Node of this folder; words are those of the command, see README.md.
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/node" "$here/.cache/cli/bench/bench.mjs" "$@" --node
`;

/** A folder with everything that the Node form needs on a machine like this one: bundle, Dawn, WebAssembly of tfjs, Node. */
export async function pack(folder: string): Promise<void> {
  const bundle = dirname(process.argv[1]!);
  const wasm = join('node_modules', '@tensorflow', 'tfjs-backend-wasm', 'dist');
  const dawn = join('dist', `${process.platform}-${process.platform === 'darwin' ? 'universal' : process.arch}`);
  await mkdir(folder, { recursive: true });
  // the bundle finds its files three folders above itself, as it does here
  await cp(bundle, join(folder, '.cache', 'cli', 'bench'), { recursive: true });
  for (const name of ['index.js', 'package.json', 'LICENSE.md', dawn])
    await cp(join(ROOT, 'node_modules', 'webgpu', name), join(folder, 'node_modules', 'webgpu', name), {
      recursive: true,
    });
  await cp(join(ROOT, wasm), join(folder, wasm), {
    recursive: true,
    filter: (path) => !/\.(js|map|d\.ts)$/.test(path),
  });
  await cp(join(ROOT, 'bench', 'README.md'), join(folder, 'README.md'));
  await cp(process.execPath, join(folder, 'node'), { dereference: true });
  await writeFile(join(folder, 'run.sh'), RUN);
  await chmod(join(folder, 'run.sh'), 0o755);
}
