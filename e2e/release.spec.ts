import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { release } from '../scripts/lib/release.mjs';
import { serve } from '../scripts/serve.mjs';
import { expect, test } from './fixtures.ts';
import { Lab } from './lab.ts';

test.use({ serviceWorkers: 'allow', ahead: true });

/** A copy of the built site, without the maps of its sources: they are two thirds of it, and no page asks for them. */
async function build(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'build-'));
  await cp('dist', dir, { recursive: true, filter: (name) => !name.endsWith('.map') });
  return dir;
}

/** The same under another title, as an older release would be another build. */
async function olderBuild(): Promise<string> {
  const dir = await build();
  const [html, worker] = [join(dir, 'index.html'), join(dir, 'sw.js')];
  for (const ending of ['.br', '.gz']) for (const file of [html, worker]) await rm(file + ending, { force: true });
  await writeFile(html, (await readFile(html, 'utf8')).replace('<title>Horizon Lab', '<title>Older Horizon Lab'));
  await writeFile(worker, (await readFile(worker, 'utf8')).replace(/VERSION = '\w+'/, "VERSION = 'older'"));
  return dir;
}

const isSaved = (page: Page) => () =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active ? new URL(registration.scope).pathname : null;
  });
const title = (page: Page) =>
  page.evaluate(async () => (await (await fetch('./')).text()).match(/<title>(.*)<\/title>/)![1]);

test('released versions in a sub-folder of a host do not disturb each other, also without a connection', async ({
  context,
}) => {
  const root = await mkdtemp(join(tmpdir(), 'host-'));
  const site = join(root, 'course/lab');
  await mkdir(site, { recursive: true });
  const [older, newer] = await Promise.all([olderBuild(), build()]);
  await release({ dist: older, site, version: '0.0.9' });
  expect(await release({ dist: newer, site, version: '0.1.0' })).toEqual(['0.0.9', '0.1.0']);
  const server = await serve({ dir: root });
  try {
    const places = [
      ['/course/lab/', 'Horizon Lab'],
      ['/course/lab/v/0.0.9/', 'Older Horizon Lab'],
      ['/course/lab/v/0.1.0/', 'Horizon Lab'],
    ] as const;
    const page = await context.newPage();
    for (const [path] of places) {
      await new Lab(page, `${server.url.slice(0, -1)}${path}`).open();
      await expect.poll(isSaved(page)).toBe(path);
    }
    // each has kept its own files and has left those of the others
    expect((await page.evaluate(() => caches.keys())).map((name) => name.replace(/[0-9a-f]{16}$/, '…')).sort()).toEqual(
      [
        'horizon-lab site /course/lab/ …',
        'horizon-lab site /course/lab/v/0.0.9/ older',
        'horizon-lab site /course/lab/v/0.1.0/ …',
      ],
    );
    await context.setOffline(true);
    for (const [path, name] of places) {
      const lab = new Lab(page, `${server.url.slice(0, -1)}${path}`);
      await lab.open();
      expect(await title(page)).toBe(name);
      await lab.load({ 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2, 'run.updates': 2, 'run.backend': 'cpu' });
      await lab.finish();
    }
  } finally {
    await server.close();
    await Promise.all([root, older, newer].map((dir) => rm(dir, { recursive: true })));
  }
});
