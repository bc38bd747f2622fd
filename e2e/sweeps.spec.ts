import type { Page } from '@playwright/test';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { keptRuns } from './keptRuns.ts';
import type { Lab } from './lab.ts';

/** Small enough that a run takes a fraction of a second. */
const SMALL = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 };

async function openDialog(lab: Lab): Promise<void> {
  await lab.button('Compare settings').click();
  await expect(lab.page.getByRole('dialog', { name: 'Compare settings' })).toBeVisible();
}

async function fill(lab: Lab, label: string, value: number): Promise<void> {
  await lab.page.getByRole('spinbutton', { name: label, exact: true }).fill(String(value));
}

/** Four estimators, with so many seeds and updates, described in the dialog. */
async function describeFour(lab: Lab, seeds: number, updates: number): Promise<void> {
  await openDialog(lab);
  await lab.button('Four estimators').click();
  await fill(lab, 'Seeds', seeds);
  await fill(lab, 'Updates', updates);
}

test('a comparison from a suggestion: its cost, its runs one by one, and every one of them kept', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await describeFour(lab, 2, 6);
  await expect(page.getByText('4 versions × 2 seeds = 8 runs')).toBeVisible();
  await expect(page.getByText(/about .+ on this machine/)).toBeVisible();
  await lab.button('Start comparison').click();
  await expect(page.getByText('8 of 8 runs finished').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^GiGPO, seed \d: finished, score/ })).toHaveCount(2);
  const runs = await keptRuns(page);
  expect(runs.map(({ state }) => state)).toEqual(Array(8).fill('finished'));
  await page.getByRole('link', { name: 'See results' }).click();
  await expect(page).toHaveURL(/#\/runs\?batch=/);
  // the run on the page with one of the seeds is the same run
  await lab.load({ ...SMALL, 'run.seeds': 1, 'run.seed': 2, 'run.updates': 6 });
  const alone = await lab.finish();
  expect(runs.filter(({ seed, digest }) => seed === 2 && digest === alone).length).toBeGreaterThan(0);
});

test('what cannot be compared is said before anything trains', async ({ lab, page }) => {
  await lab.open();
  await openDialog(lab);
  await lab.button('Setting').click();
  await page.getByRole('combobox', { name: 'Setting 1' }).selectOption('rollout.groupSize');
  const first = page.getByRole('spinbutton', { name: 'Group size, value 1' });
  await first.fill('1');
  await expect(page.getByRole('alert')).toContainText('group size 1');
  await expect(lab.button('Start comparison')).toBeDisabled();
  await first.fill('4');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(lab.button('Start comparison')).toBeEnabled();
});

test('a comparison can be paused, put in another order, cancelled; the dialog and its line fit every width', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await openDialog(lab);
  await expectToFit(page, [1440, 390, 320], 'empty dialog');
  await page.setViewportSize({ width: 1280, height: 800 });
  await lab.button('GRPO and GiGPO, update sizes matched or not').click();
  await expect(page.getByText('4 versions × 8 seeds = 32 runs')).toBeVisible();
  await expectToFit(page, [1440, 390, 320], 'filled dialog');
  await page.setViewportSize({ width: 1280, height: 800 });
  await lab.button('Start comparison').click();
  await lab.button('Pause').last().click();
  await expect(page.getByRole('dialog').getByText(/of 32 runs finished, paused/)).toBeVisible();
  await expectToFit(page, [1440, 390, 320], 'paused comparison');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: /^GRPO, match update size off, seed 7/ }).click();
  await lab.button('Train next').click();
  await page.keyboard.press('Escape');
  const strip = page.getByRole('region', { name: 'Comparison' });
  await expect(strip).toContainText('paused');
  await expectToFit(page, [1440, 390, 320], 'line of a comparison');
  await page.setViewportSize({ width: 1280, height: 800 });
  await strip.getByRole('button', { name: 'Continue' }).click();
  await strip.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('button', { name: /, seed 7: (training|finished)/ }).first()).toBeVisible();
  await lab.button('Cancel comparison').click();
  await expect(page.getByRole('dialog').getByText(/of 32 runs finished, cancelled/)).toBeVisible();
  const states = (await keptRuns(page)).map(({ state }) => state);
  expect(states.filter((state) => state !== 'finished' && state !== 'stopped')).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('dialog').getByText(/of 32 runs finished, .+ left/)).toBeVisible();
  await lab.button('Pause').last().click();
  await expect(page.getByRole('dialog').getByText(/of 32 runs finished, paused/)).toBeVisible();
  await page.keyboard.press('Escape');
});

