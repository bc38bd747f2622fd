import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';
import { linkWith } from './payload.ts';

type Changes = Readonly<Record<string, unknown>>;

/** Fragment of a link that carries these changes, told by their paths. */
function linkOf(changes: Changes): string {
  const nested: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    let at = nested;
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
    at[names.at(-1)!] = value;
  }
  return linkWith(nested);
}

/** More than a page gives a run; once 5 GB by being opened. */
const HUGE = {
  'run.seeds': 64,
  'policy.mlp.hidden': [512, 512, 512, 512],
  'rollout.tasksPerBatch': 64,
  'rollout.groupSize': 16,
};
/** Allowed, but an update takes minutes. */
const LARGE = {
  'run.seeds': 1,
  'run.backend': 'cpu',
  'policy.mlp.hidden': [512, 512, 512, 512],
  'rollout.tasksPerBatch': 4,
  'task.grid.maxSteps': 1000,
};

const stateOf = (page: Page) => page.locator('.status dd').first();
const notice = (page: Page, words: string | RegExp) =>
  page.getByRole('region', { name: 'Notices' }).locator('.notice').filter({ hasText: words });

/** Presses buttons and reads after each what the page says then, in one turn: nothing can be answered in between. */
function pressed(page: Page, ...names: readonly string[]): Promise<string[]> {
  return page.evaluate(async (labels) => {
    const words: string[] = [];
    for (const label of labels) {
      const all = [...document.querySelectorAll<HTMLButtonElement>('.runbar button')];
      all.find((b) => (b.getAttribute('aria-label') ?? b.textContent)?.trim() === label)!.click();
      // React draws in a microtask; no worker can answer before it
      await Promise.resolve();
      words.push(document.querySelector('.status dd')!.textContent);
    }
    return words;
  }, names);
}

/** Another experiment without waiting for it. */
const ask = (lab: Lab, changes: Changes): Promise<void> =>
  lab.page.evaluate((fragment) => void (location.hash = fragment), linkOf(changes));

test('what a page or its device cannot start, and settings that keep it waiting, are said in one sentence, each with a repair', async ({
  lab,
  page,
}) => {
  await lab.open();

  await test.step('beside Run stands which settings keep it waiting, with the way to each of them', async () => {
    await page.evaluate(() =>
      (window as unknown as { lab: { load(what: object): Promise<void> } }).lab.load({ 'rollout.groupSize': 1 }),
    );
    const words = page.getByRole('region', { name: 'Run' }).getByText('1 setting to fix: group size →');
    await expect(words).toBeVisible();
    await expect(lab.runButton).toBeDisabled();
    await words.getByRole('button').click();
    await expect(page.getByText('live', { exact: true }).first()).toBeVisible();
    await expect(page.locator('[data-path="rollout.groupSize"] input')).toBeFocused();
    await page.getByRole('button', { name: 'set 8', exact: true }).click();
    await expect(words).toHaveCount(0);
    await expect(lab.runButton).toBeEnabled();
    // a number that is refused stays where it was typed and is named beside Run, also after the field is left
    const size = page.locator('[data-path="rollout.groupSize"]');
    await size.getByRole('spinbutton').fill('7.5');
    await page.getByRole('heading', { name: 'World' }).click();
    await expect(words).toBeVisible();
    await expect(lab.runButton).toBeDisabled();
    await lab.button('Hide setup').click();
    await words.getByRole('button').click();
    await expect(size.getByRole('spinbutton')).toBeFocused();
    await expect(size.getByRole('spinbutton')).toHaveValue('7.5');
    await expect(size.getByRole('alert')).toHaveText('A whole number from 1 to 512, please.');
    await size.getByRole('button', { name: 'Keep 8' }).click();
    await expect(size.getByRole('spinbutton')).toHaveValue('8');
    await expect(words).toHaveCount(0);
    await size.getByRole('spinbutton').fill('');
    await expect(words).toBeVisible();
    await size.getByRole('spinbutton').fill('16');
    await expect(words).toHaveCount(0);
    await expect(lab.runButton).toBeEnabled();
  });

  await test.step('a link that asks for more memory than a page gives, with a repair that fits', async () => {
    await lab.load('key-door');
    await ask(lab, HUGE);
    const said = notice(page, 'The link asks for more than this page can start');
    await expect(said).toContainText(/GiB of (graphics )?memory; at most [\d.]+ [MG]iB/);
    await expect(page.getByRole('region', { name: 'Notices' }).getByRole('alert')).toHaveCount(1);
    await expect(lab.runButton).toBeDisabled();
    await expect(stateOf(page)).toHaveText('not loaded');
    await said.getByRole('button', { name: /^Repair: set (seeds )?\d+/ }).click();
    await expect(said).toHaveCount(0);
    await expect(lab.runButton).toBeEnabled();
  });

  await test.step('a link that says WebGPU, opened where there is none, with the CPU path in one click', async () => {
    await lab.load('key-door');
    await lab.steps(1);
    await lab.button('Reset').click();
    await lab.becomes('ready');
    await ask(lab, { 'run.backend': 'webgpu', 'run.updates': 7 });
    const asks = notice(page, 'This experiment asks for the GPU');
    await expect(asks).toContainText('none of it was loaded');
    // nothing of the experiment before is left
    await expect(stateOf(page)).toHaveText('not loaded');
    await expect(page.locator('.progress .number').first()).toHaveText('0 / 7');
    // Run says it again instead of doing nothing
    await asks.getByRole('button', { name: /^Close/ }).click();
    await lab.runButton.click();
    await expect(asks).toHaveCount(1);
    await asks.getByRole('button', { name: 'Run it on the CPU' }).click();
    await lab.becomes('ready');
    await expect(asks).toHaveCount(0);
    expect(await lab.state()).toMatchObject({ backend: 'cpu', updates: 7 });
    await lab.runButton.click();
    await lab.becomes('finished');
  });
});

