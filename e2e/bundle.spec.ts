import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { violations, bringAxe } from './axe.ts';
import { expect, saveData, test } from './fixtures.ts';
import { Lab } from './lab.ts';

/** Presses a button of the page and takes what it downloads. */
async function save(page: Page, button: string | RegExp): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).first().click(),
  ]);
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

/** Opens a file as a bundle; the dialog of files is there. */
/** With the content of a file, or a file on the disk. */
async function openBundle(page: Page, name: string, buffer?: Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Open a bundle …' }).click(),
  ]);
  await chooser.setFiles(buffer ? { name, mimeType: 'application/zip', buffer } : name);
}

/** Selects the newest group in the table of runs. */
async function selectRuns({ page, site }: Lab): Promise<void> {
  await page.goto(`${site}#/runs`);
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check();
}

test('a run travels as a bundle: saved here, opened elsewhere as a draft beside the own one, and verified; there it continues from its weights, ends with the digest of the run, and can be forked', async ({
  lab,
  page,
  browser,
}, testInfo) => {
  const dialog = page.getByRole('dialog');
  await lab.open();
  await lab.openShare('Files');
  await expect(dialog.getByRole('button', { name: 'Save bundle' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await lab.load({ 'run.seeds': 2, 'run.updates': 10, 'policy.mlp.hidden': [16], 'run.backend': 'cpu' });
  await lab.steps(7);
  await lab.openShare('Link');
  await dialog.getByLabel('Title (optional)').fill('My run');
  await dialog.getByRole('tab', { name: 'Files' }).click();
  await expect(dialog.getByRole('button', { name: 'Save bundle' })).toBeEnabled();
  await dialog.getByRole('checkbox', { name: /Parquet/ }).check();
  const bundle = await save(page, 'Save bundle');
  expect(bundle.name).toMatch(/^my-run-[a-z2-7]{10}\.labrun\.zip$/);
  expect(bundle.content.toString('latin1')).toContain('metrics.parquet');
  expect((await save(page, 'Save report')).content.toString('latin1')).toContain('report.html');

  await test.step('a file that is no bundle, or one that was changed, says why and opens nothing', async () => {
    const changed = Buffer.from(bundle.content);
    const at = changed.indexOf('"updates"');
    changed[at + 1] = 'x'.charCodeAt(0);
    for (const [buffer, sentence] of [
      [Buffer.from('hello'), /was not opened. It is not a zip archive/],
      [changed, /was not opened. The file “manifest.json” is damaged/],
    ] as const) {
      await openBundle(page, 'x.zip', buffer);
      await expect(dialog.getByRole('status')).toHaveText(sentence);
    }
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: /Opened from/ })).toHaveCount(0);
  });
  const { result } = await lab.digest();
  const whole = await lab.finish();

  await test.step('runs of the page go from their table into a bundle with their weights, and are opened from it', async () => {
    await lab.isKept(10);
    await selectRuns(lab);
    const { content } = await save(page, 'Save bundle');
    // every file is named with its content and once more in the list of all
    expect(content.toString('latin1').match(/\/weights\.safetensors/g)).toHaveLength(4);
    // reading checks that the weights are those of this network, whole, and of the update that the metrics end with
    await page.goto(`${lab.site}#/lab`);
    await lab.openShare('Files');
    await openBundle(page, 'runs.labsweep.zip', content);
    await expect(dialog.getByRole('status')).toContainText('2 runs are kept in the table of runs.');
  });

  const context = await browser.newContext();
  await saveData(context);
  const other = new Lab(await context.newPage(), lab.site);
  await bringAxe(other.page);
  await other.open();
  await other.openShare('Files');
  await openBundle(other.page, 'run.labrun.zip', bundle.content);
  await expect(other.page.getByRole('dialog').getByRole('status')).toContainText(
    '2 runs are kept in the table of runs.',
  );
  expect(await violations(other.page)).toEqual([]);
  await other.page.keyboard.press('Escape');
  const strip = other.page.getByRole('region', { name: 'Opened from a bundle' });
  await expect(strip).toContainText('My run');
  await strip.getByRole('button', { name: 'Verify' }).click();
  await expect(strip.getByRole('status')).toHaveText('Identical: every action and reward of every update is the same.');
  expect((await other.digest()).result).toBe(result);
  expect((await other.stored('runs')).filter(({ origin }) => origin === 'bundle')).toHaveLength(2);

  await test.step('it continues from its weights and can be forked', async () => {
    await expect(strip).toContainText('It comes with its weights after 7 updates.');
    await strip.getByRole('button', { name: 'Continue from its weights' }).click();
    await other.waitsAt(7);
    await expect(other.page.getByText(/^Batch of update 8:/)).toBeVisible();
    expect(await violations(other.page)).toEqual([]);
    await other.button('Back to now').click();
    expect(await other.finish()).toBe(whole);
    await other.page.getByRole('region', { name: 'Timeline' }).locator('summary').click();
    await other.page.getByRole('button', { name: /^7 .*opened from a bundle/ }).click();
    await other.button('Fork with a change').click();
    await other.page.getByRole('combobox', { name: 'Advantage method' }).selectOption('grpo');
    await other.button('Make the fork').click();
    await other.waitsAt(7);
    expect(await other.finish()).not.toBe(whole);
  });

  await test.step('two seeds go from the table into a bundle with their comparison', async () => {
    await selectRuns(other);
    const sweep = await save(other.page, 'Save bundle');
    expect(sweep.name).toMatch(/\.labsweep\.zip$/);
    expect(sweep.content.toString('latin1')).toContain('report.html');
  });

  await test.step('weights are read from the file when they are wanted: one that has changed since is told so', async () => {
    await other.page.goto(`${other.site}#/lab`);
    await other.openShare('Files');
    const path = testInfo.outputPath('moved.labrun.zip');
    writeFileSync(path, bundle.content);
    await openBundle(other.page, path);
    await expect(other.page.getByRole('dialog').getByRole('status')).toContainText('The bundle is sound.');
    await other.page.keyboard.press('Escape');
    writeFileSync(path, bundle.content.subarray(0, 1000));
    await strip.getByRole('button', { name: 'Continue from its weights' }).click();
    await expect(
      other.page.getByText('The file of the bundle was changed or moved since it was opened.').first(),
    ).toBeVisible();
  });
  await context.close();
});

