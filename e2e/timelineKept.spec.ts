import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';

const SMALL = { 'run.updates': 40, 'run.seeds': 2, 'run.backend': 'cpu', 'policy.mlp.hidden': [16] };

const timeline = (page: Page): Locator => page.getByRole('region', { name: 'Timeline' });
const list = (page: Page): Locator => timeline(page).getByRole('list', { name: 'Kept checkpoints' });
const note = (page: Page, words: string): Locator => page.getByRole('note').filter({ hasText: words });

/** The list of checkpoints is open. */
async function marksOf(page: Page): Promise<string[]> {
  const isOpen = await timeline(page).locator('details').getAttribute('open');
  if (isOpen === null) await timeline(page).locator('summary').click();
  await expect(list(page).getByRole('listitem').first()).toBeVisible();
  return list(page).getByRole('listitem').allInnerTexts();
}

async function look(lab: Lab, update: number): Promise<string> {
  await marksOf(lab.page);
  await list(lab.page)
    .getByRole('button', { name: new RegExp(`^${update} `) })
    .click();
  const words = lab.page.getByText(new RegExp(`^Batch of update ${update + 1}:`));
  await expect(words).toBeVisible();
  return words.innerText();
}

async function goesOnFrom(lab: Lab, update: number): Promise<string> {
  await look(lab, update);
  await lab.button('Continue from here').click();
  await lab.button('Drop them and continue').click();
  await lab.waitsAt(update);
  return lab.finish();
}

async function forksAt(lab: Lab, update: number): Promise<string> {
  await look(lab, update);
  await lab.button('Fork with a change').click();
  await lab.page.getByRole('combobox', { name: 'Advantage method' }).selectOption('grpo');
  await lab.button('Make the fork').click();
  await lab.waitsAt(update);
  return lab.finish();
}

/** All that the list has but the start, which the settings give again. */
const areStored = (lab: Lab, marks: readonly string[]): Promise<void> =>
  expect.poll(async () => (await lab.stored('marks')).length).toBe(marks.length - 1);

test('after a reload a resumed run has its timeline: looking back, going back and forking are as before', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await lab.steps(21);
  const [seen, forked] = [await look(lab, 8), await forksAt(lab, 8)];
  await lab.load(SMALL);
  const straight = await lab.finish();
  await lab.load(SMALL);
  await lab.steps(21);
  const marks = await marksOf(page);
  await expect.poll(async () => (await lab.stored('marks')).filter(({ update }) => update === 20)).not.toEqual([]);
  await lab.isKept(21);
  const runs = (await lab.stored('pageRuns')) as { id: string; changedAt: number }[];
  const { id } = runs.reduce((a, b) => (a.changedAt > b.changedAt ? a : b));
  await expect
    .poll(async () => (await lab.stored('marks')).filter(({ run }) => run === id).length)
    .toBe(marks.length - 1);
  await lab.reload();
  await lab.button('Resume the run').click();
  await lab.waitsAt(21);
  expect(await marksOf(page)).toEqual(marks);
  expect(await look(lab, 8)).toBe(seen);
  expect(await goesOnFrom(lab, 4)).toBe(straight);
  expect(await forksAt(lab, 8)).toBe(forked);
  // the timeline of the fork is stored with the fork
  const ofFork = (await marksOf(page)).length - 1;
  await expect
    .poll(async () => (await lab.stored('marks')).filter(({ run }) => run !== id).length)
    .toBeGreaterThanOrEqual(ofFork);
});

test('a run that went back before the reload has no checkpoint of what it dropped', async ({ lab, page }) => {
  await lab.open();
  await lab.load(SMALL);
  await lab.steps(21);
  const before = await marksOf(page);
  await areStored(lab, before);
  await look(lab, 4);
  await lab.button('Continue from here').click();
  await lab.button('Drop them and continue').click();
  await lab.waitsAt(4);
  await lab.steps(2);
  await lab.isKept(6);
  const marks = await marksOf(page);
  expect(marks.length).toBeLessThan(before.length);
  await areStored(lab, marks);
  await lab.reload();
  await lab.button('Resume the run').click();
  await lab.waitsAt(6);
  expect(await marksOf(page)).toEqual(marks);
});

