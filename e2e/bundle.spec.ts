import { readFileSync } from 'node:fs';
import { violations, bringAxe } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { Lab } from './lab.ts';

test('a run travels as a bundle: saved here, opened elsewhere as a draft beside the own one, and verified', async ({
  lab,
  page,
  browser,
}) => {
  await lab.open();
  await lab.openShare('Files');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Save bundle' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await lab.load({ 'run.seeds': 2, 'run.updates': 40 });
  await lab.steps(4);
  await lab.openShare('Link');
  await dialog.getByLabel('Title (optional)').fill('My run');
  await dialog.getByRole('tab', { name: 'Files' }).click();
  await expect(dialog.getByRole('button', { name: 'Save bundle' })).toBeEnabled();
  await dialog.getByRole('checkbox', { name: /Parquet/ }).check();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save bundle' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^my-run-[a-z2-7]{10}\.labrun\.zip$/);
  const bundle = readFileSync(await saved.path());
  expect(bundle.toString('latin1')).toContain('metrics.parquet');
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save report' }).click(),
  ]);
  expect(readFileSync(await report.path()).toString('latin1')).toContain('report.html');
  const result = (await lab.digest()).result;

  const other = await (await browser.newContext()).newPage();
  await bringAxe(other);
  await other.goto(lab.site);
  await new Lab(other, lab.site).openShare('Files');
  const [chooser] = await Promise.all([
    other.waitForEvent('filechooser'),
    other.getByRole('button', { name: 'Open a bundle …' }).click(),
  ]);
  await chooser.setFiles({ name: 'run.labrun.zip', mimeType: 'application/zip', buffer: bundle });
  await expect(other.getByRole('dialog').getByRole('status')).toContainText('2 runs are kept in the table of runs.');
  expect(await violations(other)).toEqual([]);
  await other.keyboard.press('Escape');
  const strip = other.getByRole('region', { name: 'Opened from a bundle' });
  await expect(strip).toContainText('My run');
  await strip.getByRole('button', { name: 'Verify' }).click();
  await expect(strip.getByRole('status')).toHaveText('Identical: every action and reward of every update is the same.');
  const digest = await other.evaluate(() =>
    (window as unknown as { lab: { digest(): Promise<{ result: string }> } }).lab.digest(),
  );
  expect(digest.result).toBe(result);
  const kept = await other.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        const opening = indexedDB.open('horizon-lab');
        opening.onsuccess = () => {
          const asked = opening.result.transaction('runs').objectStore('runs').getAll();
          asked.onsuccess = () => resolve(asked.result as unknown[]);
        };
      }),
  );
  expect(kept.filter((run) => (run as { origin: string }).origin === 'bundle')).toHaveLength(2);
  // the same runs from their table: two seeds with their comparison
  await other.goto(`${lab.site}#/runs`);
  await other
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check();
  const [sweep] = await Promise.all([
    other.waitForEvent('download'),
    other.getByRole('group', { name: 'Selected runs' }).getByRole('button', { name: 'Save bundle' }).click(),
  ]);
  expect(sweep.suggestedFilename()).toMatch(/\.labsweep\.zip$/);
  expect(readFileSync(await sweep.path()).toString('latin1')).toContain('report.html');
  await other.context().close();
});

test('runs of the page go from their table into a bundle with their weights, and are opened from it', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.seeds': 2, 'run.updates': 3 });
  await lab.finish();
  await lab.isKept(3);
  await page.goto(`${lab.site}#/runs`);
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('group', { name: 'Selected runs' }).getByRole('button', { name: 'Save bundle' }).click(),
  ]);
  const bundle = readFileSync(await saved.path());
  // every file is named with its content and once more in the list of all
  expect(bundle.toString('latin1').match(/\/weights\.safetensors/g)).toHaveLength(4);
  // reading checks that the weights are those of this network, whole, and of the update that the metrics end with
  await page.goto(lab.site);
  await lab.openShare('Files');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), lab.button('Open a bundle …').click()]);
  await chooser.setFiles({ name: 'runs.labsweep.zip', mimeType: 'application/zip', buffer: bundle });
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('2 runs are kept in the table of runs.');
});

test('a bundle of a run continues from its weights: its episodes are shown, it ends with the digest of the run, and can be forked', async ({
  lab,
  page,
  browser,
}) => {
  await lab.open();
  await lab.load({ 'run.seeds': 2, 'run.updates': 10, 'policy.mlp.hidden': [16], 'run.backend': 'cpu' });
  await lab.steps(7);
  await lab.openShare('Files');
  const [saved] = await Promise.all([page.waitForEvent('download'), lab.button('Save bundle').click()]);
  const bundle = readFileSync(await saved.path());
  await page.keyboard.press('Escape');
  const whole = await lab.finish();

  const other = new Lab(await (await browser.newContext()).newPage(), lab.site);
  await bringAxe(other.page);
  await other.open();
  await other.openShare('Files');
  const [chooser] = await Promise.all([
    other.page.waitForEvent('filechooser'),
    other.button('Open a bundle …').click(),
  ]);
  await chooser.setFiles({ name: 'run.labrun.zip', mimeType: 'application/zip', buffer: bundle });
  await expect(other.page.getByRole('dialog').getByRole('status')).toContainText('2 runs are kept');
  await other.page.keyboard.press('Escape');
  const strip = other.page.getByRole('region', { name: 'Opened from a bundle' });
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
  await other.page.context().close();
});

test('a file that is no bundle, or one that was changed, says why and opens nothing', async ({ lab, page }) => {
  await lab.open();
  await lab.load({ 'run.seeds': 1, 'run.updates': 40 });
  await lab.steps(2);
  await lab.openShare('Files');
  const dialog = page.getByRole('dialog');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save bundle' }).click(),
  ]);
  const changed = Buffer.from(readFileSync(await saved.path()));
  const at = changed.indexOf('"updates"');
  changed[at + 1] = 'x'.charCodeAt(0);
  for (const [buffer, sentence] of [
    [Buffer.from('hello'), /was not opened. It is not a zip archive/],
    [changed, /was not opened. The file “manifest.json” is damaged/],
  ] as const) {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Open a bundle …' }).click(),
    ]);
    await chooser.setFiles({ name: 'x.zip', mimeType: 'application/zip', buffer });
    await expect(dialog.getByRole('status')).toHaveText(sentence);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: /Opened from/ })).toHaveCount(0);
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
