import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Response } from '@playwright/test';
import { expect, test, watch } from './fixtures.ts';
import { Lab } from './lab.ts';
import { drop } from './drop.ts';
import { Embed } from './hostPage.ts';
import { LESSON } from './lessonFile.ts';
import { servePlainly } from './plainServer.ts';

test.use({ serviceWorkers: 'allow', ahead: true });

const SMALL = {
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'run.updates': 3,
  'run.seeds': 3,
  'run.backend': 'cpu',
};
/** One seed whose batches are large enough for three cores. */
const WIDE = { 'run.seeds': 1, 'rollout.groupSize': 8, 'rollout.tasksPerBatch': 8 };
const FOLDER = '/courses/agents/lab/';

/** The service worker of the folder of the page has all files; that of a folder above it is another one. */
const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const kept = await navigator.serviceWorker.getRegistration();
    return kept?.scope === new URL('./', location.href).href && kept.active !== null;
  });

/** Trains such a seed; the digest. */
async function finishOne(lab: Lab, backend: string): Promise<string> {
  await lab.load({ ...SMALL, ...WIDE });
  const digest = await lab.finish();
  await expect(lab.page.getByTitle(/^CPU/)).toHaveAttribute('title', backend);
  return digest;
}

/** What every visit does: train, hand out a link, open it elsewhere on the page, look at the runs. */
async function visit(lab: Lab, wanted: string): Promise<void> {
  const { page } = lab;
  await lab.load(SMALL);
  expect(await lab.finish()).toBe(wanted);
  await lab.isKept(3);
  const link = await lab.copyLink();
  expect(link.startsWith(`${lab.site}#/lab?x=`)).toBe(true);
  await lab.load({ 'run.seeds': 2 });
  await page.goto('about:blank');
  await lab.open(link.slice(lab.site.length));
  await expect(page.getByRole('region', { name: 'Opened from a link' })).toBeVisible();
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: /^Identical/ })
      .first(),
  ).toBeVisible();
  await page.goto(`${lab.site}#/runs`);
  await expect(page.getByRole('checkbox', { name: /^Select/ }).first()).toBeVisible();
  await learn(lab);
}

/** A lesson of the lab opens, and one of a teacher trains and is judged by number. */
async function learn({ page, site }: Lab): Promise<void> {
  await page.goto(`${site}#/lesson/one-number`);
  await expect(page.getByRole('heading', { name: 'One number for thirty steps' })).toBeVisible();
  await drop(page, 'two-rates.yaml', LESSON);
  await expect(page.getByRole('heading', { name: 'Two rates' })).toBeFocused();
  const before = page.getByRole('button', { name: 'Start this lesson over' });
  await before.click();
  await page.getByRole('radio', { name: 'The large one' }).check();
  await page.getByRole('spinbutton', { name: /^Your answer/ }).fill('0.5');
  await page.getByRole('button', { name: 'Train Small rate and Large rate' }).click();
  await expect(page.locator('[data-check="learned"]')).toHaveAttribute('data-passed', 'passed');
}

test('a folder of a plain server is enough: the lab opens, trains to the same digest, shares and keeps; then the server goes', async ({
  lab,
  context,
}) => {
  await lab.open();
  await lab.load(SMALL);
  const wanted = await lab.finish();
  await lab.load({ ...SMALL, ...WIDE });
  const one = await lab.finish();

  const server = await servePlainly('dist', FOLDER);
  const page = await context.newPage();
  const complaints: string[] = [];
  watch(page, complaints);
  const there = new Lab(page, server.url);
  await page.addInitScript(() => location.protocol === 'about:' || sessionStorage.setItem('cores', '4'));
  await there.open();
  // no header says that the page may be isolated, and it needs none: cores send each other the rows of one seed
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(await finishOne(there, 'CPU (SIMD), 3 cores')).toBe(one);
  await visit(there, wanted);
  await there.open();
  await expect.poll(() => isKept(page)).toBe(true);
  // everything is asked of its own folder, and is there
  expect(server.asked.filter((path) => !path.startsWith(FOLDER))).toEqual([]);

  await server.close();
  const before = server.asked.length;
  await page.goto('about:blank');
  await there.open();
  // its own service worker says so now, and its cores share memory
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await finishOne(there, 'CPU (SIMD), 3 cores')).toBe(one);
  await visit(there, wanted);
  expect(server.asked.length).toBe(before);
  expect(complaints).toEqual([]);
  await page.close();
});

test('a long run of one seed in a first visit is told that a reload makes it faster, and goes on there', async ({
  page,
}) => {
  const server = await servePlainly('dist', FOLDER);
  await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 4 }));
  const lab = new Lab(page, server.url);
  await lab.open();
  await expect.poll(() => isKept(page)).toBe(true);
  await lab.load({ ...SMALL, ...WIDE, 'run.updates': 20_000 });
  await lab.runButton.click();
  await expect(page.getByText(/After a reload 3 cores share memory, and the run can be resumed/)).toBeVisible();
  await lab.button('Reload').click();
  await lab.button('Resume the run').click();
  await lab.becomes('running');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect(page.getByText('After a reload')).toBeHidden();
  await server.close();
});

test('a frame on another page of the host is isolated by itself, and trains', async ({ page }) => {
  const dir = await mkdtemp(join(tmpdir(), 'course-'));
  await symlink(join(process.cwd(), 'dist'), join(dir, 'lab'));
  await writeFile(join(dir, 'page.html'), '<iframe src="./lab/#/embed/charts" width="640" height="420"></iframe>');
  const server = await servePlainly(dir, '/');
  await new Lab(page, `${server.url}lab/`).open();
  await expect.poll(() => isKept(page)).toBe(true);
  const policyOf = (response: Response): string | undefined => response.headers()['cross-origin-embedder-policy'];
  expect(policyOf((await page.reload())!)).toBe('require-corp');
  const framed = page.waitForResponse((response) => response.url() === `${server.url}lab/`);
  await page.goto(`${server.url}page.html`);
  const response = await framed;
  expect([response.fromServiceWorker(), policyOf(response)]).toEqual([true, undefined]);
  // it is isolated by itself, and asks nothing of the page around it
  expect(response.headers()['document-isolation-policy']).toBe('isolate-and-require-corp');
  expect(await response.frame().evaluate(() => crossOriginIsolated)).toBe(true);
  const embed = new Embed(response.frame());
  await embed.isReady();
  await embed.steps(1);
  await server.close();
  await rm(dir, { recursive: true });
});
