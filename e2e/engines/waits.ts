import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleCli } from '../../scripts/lib/cli.mjs';
import type { Engine } from './engine.ts';

type Waits = { readonly deviceWait: typeof import('../../src/gpu/deviceWait.ts') };

/** Median of ten waits for an idle device in ms, in turn without and with what the lab does about timers. */
export async function mediansOfWaits(engine: Engine): Promise<{ plain: number; helped: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'horizon-waits-'));
  const module = readFileSync(await bundleCli('deviceWait', folder, 'src/gpu/deviceWait.ts'), 'utf8');
  const page = `<script type="module">import * as deviceWait from './module.js'; Object.assign(window, { deviceWait });</script>`;
  const server = createServer(({ url }, answer) => {
    const isModule = url === '/module.js';
    answer.writeHead(200, { 'Content-Type': isModule ? 'text/javascript' : 'text/html' });
    answer.end(isModule ? module : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await engine.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await engine.evaluate(async () => {
      const { measureGrain, whenDone } = (window as unknown as Waits).deviceWait;
      const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
      await measureGrain(device);
      const took: Record<'plain' | 'helped', number[]> = { plain: [], helped: [] };
      const time = async (kind: 'plain' | 'helped', wait: () => Promise<unknown>): Promise<void> => {
        const from = performance.now();
        await wait();
        took[kind].push(performance.now() - from);
      };
      for (let k = 0; k < 10; k++) {
        await time('plain', () => device.queue.onSubmittedWorkDone());
        await time('helped', () => whenDone(device.queue));
      }
      const median = (all: number[]): number => all.sort((a, b) => a - b)[5]!;
      return { plain: median(took.plain), helped: median(took.helped) };
    });
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