test('after a reload one click goes on, in one tab at a time, and the digests are those of an uninterrupted one', async ({
  lab,
  page,
  context,
  site,
}) => {
  await lab.open();
  await lab.load(SMALL);
  const begin = async (): Promise<void> => {
    await describeFour(lab, 2, 1500);
    await lab.button('Start comparison').click();
  };
  await begin();
  await expect(page.getByText('8 of 8 runs finished').first()).toBeVisible();
  const whole = new Map((await keptRuns(page)).map(({ id, digest }) => [id.split('.')[1], digest]));
  await lab.button('Another comparison').click();
  await lab.button('Start comparison').click();
  await expect(page.getByText(/[1-7] of 8 runs finished/).first()).toBeVisible();
  const other = await context.newPage();
  await other.goto(site);
  await expect(other.getByRole('region', { name: 'Comparison' })).toContainText('in another tab');
  await lab.reload();
  const strip = page.getByRole('region', { name: 'Comparison' });
  await expect(strip).toContainText('A comparison is not finished');
  await strip.getByRole('button', { name: 'Continue' }).click();
  await expect(strip).toContainText('8 of 8 runs finished');
  const runs = await keptRuns(page);
  expect(runs).toHaveLength(16);
  for (const { id, digest, state } of runs) expect([state, digest]).toEqual(['finished', whole.get(id.split('.')[1])]);
});

test('a comparison that was cancelled can be continued from the table after a reload, to the same digests', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await describeFour(lab, 2, 1500);
  await lab.button('Start comparison').click();
  await expect(page.getByText(/[1-7] of 8 runs finished/).first()).toBeVisible();
  await lab.button('Cancel comparison').click();
  await expect(page.getByRole('dialog').getByText(/of 8 runs finished, cancelled/)).toBeVisible();
  await lab.reload();
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await expect(page.locator('.runsline[data-row]').first()).toBeVisible();
  const line = page.getByRole('note').filter({ hasText: 'was cancelled when' });
  await expect(line).toHaveCount(0);
  await lab.button('Select all').click();
  await expect(line).toContainText(/“Four estimators · .+” was cancelled when [1-7] of its 8 runs were finished/);
  await line.getByRole('button', { name: 'Continue comparison' }).click();
  // the line at the lower edge, and not the table of what is selected
  await expect(page.locator('.sweepstrip')).toContainText('8 of 8 runs finished');
  await expect(line).toHaveCount(0);
  const runs = await keptRuns(page);
  expect(runs.map(({ state }) => state)).toEqual(Array(8).fill('finished'));
  // the run on the page with one of the seeds is the same run, whichever of them it was that was cancelled
  const digests = new Set(runs.map(({ digest }) => digest));
  for (const method of ['grpo', 'rloo', 'reinforcePP', 'gigpo'])
    for (const seed of [1, 2]) {
      await lab.load({ ...SMALL, 'advantage.method': method, 'run.seeds': 1, 'run.seed': seed, 'run.updates': 1500 });
      expect(digests).toContain(await lab.finish());
    }
});

test('“Vary this” leads from a setting to its comparison with values around its own', async ({ lab, page }) => {
  await lab.open();
  await lab.openSetup();
  await page.getByText('Optimizer', { exact: true }).click();
  await lab.button('Vary this: Learning rate').click();
  const dialog = page.getByRole('dialog', { name: 'Compare settings' });
  const row = dialog.getByRole('group', { name: 'Learning rate' });
  await expect(row).toBeVisible();
  expect(await row.getByRole('spinbutton').count()).toBe(3);
  await expect(dialog.getByText(/^3 versions × 5 seeds = 15 runs/)).toBeVisible();
  await page.keyboard.press('Escape');
  await lab.button('Vary this: Advantage method').click();
  await expect(dialog.getByRole('group', { name: 'Advantage method' })).toBeVisible();
  await expect(row).toHaveCount(0);
});

/** A run that trains long enough to be written down in the middle. */
const LONG = { ...SMALL, 'rollout.groupSize': 16, 'run.seeds': 1, 'run.updates': 16_000, 'analysis.evalEvery': 500 };

