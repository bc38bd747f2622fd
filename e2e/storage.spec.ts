import { readFile } from 'node:fs/promises';
import { type Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A database as the first version of the lab made it, with a draft that nobody can read. */
async function visitEarlierVersion(page: Page, site: string): Promise<void> {
  // a page of the site that runs nothing, with an icon of its own: for one without, the browser asks at some later time
  const body = '<!doctype html><link rel="icon" href="data:,">';
  await page.route('**/earlier.html', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${site}earlier.html`);
  await page.evaluate(
    () =>
      new Promise<void>((done, failed) => {
        const opening = indexedDB.open('horizon-lab', 1);
        opening.onupgradeneeded = () => {
          const drafts = opening.result.createObjectStore('drafts');
          drafts.put({ version: 1, config: { task: 'no task' } }, 'own');
        };
        opening.onerror = () => failed(opening.error);
        opening.onsuccess = () => {
          opening.result.close();
          done();
        };
      }),
  );
}

/** A run among the stored ones that nobody can read. */
const putOddRun = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const opening = indexedDB.open('horizon-lab');
        opening.onsuccess = () => {
          const writing = opening.result.transaction('runs', 'readwrite');
          writing.objectStore('runs').put({ id: 'odd', batch: 'b', group: 'g', seed: 'many' });
          writing.oncomplete = () => {
            opening.result.close();
            done();
          };
        };
      }),
  );

const SMALL = { 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2, 'run.updates': 2, 'run.backend': 'cpu' };

test('the storage of an earlier version is carried over: a draft or a run that cannot be read is said, kept through later visits and changes, handed out and deleted', async ({
  lab,
  page,
  site,
}) => {
  await visitEarlierVersion(page, site);
  await lab.open();
  const notice = page.getByRole('note').filter({ hasText: 'Your last draft could not be read' });
  await expect(notice).toHaveCount(1);
  await expect(notice).toContainText('Its field task');
  await lab.load({ ...SMALL, 'run.seeds': 2 });
  await lab.finish();
  await lab.isKept(2);
  const idsOfRuns = async () => (await lab.stored('runs')).map(({ id }) => id);
  const kept = await idsOfRuns();
  expect(kept).toHaveLength(2);
  await expect.poll(() => lab.kept('run', 'seeds')).toBe(2);
  await putOddRun(page);

  await lab.reload();
  const said = page.getByRole('note').filter({ hasText: 'A stored run could not be read' });
  await expect(said).toHaveCount(1);
  expect(await idsOfRuns()).toEqual(kept);
  expect(await lab.stored('aside')).toMatchObject([{ from: 'runs', found: { id: 'odd', seed: 'many' } }]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    notice.getByRole('button', { name: 'Download the old draft' }).click(),
  ]);
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual([{ version: 1, config: { task: 'no task' } }]);
  await notice.getByRole('button', { name: 'Delete it' }).click();
  await expect(notice).toHaveCount(0);

  await lab.reload();
  await expect(lab.button('Copy link')).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(said).toHaveCount(0);
});

test('a draft that cannot be stored is said once, the run goes on, and the notice goes when storing works again', async ({
  lab,
  page,
}) => {
  await page.addInitScript(() => {
    const { put: real } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...args) {
      if ('isFull' in window) throw new DOMException('There is no room.', 'QuotaExceededError');
      return real.apply(this, args);
    };
  });
  await lab.openLong();
  const notice = page.getByRole('note').filter({ hasText: 'This browser stores nothing' });
  await lab.runButton.click();
  await lab.reaches(1);
  await expect(notice).toHaveCount(0);
  await page.evaluate(() => Object.assign(window, { isFull: true }));
  await lab.openSetup();
  const updates = page.getByRole('spinbutton', { name: /^Updates/ });
  await updates.fill('19999');
  await expect(notice).toHaveCount(1);
  await notice.getByRole('button', { name: /^Close/ }).click();
  await updates.fill('19998');
  await lab.reaches((await lab.state()).update + 2);
  await expect(notice).toHaveCount(0);
  expect((await lab.state()).state).toBe('running');
  await page.evaluate(() => delete (window as { isFull?: boolean }).isFull);
  await updates.fill('19997');
  await expect.poll(() => lab.kept('run', 'updates')).toBe(19_997);
  await expect(notice).toHaveCount(0);
});

test('with storage blocked the page says so once and everything works from memory', async ({ lab, page }) => {
  await page.addInitScript(() => {
    const blocked = {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    };
    for (const name of ['sessionStorage', 'localStorage', 'indexedDB']) Object.defineProperty(window, name, blocked);
  });
  await lab.open();
  await expect(page.getByRole('note').filter({ hasText: 'This browser stores nothing' })).toHaveCount(1);
  await lab.load({ 'run.updates': 3 });
  expect(await lab.finish()).toMatch(/^[0-9a-f]{64}$/);
});

test('when the browser deletes what was stored, the page says so and stores the draft again', async ({
  lab,
  page,
  site,
}) => {
  await lab.open();
  await lab.load({ 'run.seeds': 2 });
  await expect.poll(() => lab.kept('run', 'seeds')).toBe(2);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Storage.clearDataForOrigin', { origin: new URL(site).origin, storageTypes: 'indexeddb' });
  await expect(page.getByRole('note').filter({ hasText: 'What this page had stored was deleted' })).toHaveCount(1);
  await expect.poll(() => lab.kept('run', 'seeds')).toBe(2);
});

test('a browser that forgets after seven days is named once, with the way to keep a copy', async ({
  browser,
  site,
}) => {
  const userAgent =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  await page.goto(site);
  const notice = page.getByRole('note').filter({ hasText: 'seven days' });
  await expect(notice).toContainText('Copy the link');
  await notice.getByRole('button', { name: /^Close/ }).click();
  await page.reload();
  await page.waitForFunction(() => 'lab' in window);
  await expect(notice).toHaveCount(0);
  await context.close();
});

test('an experiment that an older version of the page knew under another name has its name of today', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.openSetup();
  await page.locator('[data-path="run.seed"] input').first().fill('7');
  await expect.poll(() => page.evaluate(() => (history.state as { mine?: boolean } | null)?.mine)).toBe(true);
  await page.evaluate(() => history.replaceState({ ...history.state, baseTitle: 'Its old name' }, ''));
  await lab.reload();
  await expect(lab.experiment('Key and door · GiGPO')).toBeVisible();
});
