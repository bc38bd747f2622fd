import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { filesOffline } from '../scripts/lib/offline.ts';
import { serve } from '../scripts/serve.mjs';
import { expect, test } from './fixtures.ts';
import { Lab } from './lab.ts';

test.use({ serviceWorkers: 'allow', ahead: true });

const SMALL = { 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2, 'run.updates': 3, 'run.backend': 'cpu' };

/** The site of this version is kept: its service worker is active, or waits. */
const isSaved = (page: Page, which: 'active' | 'waiting') => () =>
  page.evaluate(async (w) => Boolean((await navigator.serviceWorker.getRegistration())?.[w]), which);

test('after the first visit the lab opens and trains without a connection, and everything that is loaded only when it is wanted is there', async ({
  lab,
  page,
  context,
}) => {
  await lab.open();
  await lab.load(SMALL);
  const digest = await lab.finish();
  await expect.poll(isSaved(page, 'active')).toBe(true);
  const kept = await page.evaluate(async () => {
    const cache = await caches.open((await caches.keys())[0]!);
    return (await cache.keys()).map(({ url }) => url);
  });
  expect(kept.map((url) => url.slice(lab.site.length) || './').sort()).toEqual(filesOffline('dist'));
  // another visit, which has loaded nothing ahead, on a machine with three cores
  await page.addInitScript(() => sessionStorage.setItem('cores', '3'));
  await context.setOffline(true);
  await lab.reload();
  expect(await page.evaluate(() => navigator.onLine)).toBe(false);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await lab.load(SMALL);
  expect(await lab.finish()).toBe(digest);
  const dialog = page.getByRole('dialog');
  const closes = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  };
  await lab.experiment().click();
  await expect(dialog.getByRole('button', { name: /^Corridor of 12/ })).toBeVisible();
  await closes();
  await lab.load({ ...SMALL, 'run.seeds': 2 });
  await lab.finish();
  await lab.openShare();
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await dialog.getByRole('tab', { name: 'Files' }).click();
  await dialog.getByRole('checkbox', { name: /Parquet/ }).check();
  await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save bundle' }).click()]);
  await closes();
  await lab.button('Help').click();
  await dialog.getByRole('button', { name: 'Storage' }).click();
  await expect(page.getByRole('dialog', { name: /storage/i })).toBeVisible();
  await closes();
  await lab.button('Edit this level').click();
  await expect(dialog.getByRole('button').first()).toBeVisible();
  await closes();
  for (const name of await page.getByRole('tab').allTextContents()) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.getByRole('tabpanel')).not.toBeEmpty();
  }
  await lab.button('Compare estimators').click();
  await expect(page.getByText('Everything has been computed.')).toBeVisible();
  // a comparison trains in workers on the other cores
  await lab.load({ ...SMALL, 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1 });
  await lab.button('Compare settings').click();
  await lab.button('Learning rates').click();
  await page.getByRole('spinbutton', { name: 'Seeds', exact: true }).fill('1');
  await page.getByRole('spinbutton', { name: 'Updates', exact: true }).fill('3');
  await lab.button('Start comparison').click();
  await page.getByRole('link', { name: 'See results' }).click();
  await expect(page.getByRole('checkbox', { name: /^Select/ }).first()).toBeVisible();
  await page.goto(`${lab.site}#/trajectories`);
  await lab.button('An agent in a house').click();
  await expect(page.locator('.logstrips figure').first()).toBeVisible();
  await page.goto(`${lab.site}#/lab`);
  await lab.load(SMALL);
  await lab.button('Show setup').click();
  await lab.button('Write your own formula').click();
  await expect(dialog.locator('.cm-content')).toBeVisible();
  await context.setOffline(false);
});

/** The site under another title, with the service worker that a newer build would have. */
async function makeNewer(dir: string): Promise<void> {
  const [html, worker] = [join(dir, 'index.html'), join(dir, 'sw.js')];
  for (const ending of ['.br', '.gz']) for (const file of [html, worker]) await rm(file + ending, { force: true });
  await writeFile(html, (await readFile(html, 'utf8')).replace('<title>Horizon Lab', '<title>Newer Horizon Lab'));
  await writeFile(worker, (await readFile(worker, 'utf8')).replace(/VERSION = '\w+'/, "VERSION = 'newer'"));
}

/** The title that the site of a page has, whoever answers for it. */
const titleAt = (page: Page): Promise<string> =>
  page.evaluate(async () => (await (await fetch('./')).text()).match(/<title>(.*)<\/title>/)![1]!);

test('a version that comes during a run is said in one sentence, the run ends as if nothing had come, and it waits until no page of the old one is open', async ({
  context,
}) => {
  const dir = await mkdtemp(join(tmpdir(), 'site-'));
  // no page asks for the maps of its sources
  await cp('dist', dir, { recursive: true, filter: (name) => !name.endsWith('.map') });
  const server = await serve({ dir });
  try {
    const page = await context.newPage();
    const lab = new Lab(page, server.url);
    await lab.open();
    await expect.poll(isSaved(page, 'active')).toBe(true);
    const config = { ...SMALL, 'run.updates': 100 };
    const waits = page.getByRole('note').filter({ hasText: 'A newer version of the lab waits.' });
    await test.step('during a run', async () => {
      await lab.load(config);
      // slowly, so that it is not over before the new version is there
      const pace = page.getByRole('combobox', { name: 'Pace' });
      await pace.selectOption('Slow');
      await lab.runButton.click();
      await lab.reaches(3);
      await makeNewer(dir);
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update());
      await expect(waits).toContainText('This page and its run continue as they are.');
      await pace.selectOption('Full speed');
      await lab.becomes('finished');
      const { result } = await lab.digest();
      expect(await isSaved(page, 'waiting')()).toBe(true);
      // closed, it does not come back with a reset
      await waits.getByRole('button', { name: /^Close/ }).click();
      await expect(waits).toHaveCount(0);
      await lab.load(config);
      expect(await lab.finish()).toBe(result);
      await expect(waits).toHaveCount(0);
    });

    await test.step('until no page of the old version is open', async () => {
      await lab.reload();
      await expect(waits).toContainText('close every tab of the lab and open it again');
      expect(await titleAt(page)).toBe('Horizon Lab');
      await page.goto('about:blank');
      await page.close();
      // the browser hands over when it has ended the last page, which takes a moment
      const titleThen = async (): Promise<string> => {
        const then = await context.newPage();
        await then.goto(server.url);
        const title = await titleAt(then);
        await then.close();
        return title;
      };
      await expect.poll(titleThen).toBe('Newer Horizon Lab');
      const next = new Lab(await context.newPage(), server.url);
      await next.open();
      await next.hasLoadedAhead();
      await expect(next.page.getByRole('note').filter({ hasText: 'newer version' })).toHaveCount(0);
    });
  } finally {
    await server.close();
    await rm(dir, { recursive: true });
  }
});