/** The checkpoints of a comparison: their bytes, and when the newest was written. */
const checkpoints = (page: Page, batch: string): Promise<{ bytes: number; newest: number }> =>
  page.evaluate(async (id) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('checkpoints', { create: true });
    let bytes = 0;
    let newest = 0;
    for await (const [name, handle] of folder as unknown as AsyncIterable<[string, FileSystemFileHandle]>) {
      if (!name.startsWith(id)) continue;
      // a newer one takes the place of an older one at any moment: what is gone by now counts no more
      const file = await handle.getFile().catch((fault: DOMException) => {
        if (fault.name === 'NotFoundError') return null;
        throw fault;
      });
      if (!file) continue;
      bytes += file.size;
      newest = Math.max(newest, file.lastModified);
    }
    return { bytes, newest };
  }, batch);

test('a long run that a reload interrupts goes on from where it was, and has the digest of one that nobody interrupted', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(LONG);
  await describeFour(lab, 1, LONG['run.updates']);
  await lab.button('Start comparison').click();
  const square = page.getByRole('button', { name: /^GRPO, seed \d/ });
  await expect(square).toHaveAccessibleName(/training/);
  const [first] = await keptRuns(page);
  const batch = first!.id.split('.')[0]!;
  const share = async (): Promise<number> => {
    const said = (await square.getAttribute('aria-label')) ?? '';
    return said.includes('finished') ? 100 : Number(/training, (\d+)/.exec(said)?.[1] ?? 0);
  };
  await expect.poll(share).toBeGreaterThanOrEqual(4);
  const { newest: old } = await checkpoints(page, batch);
  // the run waits while it is written down: what the page showed just before is not beyond it
  let before = 0;
  const written = async (): Promise<number> => {
    const now = await share();
    const { newest, bytes } = await checkpoints(page, batch);
    if (newest === old) before = now;
    return newest > old ? bytes : 0;
  };
  await expect.poll(written, { intervals: [100] }).toBeGreaterThan(1000);
  await lab.reload();
  const strip = page.getByRole('region', { name: 'Comparison' });
  await strip.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await expect.poll(share, { intervals: [20] }).toBeGreaterThan(0);
  // from its beginning it would take seconds until there
  expect(await share()).toBeGreaterThanOrEqual(Math.max(before, 4));
  await expect(square).toHaveAccessibleName(/finished/);
  await lab.button('Cancel comparison').click();
  await expect.poll(async () => (await checkpoints(page, first!.id)).bytes).toBe(0);
  const grpo = (await keptRuns(page)).filter(({ state }) => state === 'finished');
  await page.keyboard.press('Escape');
  await lab.load({ ...LONG, 'advantage.method': 'grpo', 'run.seed': grpo[0]!.seed });
  expect(grpo.map(({ digest }) => digest)).toContain(await lab.finish());
});

test('a comparison travels as a link: its receiver finds it in the dialog, and nothing has started', async ({
  lab,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await lab.open();
  await lab.button('Compare settings').click();
  await lab.button('Four estimators').click();
  const counted = page.getByText('4 versions × 8 seeds = 32 runs');
  await expect(counted).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Compare settings' });
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('The link to this comparison is in the clipboard.')).toBeAttached();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto('about:blank');
  await page.goto(link);
  await expect(counted).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Start comparison' })).toBeEnabled();
  expect(await keptRuns(page)).toEqual([]);
});

test('“Delete everything” leaves a comparison alone that trains', async ({ lab, page }) => {
  await lab.open();
  await lab.load(LONG);
  await describeFour(lab, 1, LONG['run.updates']);
  await lab.button('Start comparison').click();
  await expect(page.getByRole('button', { name: /^GRPO, seed \d: training/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await lab.button('Help').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Storage', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Storage' });
  const erase = async (): Promise<void> => {
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    const yes = dialog.getByRole('button', { name: 'Yes, delete them' });
    await yes.click();
    // it stays until all is deleted
    await expect(yes).toHaveCount(0);
  };
  await erase();
  expect((await keptRuns(page)).map(({ state }) => state)).toContain('running');
  expect(await keptRuns(page)).toHaveLength(4);
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Comparison' }).getByRole('button', { name: 'Show' }).click();
  await lab.button('Cancel comparison').click();
  await expect(page.getByRole('dialog').getByText(/of 4 runs finished, cancelled/)).toBeVisible();
  await page.keyboard.press('Escape');
  await lab.button('Help').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Storage', exact: true }).click();
  await erase();
  await expect.poll(async () => (await keptRuns(page)).length).toBe(0);
});