test.describe('with everything there', () => {
  test.use({ ahead: true });

  test('what is dropped is told apart by its content: an archive like a bundle is opened as one, and the page stays', async ({
    lab,
    page,
  }) => {
    await lab.open();
    await lab.hasLoadedAhead();
    await page.evaluate(() => {
      const transfer = new DataTransfer();
      // an archive with the names of a bundle in it that is none
      transfer.items.add(new File(['PK manifest.json config.json and nothing else'], 'x.zip'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await expect(page.getByText('The bundle was not opened. It is not a zip archive').first()).toBeVisible();
  });
});

test('runs of a comparison go into a bundle with their weights on request: they train again, to the same digests', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4 });
  await lab.button('Compare settings').click();
  await lab.button('Learning rates').click();
  await page.getByRole('spinbutton', { name: 'Seeds', exact: true }).fill('1');
  await page.getByRole('spinbutton', { name: 'Updates', exact: true }).fill('6');
  await lab.button('Start comparison').click();
  await page.getByRole('link', { name: 'See results' }).click();
  await lab.button('Select all').click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save with weights' }).click(),
  ]);
  const zip = readFileSync(await saved.path());
  const names = [...zip.toString('latin1').matchAll(/cells\/[a-z2-7]{10}\/(\w+\.\w+)/g)].map(([, name]) => name!);
  const runs = names.filter((name) => name === 'manifest.json').length;
  expect(runs).toBeGreaterThan(2);
  for (const name of ['weights.safetensors', 'optimizer.safetensors', 'trajectories.jsonl'])
    expect(names.filter((one) => one === name)).toHaveLength(runs);
  // it is opened after all its checks
  await page.goto(lab.site);
  await lab.openShare('Files');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Open a bundle …' }).click(),
  ]);
  await chooser.setFiles({ name: 'x.labsweep.zip', mimeType: 'application/zip', buffer: zip });
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('The bundle is sound');
});
