import type { Page } from '@playwright/test';
import { expect, saveData, test, watch } from './fixtures.ts';
import { Lab } from './lab.ts';
import { linkWith, payloadOf } from './payload.ts';

/** Changes one setting by hand, as a person would. */
async function setSeeds(lab: Lab, seeds: number): Promise<void> {
  await lab.load({ 'run.seeds': seeds });
}

/** A link comes to a page that is open. */
const arrives = (page: Page, link: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), link.slice(link.indexOf('#')));

/** What is said of a bad link is closed, so that what comes next is said of the next. */
async function closeAlert(page: Page): Promise<void> {
  await page
    .getByRole('alert')
    .getByRole('button', { name: /^Close/ })
    .click();
  await expect(page.getByRole('alert')).toHaveCount(0);
}

test('a copied link shows the same experiment in another browser, as a draft that has not started; it never replaces local work, and is recognized where it was cut', async ({
  lab,
  page,
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
  await saveData(context);
  const another = await context.newPage();
  const complaints: string[] = [];
  watch(another, complaints);
  const other = new Lab(another, site);
  await other.open(link.slice(site.length));
  await expect(another.getByText(/opened from a link/i).first()).toBeVisible();
  const theirs = await other.digest();
  expect(theirs.config).toBe(mine.config);
  expect(theirs.perSeed).toHaveLength(4);
  expect(await other.state()).toMatchObject({ state: 'ready', update: 0 });
  expect(complaints).toEqual([]);
  await context.close();

  // discarding it brings the own draft back
  await setSeeds(lab, 2);
  await expect.poll(async () => (await lab.digest()).perSeed.length).toBe(2);
  const own = await lab.digest();
  await expect.poll(() => lab.kept('run', 'seeds')).toBe(2);

  await page.goto('about:blank');
  await lab.open(link.slice(lab.site.length));
  expect((await lab.digest()).perSeed).toHaveLength(4);
  await lab.button(/^Discard/).click();
  await expect.poll(async () => (await lab.digest()).config).toBe(own.config);

  // a chat program has cut it
  await arrives(page, link.slice(0, -9));
  await expect(page.getByRole('alert').filter({ hasText: /cut/i })).toBeVisible();
  expect((await lab.digest()).config).toBe(own.config);
});

test('a link of another version, without sense or without end is said in words; a hostile one changes nothing but its own sentence', async ({
  lab,
  page,
}) => {
  const bad = [
    ['999.j.e30.AAAAAA', /newer/i],
    ['hello', /link/i],
    [`1.j.${'A'.repeat(20_000)}.AAAAAA`, /long/i],
    ...[
      '{"c":{"__proto__":{"polluted":1}}}',
      '{"c":{"constructor":{"prototype":{"polluted":1}}}}',
      '{"c":{"run":{"updates":1e999}}}',
      '{"c":{"run":{"seeds":1000000}}}',
      '{"c":{},"t":"<img src=x onerror=alert(1)>","nonsense":true}',
      `${'['.repeat(500)}${']'.repeat(500)}`,
    ].map((json) => [payloadOf(json), /./] as const),
  ] as const;
  for (const [k, [payload, sentence]] of bad.entries()) {
    const words = payload.slice(0, 60);
    // the first is what the page is opened with
    if (k === 0) await lab.open(`#/lab?x=${payload}`);
    else {
      await closeAlert(page);
      await arrives(page, `#/lab?x=${payload}`);
    }
    await expect(page.getByRole('alert'), words).toContainText(sentence);
    expect(await page.evaluate(() => 'polluted' in {}), words).toBe(false);
    expect(await lab.state(), words).toMatchObject({ state: 'ready', update: 0 });
    expect((await lab.digest()).perSeed, words).toHaveLength(3);
  }
});

test('the address follows the draft, a reload keeps it, and Back returns to the experiment that was run; what no run could have is repaired by a click', async ({
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

  // an old link with an estimator of cells trains, and one click repairs a threshold that wastes it
  await arrives(page, linkWith({ advantage: { method: 'gigpoSimilar', gigpoSimilar: { threshold: 0.9 } } }));
  await expect(lab.runButton).toBeEnabled();
  const field = page.locator('[data-path="advantage.gigpoSimilar.threshold"]');
  await field.evaluate((one) => one.closest('details')?.setAttribute('open', ''));
  await expect(field).toContainText('on a map seen whole, a move changes two');
  await field.getByRole('button', { name: /0\.96/ }).click();
  await expect(field).not.toContainText('a move changes two');

  // a link with an estimator of forks and a rollout without them says why, and one click gives it forks
  await arrives(page, linkWith({ advantage: { method: 'arpo' } }));
  await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: 'advantage →' }).click();
  const method = page.locator('[data-path="advantage.method"]');
  await expect(method).toContainText('needs episodes that were forked from others');
  await method.getByRole('button', { name: /use Forks where uncertain/i }).click();
  await expect(lab.runButton).toBeEnabled();

  // a link into another world is told as the experiment there that it is most like, and where the task is its own nothing is
  // said of what happens in that one
  await arrives(page, linkWith({ task: { method: 'sokoban', sokoban: { level: 'goRound', maxSteps: 33 } } }));
  await expect(page.getByRole('button', { name: /^Experiment: Sokoban/ })).toBeVisible();
  await expect(page.locator('.lookfor')).toHaveCount(0);
});