test('a new worker that takes over from one that crashed has its timeline', async ({ lab, page, complaints }) => {
  await lab.open();
  await lab.load(SMALL);
  await lab.steps(21);
  const marks = await marksOf(page);
  await areStored(lab, marks);
  await lab.inject('crash');
  await expect(page.getByRole('alert').filter({ hasText: 'The training worker was replaced' })).toHaveCount(1);
  complaints.length = 0;
  await lab.waitsAt(21);
  expect(await marksOf(page)).toEqual(marks);
  await look(lab, 8);
});

test('a damaged checkpoint of the timeline is missing from it, and the page says how many; the run continues', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await lab.steps(9);
  const marks = await marksOf(page);
  await areStored(lab, marks);
  await lab.isKept(9);
  await page.evaluate(
    () =>
      new Promise<void>((done, failed) => {
        const opening = indexedDB.open('horizon-lab');
        opening.onsuccess = () => {
          const writing = opening.result.transaction('markStates', 'readwrite');
          const store = writing.objectStore('markStates');
          const cursor = store.openCursor();
          cursor.onsuccess = () => {
            const { result } = cursor;
            if (!result) return;
            const bytes = result.value as Uint8Array;
            if ((result.key as [string, number])[1] === 8) {
              bytes[200]! ^= 1;
              result.update(bytes);
            }
            result.continue();
          };
          writing.onerror = () => failed(writing.error);
          writing.oncomplete = () => {
            opening.result.close();
            done();
          };
        };
      }),
  );
  await lab.reload();
  await lab.button('Resume the run').click();
  await lab.waitsAt(9);
  await expect(note(page, 'Checkpoints of the timeline could not be read')).toContainText(
    'one earlier checkpoint is damaged',
  );
  expect(await marksOf(page)).toEqual(marks.filter((words) => !words.startsWith('8')));
});

test('storage counts the checkpoints of timelines, export hands them out, and a deleted run takes its own along', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await lab.steps(9);
  await areStored(lab, await marksOf(page));
  await lab.isKept(9);
  await lab.button('Help').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Storage', exact: true }).click();
  await expect(page.getByText(/of checkpoints on this device, [\d.]+ MB of them earlier ones/)).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), lab.button('Export all').click()]);
  const { readFile } = await import('node:fs/promises');
  const { unzipSync } = await import('fflate');
  const names = Object.keys(unzipSync(new Uint8Array(await readFile(await file.path()))));
  expect(names.filter((name) => /^timelines\/[\w-]+\/8$/.test(name))).toHaveLength(1);
  expect(names).toContain('marks.json');
  await lab.button('Close storage').click();
  // another run is open now
  await page.goto(lab.site);
  await page.waitForFunction(() => 'lab' in window);
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await page.locator('.runsline[aria-level="1"]').getByRole('checkbox').check();
  await lab.button('Delete').click();
  await expect.poll(() => lab.stored('runs')).toHaveLength(0);
  await page.goto('about:blank');
  await page.goto(lab.site);
  await expect.poll(() => lab.stored('marks')).toHaveLength(0);
  await expect.poll(() => lab.stored('markStates')).toHaveLength(0);
});

test('where there is no room for a timeline, its earliest checkpoints are given up, and the run is kept', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await page
    .workers()
    .find((w) => w.url().includes('/worker-'))!
    .evaluate(() => {
      const { prototype } = IDBObjectStore;
      const real = prototype.put;
      prototype.put = function (this: IDBObjectStore, ...args: Parameters<typeof real>) {
        if (this.name === 'markStates') throw new DOMException('There is no room.', 'QuotaExceededError');
        return real.apply(this, args);
      };
    });
  await lab.steps(9);
  await expect(note(page, 'The timeline of this run is not stored completely')).toHaveCount(1);
  await lab.isKept(9);
  expect(await lab.stored('marks')).toHaveLength(0);
  expect((await marksOf(page)).length).toBeGreaterThan(3);
  await expect(note(page, 'no longer stored')).toHaveCount(0);
});