test('a large experiment from a link is not loaded before Run, which it says; its time is that of a small copy; every press is answered at once', async ({
  lab,
  page,
}) => {
  await lab.open(linkOf(LARGE));
  await expect(stateOf(page)).toHaveText('waits for Run');
  await expect(page.getByText('it is prepared when you press Run')).toBeVisible();
  expect(await lab.state()).toMatchObject({ state: 'empty', update: 0, updates: 200 });
  expect(await lab.digest()).toMatchObject({ config: '' });
  // its episodes are cut short to measure that, so it is the most
  await expect(page.getByRole('region', { name: 'Run' }).getByText(/^takes up to \d+/)).toBeVisible({
    timeout: 60_000,
  });
  expect(await lab.digest()).toMatchObject({ config: '' });

  await test.step('a newer press ends what an older one still wanted', async () => {
    await page.evaluate(() => {
      const press = (name: string): void =>
        [...document.querySelectorAll<HTMLButtonElement>('.runbar button')]
          .find((b) => (b.getAttribute('aria-label') ?? b.textContent)?.trim() === name)!
          .click();
      press('Run');
      press('Reset');
    });
    await expect(stateOf(page)).toHaveText('waits for Run');
    expect(await lab.state()).toMatchObject({ state: 'empty', update: 0 });
  });

  await test.step('every press is answered by what is happening, also while a heavy experiment is made', async () => {
    // the press can be taken back at once
    expect(await pressed(page, 'Run', 'Pause', 'Step one update')).toEqual(['starting…', 'pausing…', 'stepping…']);
    expect(await pressed(page, 'Reset')).toEqual(['resetting…']);
  });
});

/** A page that dies while it loads its draft: the worker never comes, and the renderer is made to crash. */
async function dieWhileLoading(page: Page, site: string): Promise<void> {
  await page.route('**/assets/worker-*.js', () => undefined);
  await page.goto(site);
  await expect(stateOf(page)).toHaveText('loading…');
  const marked = () => page.evaluate(() => localStorage.getItem('horizon-lab-loading'));
  await expect.poll(marked).toContain('"updates":11');
  const crashed = page.waitForEvent('crash');
  const client = await page.context().newCDPSession(page);
  void client.send('Page.crash').catch(() => undefined);
  await crashed;
}

test('a draft that cannot be loaded is offered the next time and not lost: it says WebGPU where there is none, or the page died of it', async ({
  lab,
  page,
  site,
}) => {
  await test.step('the CPU path takes one that says WebGPU, on the next visit as well', async () => {
    await lab.open();
    await lab.load({ 'run.updates': 9 });
    await page.evaluate(() =>
      (window as unknown as { lab: { load(what: unknown): void } }).lab.load({ 'run.backend': 'webgpu' }),
    );
    const said = notice(page, 'This experiment asks for the GPU');
    await expect(said).toHaveCount(1);
    await expect.poll(() => lab.kept('run', 'backend')).toBe('webgpu');
    await page.goto(lab.site);
    await expect(said).toHaveCount(1);
    await said.getByRole('button', { name: 'Run it on the CPU' }).click();
    await lab.becomes('ready');
    expect((await lab.state()).updates).toBe(9);
  });

  await test.step('one that the page died of is not loaded by itself', async () => {
    await lab.load({ 'run.updates': 11 });
    await expect.poll(() => lab.kept('run', 'updates')).toBe(11);
    await dieWhileLoading(page, site);
    const next = await page.context().newPage();
    await next.goto(site);
    const said = notice(next, 'The page stopped while it loaded an experiment');
    await expect(said).toHaveCount(1);
    const updates = next.locator('.progress .number').first();
    await expect(updates).toHaveText('0 / 200');
    // it stays offered until somebody decides
    await next.reload();
    await expect(said).toHaveCount(1);
    await said.getByRole('button', { name: 'Load it anyway' }).click();
    await expect(updates).toHaveText('0 / 11');
    await expect(said).toHaveCount(0);
    await next.reload();
    await expect(updates).toHaveText('0 / 11');
    await expect(said).toHaveCount(0);
    await next.close();
  });
});

test('a page that is left while it loads has not died, and a page that loads in another tab neither', async ({
  page,
  site,
  complaints,
}) => {
  await page.route('**/assets/worker-*.js', () => undefined);
  await page.goto(`${site}${linkOf({ 'run.updates': 11 })}`);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('horizon-lab-loading'))).toContain('"updates":11');
  const other = await page.context().newPage();
  await other.goto(site);
  await expect(other.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await expect(notice(other, 'The page stopped')).toHaveCount(0);
  await page.goto('about:blank');
  await other.reload();
  await expect(other.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await expect(notice(other, 'The page stopped')).toHaveCount(0);
  await other.close();
  complaints.length = 0;
});
