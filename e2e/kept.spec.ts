import { readFile } from 'node:fs/promises';
import type { Page, Worker } from '@playwright/test';
import { bringAxe, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { Lab } from './lab.ts';
import { pack, unpack } from '../src/store/packed.ts';

const SMALL = {
  ...{ 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2 },
  ...{ 'run.seeds': 2, 'run.backend': 'cpu', 'run.updates': 120 },
};

const notice = (page: Page) => page.getByRole('note').filter({ hasText: 'The last run stopped at update' });

test('a run whose page dies is paused; resumed, from the notice or from the table, it ends with the digest of one that was not stopped', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('Normal');
  await lab.runButton.click();
  await lab.reaches(8);
  // a page that is starved trains before its first checkpoint is in the storage
  await expect.poll(() => lab.stored('pageRuns')).toHaveLength(1);
  await lab.reload();
  await expect(notice(page)).toHaveCount(1);
  await expect.poll(async () => (await lab.stored('runs')).map(({ state }) => state)).toEqual(['paused', 'paused']);
  await notice(page).getByRole('button', { name: 'Resume the run' }).click();
  const update = async (): Promise<number> => (await lab.state()).update;
  await expect.poll(update).toBeGreaterThan(0);
  await lab.becomes('running');

  await lab.reload();
  await expect(notice(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await expect(lab.button('Resume in the lab')).toBeDisabled();
  await page.locator('.runsline[aria-level="1"]').getByRole('checkbox').check();
  await lab.button('Resume in the lab').click();
  await expect.poll(update).toBeGreaterThan(0);
  await expect(notice(page)).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('Full speed');
  await lab.becomes('finished');
  const resumed = (await lab.digest()).result;
  await lab.isKept(SMALL['run.updates']);
  expect(await lab.stored('pageRuns')).toHaveLength(1);

  await lab.button('Reset').click();
  await lab.becomes('ready');
  expect(await lab.finish()).toBe(resumed);
});

test('what a run of two seeds has trained is in the storage when it ends: a record and curves for each', async ({
  lab,
}) => {
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 6 });
  await lab.finish();
  await expect.poll(async () => (await lab.stored('runs')).map(({ state }) => state)).toEqual(['finished', 'finished']);
  const runs = await lab.stored('runs');
  expect(runs).toMatchObject([
    { origin: 'page', seed: 1, update: 6, updates: 6, backend: 'cpu' },
    { origin: 'page', seed: 2, update: 6, updates: 6, backend: 'cpu' },
  ]);
  expect(runs[0]!['group']).toBe(runs[1]!['group']);
  expect((await lab.stored('curves')).map(({ id }) => id)).toEqual(runs.map(({ id }) => id));
});

test('a run that another tab has open is not offered; the table says that it trains there, and why it cannot be resumed here', async ({
  lab,
  page,
  site,
}) => {
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 20_000 });
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('Normal');
  await lab.runButton.click();
  await lab.reaches(3);
  await expect.poll(() => lab.stored('pageRuns')).toHaveLength(1);
  const other = new Lab(await page.context().newPage(), site);
  await other.open();
  await expect(notice(other.page)).toHaveCount(0);
  await other.page.getByRole('link', { name: 'Runs' }).first().click();
  const line = other.page.locator('.runsline[aria-level="1"]');
  await expect(line.locator('[data-column="state"]')).toHaveText('running elsewhere');
  await line.getByRole('checkbox').check();
  const why = other.page.getByText('Another tab of this browser has a selected run open');
  await expect(why).toBeVisible();
  await lab.pauseButton.click();
  await lab.becomes('paused');
  await expect(line.locator('[data-column="state"]')).toHaveText('paused');
  await expect(why).toBeVisible();
  await expect(other.button('Resume in the lab')).toBeDisabled();
  await page.close();
  await expect(why).toHaveCount(0);
  await expect(other.button('Resume in the lab')).toBeEnabled();
  await other.open();
  await expect(notice(other.page)).toHaveCount(1);
  await notice(other.page).getByRole('button', { name: 'Resume the run' }).click();
  await expect.poll(async () => (await other.state()).update).toBeGreaterThanOrEqual(3);
});

/** TypeScript's library for pages does not have it. */
type WithHandles = { FileSystemSyncAccessHandle: { prototype: { write: () => unknown } } };

const trainer = (page: Page): Worker => page.workers().find((w) => w.url().includes('/worker-'))!;

test('where there is no room, the timeline and then the checkpoint of the oldest finished run go, and the page says so', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 3 });
  await lab.finish();
  await lab.isKept(3);
  await expect.poll(() => lab.stored('marks')).toHaveLength(3);
  const id = (await lab.stored('pageRuns'))[0]!['id'];
  await trainer(page).evaluate(() => {
    const { prototype } = (globalThis as unknown as WithHandles).FileSystemSyncAccessHandle;
    const real = prototype.write;
    let failures = 0;
    prototype.write = () => {
      if (++failures === 2) prototype.write = real;
      throw new DOMException('There is no room.', 'QuotaExceededError');
    };
  });
  await lab.load({ ...SMALL, 'run.updates': 4 });
  await lab.finish();
  await lab.isKept(4);
  await expect(page.getByRole('note').filter({ hasText: 'The storage was full' })).toHaveCount(2);
  const runs = (await lab.stored('pageRuns')) as { updates: number; bytes: number }[];
  expect(runs.find(({ updates }) => updates === 3)!.bytes).toBe(0);
  expect((await lab.stored('marks')).filter(({ run }) => run === id)).toEqual([]);
  expect(runs.find(({ updates }) => updates === 4)!.bytes).toBeGreaterThan(0);
  expect(await lab.stored('curves')).toHaveLength(4);
});

