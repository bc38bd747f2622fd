import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleCli } from '../../scripts/lib/cli.mjs';
import type { Engine } from './engine.ts';

/** Opens an empty page with what a file of this repository exports in `window.module`, for as long as `work` goes on. */
export async function withModule<R>(engine: Engine, entry: string, work: () => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), 'horizon-module-'));
  await bundleCli('module', folder, entry);
  const page = `<script type="module">import * as module from './module.mjs'; Object.assign(window, { module });</script>`;
  const server = createServer(({ url }, answer) => {
    const file = join(folder, url!);
    const isModule = url !== '/';
    answer.writeHead(isModule && !existsSync(file) ? 404 : 200, {
      'Content-Type': isModule ? 'text/javascript' : 'text/html',
    });
    if (!isModule) answer.end(page);
    else answer.end(existsSync(file) ? readFileSync(file) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await engine.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await work();
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
