import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareTask } from '../../src/config/level.ts';
import { configWith } from '../../src/config/schema.ts';
import { must } from '../../src/core/problem.ts';
import { makeCpuBackend } from '../../src/engine/cpu/cpuBackend.ts';
import { createRun } from '../../src/engine/run.ts';
import type { LabApi } from '../lab.ts';
import { linkWith } from '../payload.ts';
import { servePlainly } from '../plainServer.ts';
import type { Engine } from './engine.ts';
import { complaints, finish, openPage } from './lab.ts';
import { serveBuilt } from './site.ts';

const UPDATES = 4;

/** The digest of the experiment of the link, in Node. */
async function digestOfNode(changes: Record<string, number> = {}): Promise<string> {
  const config = configWith({ 'run.updates': UPDATES, 'run.backend': 'cpu', ...changes });
  await prepareTask(config);
  const run = must(await createRun(config, makeCpuBackend));
  for (let u = 0; u < UPDATES; u++) await run.submit();
  const { all } = await run.digest();
  run.dispose();
  return all;
}

/**
 * A browser and the built site, for the tests of a file: what every browser has to do. `isolates`: all workers of a page are
 * asked of its service worker, so that this can isolate it.
 */
export function behaves(start: () => Promise<Engine>, isolates: boolean): () => { engine: Engine; site: string } {
  let [engine, site]: [Engine | null, Awaited<ReturnType<typeof serveBuilt>> | null] = [null, null];
  beforeAll(async () => {
    site = await serveBuilt();
    engine = await start();
  });
  afterAll(async () => {
    await engine?.close();
    await site?.close();
  });

  test('the site opens, is ready and complains of nothing', async () => {
    await openPage(engine!, site!.url);
    expect(await engine!.evaluate(() => document.title)).toMatch(/Horizon Lab/);
    expect(await engine!.evaluate(() => (window as unknown as { lab: LabApi }).lab.state())).toMatchObject({
      ...{ state: 'ready', update: 0, backend: 'cpu' },
    });
    expect(await complaints(engine!)).toEqual([]);
  });

  test('a link opens its experiment; trained to its end on the CPU path it has the digest of Node', async () => {
    await openPage(engine!, site!.url, linkWith({ run: { updates: UPDATES, backend: 'cpu' } }));
    const [here, inNode] = await Promise.all([finish(engine!), digestOfNode()]);
    expect(here).toBe(inNode);
    expect(await complaints(engine!)).toEqual([]);
  });

  test('one seed spread over three cores has the digest of Node, whether or not workers can share memory', async () => {
    // its batches are large enough for three
    const rollout = { groupSize: 8, tasksPerBatch: 8 };
    await engine!.evaluate(() => sessionStorage.setItem('cores', '4'));
    await openPage(engine!, site!.url, linkWith({ rollout, run: { updates: UPDATES, seeds: 1, backend: 'cpu' } }));
    const inNode = digestOfNode({ 'run.seeds': 1, 'rollout.groupSize': 8, 'rollout.tasksPerBatch': 8 });
    const here = await finish(engine!);
    const used = await engine!.evaluate(() => document.querySelector<HTMLElement>('[title^="CPU"]')!.title);
    await engine!.evaluate(() => sessionStorage.removeItem('cores'));
    expect([here, used]).toEqual([await inNode, 'CPU (SIMD), 3 cores']);
    expect(await complaints(engine!)).toEqual([]);
  });

  test('a host that sends no headers: seeds, and the rows of one, have the digests of Node, also on the second visit, which is isolated where that can be', async () => {
    const host = await servePlainly('dist', '/');
    const isIsolated = (): Promise<boolean> => engine!.evaluate(() => crossOriginIsolated);
    const train = async (seeds: number): Promise<void> => {
      await openPage(engine!, host.url, linkWith({ run: { updates: UPDATES, seeds, backend: 'cpu' } }));
      const [here, inNode] = await Promise.all([finish(engine!), digestOfNode({ 'run.seeds': seeds })]);
      expect(here).toBe(inNode);
    };
    try {
      await openPage(engine!, host.url);
      expect(await isIsolated()).toBe(false);
      await engine!.evaluate(async () => {
        sessionStorage.setItem('cores', '4');
        while (!navigator.serviceWorker.controller) await new Promise((later) => setTimeout(later, 100));
      });
      for (const seeds of [3, 1]) {
        await train(seeds);
        expect(await isIsolated()).toBe(isolates);
      }
      await engine!.evaluate(() => sessionStorage.removeItem('cores'));
    } finally {
      await host.close();
    }
  });

  return () => ({ engine: engine!, site: site!.url });
}