test('a run that cannot be stored trains on, and the page says so once', async ({ lab, page }) => {
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 5 });
  await lab.steps(1);
  await lab.isKept(1);
  await trainer(page).evaluate(() => {
    (globalThis as unknown as WithHandles).FileSystemSyncAccessHandle.prototype.write = () => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    };
  });
  expect(await lab.finish()).toMatch(/^[0-9a-f]{64}$/);
  await expect(page.getByRole('note').filter({ hasText: 'This run is no longer stored' })).toHaveCount(1);
});

test('a damaged checkpoint is refused in one sentence, and one whose newer half is damaged continues from the older', async ({
  lab,
  page,
}) => {
  const damage = (ending: RegExp, id: string): Promise<void> =>
    page.evaluate(
      async ([source, start]) => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('checkpoints');
        for await (const [name, file] of folder as unknown as AsyncIterable<[string, FileSystemFileHandle]>) {
          if (!name.startsWith(start!) || !new RegExp(source!).test(name)) continue;
          const writing = await file.createWritable({ keepExistingData: true });
          await writing.write({ type: 'write', position: 500, data: Uint8Array.of(1, 2, 3) });
          await writing.close();
        }
      },
      [ending.source, id] as const,
    );
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 5 });
  await lab.steps(1);
  await lab.isKept(1);
  await lab.steps(1);
  await lab.isKept(2);
  const id = (await lab.stored('pageRuns'))[0]!['id'] as string;
  await page.goto('about:blank');
  await lab.open();
  await damage(/-1$/, id);
  await lab.button('Resume the run').click();
  await lab.waitsAt(1);
  await expect(page.getByRole('note').filter({ hasText: 'The newest checkpoint is damaged' })).toContainText(
    'Its content is damaged. The run continues from the one before it, at update 1.',
  );
  await expect(page.getByRole('note').filter({ hasText: 'The run continues on the' })).toHaveCount(0);
  await lab.steps(2);
  await lab.isKept(3);
  await lab.reload();
  await damage(/./, id);
  await lab.button('Resume the run').click();
  await expect(page.getByRole('note').filter({ hasText: 'Its checkpoint cannot be read' })).toHaveCount(1);
});

/** The newer checkpoint of a run says that it was trained on the GPU; nothing else of it changes. */
async function trainedOnGpu(page: Page, id: string): Promise<void> {
  const read = (slot: number): Promise<string> =>
    page.evaluate(async (name) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('checkpoints');
      const file = await (await folder.getFileHandle(name)).getFile();
      const bytes = new Uint8Array(await file.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    }, `${id}-${slot}`);
  for (const slot of [0, 1]) {
    const found = unpack(Uint8Array.from(Buffer.from(await read(slot), 'base64')));
    if (!found.ok) continue;
    const { about, arrays } = found.packed;
    const bytes = pack({ about: { ...(about as object), backend: 'webgpu' }, arrays }, found.turn);
    await page.evaluate(
      async ([name, all]) => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('checkpoints');
        const writing = await (await folder.getFileHandle(name)).createWritable();
        await writing.write(Uint8Array.from(atob(all), (letter) => letter.charCodeAt(0)));
        await writing.close();
      },
      [`${id}-${slot}`, Buffer.from(bytes).toString('base64')] as const,
    );
  }
}

test('a run that was trained on the GPU and continues on the CPU says so', async ({ lab, page }) => {
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 5 });
  await lab.steps(2);
  await lab.isKept(2);
  const said = page.getByRole('note').filter({ hasText: 'The run continues on the CPU' });
  const id = (await lab.stored('pageRuns'))[0]!['id'] as string;
  await page.goto('about:blank');
  await lab.open();
  await trainedOnGpu(page, id);
  await lab.button('Resume the run').click();
  await lab.waitsAt(2);
  await expect(said).toContainText('It was trained on the GPU up to update 2');
});

test('two tabs have a draft each, and a new tab begins with the newest', async ({ lab, page, site }) => {
  const first = lab;
  await first.open();
  await first.load({ 'run.seeds': 2 });
  await expect.poll(() => first.kept('run', 'seeds')).toBe(2);
  const second = new Lab(await page.context().newPage(), site);
  await second.open();
  await second.load({ 'run.seeds': 4 });
  await expect.poll(() => second.kept('run', 'seeds')).toBe(4);
  const seedsOf = async (tab: Lab): Promise<number> => {
    await tab.page.evaluate(() => history.replaceState(null, '', location.pathname));
    await tab.reload();
    return (await tab.digest()).perSeed.length;
  };
  expect(await seedsOf(first)).toBe(2);
  expect(await seedsOf(second)).toBe(4);
  const third = new Lab(await page.context().newPage(), site);
  await third.open();
  expect((await third.digest()).perSeed).toHaveLength(4);
});

test('storage is shown with what it holds, handed out as one file, and deleted after a question', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 2 });
  await lab.finish();
  await lab.isKept(2);
  await lab.load({ ...SMALL, 'run.updates': 3 });
  await lab.button('Help').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Storage', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Storage' });
  await expect(dialog).toContainText('2 runs with curves');
  expect(await violations(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export all' }).click(),
  ]);
  const bytes = await readFile(await file.path());
  for (const name of ['runs.json', 'pageRuns.json', 'drafts.json', 'metrics/', 'checkpoints/'])
    expect(bytes.includes(name), name).toBe(true);
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  expect(await lab.stored('runs')).toHaveLength(2);
  await dialog.getByRole('button', { name: 'Yes, delete them' }).click();
  await expect(dialog).toContainText('0 runs');
  for (const store of ['runs', 'curves', 'pageRuns']) expect(await lab.stored(store)).toEqual([]);
});
