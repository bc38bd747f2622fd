import { expect, test, watch } from './fixtures.ts';
import { Lab } from './lab.ts';
import { payloadOf } from './payload.ts';

/** Changes one setting by hand, as a person would. */
async function setSeeds(lab: Lab, seeds: number): Promise<void> {
  await lab.load({ 'run.seeds': seeds });
}

test('a copied link shows the same experiment in another browser, as a draft that has not started', async ({
  lab,
  browser,
  site,
}) => {
  await lab.open();
  await setSeeds(lab, 4);
  await expect.poll(async () => (await lab.digest()).perSeed.length).toBe(4);
  const mine = await lab.digest();
  const link = await lab.copyLink();
  expect(link.length).toBeLessThanOrEqual(1000);

  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  watch(page, complaints);
  const other = new Lab(page, site);
  await other.open(link.slice(site.length));
  await expect(page.getByText(/opened from a link/i).first()).toBeVisible();
  const theirs = await other.digest();
  expect(theirs.config).toBe(mine.config);
  expect(theirs.perSeed).toHaveLength(4);
  expect(await other.state()).toMatchObject({ state: 'ready', update: 0 });
  expect(complaints).toEqual([]);
  await context.close();
});

test('a link never replaces local work: discarding it brings the own draft back', async ({ lab, page }) => {
  await lab.open();
  await setSeeds(lab, 4);
  const link = await lab.copyLink();
  await setSeeds(lab, 2);
  await expect.poll(async () => (await lab.digest()).perSeed.length).toBe(2);
  const own = await lab.digest();
  await expect.poll(() => lab.kept('run', 'seeds')).toBe(2);

  await page.goto('about:blank');
  await lab.open(link.slice(lab.site.length));
  expect((await lab.digest()).perSeed).toHaveLength(4);
  await lab.button(/^Discard/).click();
  await expect.poll(async () => (await lab.digest()).config).toBe(own.config);
});

test('an old link with an estimator that no run could have trains, and one click repairs a threshold that wastes it', async ({
  lab,
  page,
}) => {
  await page.goto(
    `${lab.site}#/lab?x=${payloadOf('{"c":{"advantage":{"method":"gigpoSimilar","gigpoSimilar":{"threshold":0.9}}}}')}`,
  );
  await expect(lab.runButton).toBeEnabled();
  await lab.openSetup();
  const field = page.locator('[data-path="advantage.gigpoSimilar.threshold"]');
  await field.evaluate((one) => one.closest('details')?.setAttribute('open', ''));
  await expect(field).toContainText('on a map seen whole, a move changes two');
  await field.getByRole('button', { name: /0\.96/ }).click();
  await expect(field).not.toContainText('a move changes two');
});

test('a link with an estimator of forks and a rollout without them says why, and one click gives it forks', async ({
  lab,
  page,
}) => {
  await page.goto(`${lab.site}#/lab?x=${payloadOf('{"c":{"advantage":{"method":"arpo"}}}')}`);
  await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: 'advantage →' }).click();
  const field = page.locator('[data-path="advantage.method"]');
  await expect(field).toContainText('needs episodes that were forked from others');
  await field.getByRole('button', { name: /use Forks where uncertain/i }).click();
  await expect(lab.runButton).toBeEnabled();
});

test('a link that a chat program cut is recognized as cut', async ({ lab, page }) => {
  await lab.open();
  await setSeeds(lab, 4);
  const link = await lab.copyLink();
  await page.goto('about:blank');
  await lab.open(link.slice(lab.site.length, -9));
  await expect(page.getByRole('alert').filter({ hasText: /cut/i })).toBeVisible();
  expect(await lab.state()).toMatchObject({ state: 'ready', update: 0 });
});

for (const [what, payload, sentence] of [
  ['a link of a newer version', '999.j.e30.AAAAAA', /newer/i],
  ['text that is no link', 'hello', /link/i],
  ['an endless payload', `1.j.${'A'.repeat(20_000)}.AAAAAA`, /long/i],
] as const) {
  test(`${what} opens the default experiment and says why in words`, async ({ lab, page }) => {
    await lab.open(`#/lab?x=${payload}`);
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
    expect(await lab.state()).toMatchObject({ state: 'ready', update: 0 });
    expect((await lab.digest()).perSeed).toHaveLength(3);
  });
}

test('a hostile link changes nothing but its own sentence', async ({ lab, page }) => {
  const hostile = [
    '{"c":{"__proto__":{"polluted":1}}}',
    '{"c":{"constructor":{"prototype":{"polluted":1}}}}',
    '{"c":{"run":{"updates":1e999}}}',
    '{"c":{"run":{"seeds":1000000}}}',
    '{"c":{},"t":"<img src=x onerror=alert(1)>","nonsense":true}',
    `${'['.repeat(500)}${']'.repeat(500)}`,
  ];
  for (const json of hostile) {
    await page.goto('about:blank');
    await lab.open(`#/lab?x=${payloadOf(json)}`);
    await expect(page.getByRole('alert').first(), json).toBeVisible();
    expect(await page.evaluate(() => 'polluted' in {}), json).toBe(false);
    expect((await lab.digest()).perSeed, json).toHaveLength(3);
  }
});

test('the address follows the draft, a reload keeps it, and Back returns to the experiment that was run', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.seeds': 4, 'run.updates': 3 });
  await expect.poll(() => page.url()).toContain('#/lab?x=');
  await expect.poll(() => lab.kept('run', 'seeds')).toBe(4);
  await lab.reload();
  expect((await lab.digest()).perSeed).toHaveLength(4);
  await expect(page.getByText(/opened from a link/i)).toHaveCount(0);
  await lab.finish();
  const before = page.url();
  await lab.experiment().click();
  await lab.button(/^Corridor of 12/).click();
  await expect.poll(() => page.url()).not.toBe(before);
  await page.goBack();
  await lab.openSetup();
  await expect(page.getByText(/^Key and door · GiGPO: seeds 3 → 4, updates 200 → 3$/)).toBeVisible();
  await expect(page.getByRole('spinbutton', { name: 'Seeds' })).toHaveValue('4');
});
