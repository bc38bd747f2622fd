import { bringAxe, expectToFit } from './axe.ts';
import { Embed, expect, openFrame, test } from './hostPage.ts';
import { Lab } from './lab.ts';
import { contentOf, payloadOf } from './payload.ts';

/** Few episodes, so that an update takes no time. */
const SMALL = { rollout: { groupSize: 4, tasksPerBatch: 2 }, run: { updates: 6, seeds: 2 } };
const payload = payloadOf(JSON.stringify({ c: SMALL, t: 'A small run' }));
const withUpdates = (updates: number): string =>
  payloadOf(JSON.stringify({ c: { ...SMALL, run: { updates, seeds: 2 } } }));
test.use({ visit: 'first', ahead: true });

const VIEWS = ['stage', 'charts', 'credit', 'graph', 'compare'] as const;

test('every view trains in a sandbox without an origin, has at most six controls, and fits; where new pages are forbidden, the address is there to copy', async ({
  page,
  host,
  site,
  troubles,
}) => {
  for (const view of VIEWS)
    await test.step(view, async () => {
      const embed = await openFrame(page, host, `${site}#/embed/${view}?x=${payload}`);
      await embed.isReady();
      expect(await embed.frame.evaluate(() => origin)).toBe('null');
      await expect(embed.frame.getByRole('heading', { level: 1 })).toHaveText('A small run');
      await embed.steps(2);
      await expect(embed.frame.locator('main canvas, main svg.recharts-surface').first()).toBeVisible();
      const controls = await embed.frame
        .locator('button, a[href], input, select, textarea, summary')
        .filter({ visible: true })
        .count();
      expect(controls).toBeLessThanOrEqual(6);
      if (view !== 'charts') return;
      expect(troubles).toEqual([]);
      await embed.frame.getByRole('link', { name: 'Open in the lab' }).click();
      await expect(embed.frame.getByLabel(/This frame may not open pages/)).toHaveValue(/#\/lab\?x=/);
      expect(troubles.splice(0).filter((words) => words.startsWith('console'))).toEqual([
        expect.stringContaining('Blocked opening'),
      ]);
    });
});

test('every view fits a narrow and a wide frame in both themes, without a violation', async ({ page, site }) => {
  await bringAxe(page);
  for (const view of VIEWS) {
    await page.goto('about:blank');
    await page.goto(`${site}#/embed/${view}?x=${payload}`);
    const embed = new Embed(page.mainFrame());
    await embed.isReady();
    await expectToFit(page, [320], `${view} before`);
    await embed.steps(1);
    await expectToFit(page, [320, 640], view);
  }
});

test('what cannot be shown is said in one sentence with a way to the lab, and starts nothing', async ({
  page,
  site,
}) => {
  await bringAxe(page);
  const tooLarge = payloadOf(JSON.stringify({ c: { rollout: { groupSize: 512, tasksPerBatch: 512 } } }));
  for (const [hash, words] of [
    ['world', 'There is no view “world”; use stage, charts, credit, graph, compare or lesson.'],
    ['stage?x=1.j.e30.AAAAAA', 'The link is cut or damaged'],
    ['charts?metrics=success,luck', 'There is no metric “luck”'],
    ['stage?lang=de', '“lang=de” is not possible; use en.'],
    [`stage?run=1&x=${tooLarge}`, 'The link asks for more than this page can start'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${site}#/embed/${hash}`);
    await expect(page.getByRole('alert')).toContainText(words);
    await expect(page.getByRole('link', { name: 'Open the lab' })).toHaveAttribute('href', site);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(page.workers()).toEqual([]);
    await expectToFit(page, [320], hash);
  }
});

test('a frame stores nothing, even where it may', async ({ page, host, site }) => {
  const embed = await openFrame(page, host, `${site}#/embed/stage?x=${payload}`, {
    sandbox: 'allow-scripts allow-same-origin',
  });
  await embed.isReady();
  await embed.steps(3);
  await embed.frame.getByLabel('On the map').selectOption('credit');
  const stored = await embed.frame.evaluate(async () => [
    Object.keys(localStorage),
    Object.keys(sessionStorage),
    await indexedDB.databases(),
    await caches.keys(),
    (await navigator.serviceWorker.getRegistrations()).length,
    document.cookie,
  ]);
  expect(stored).toEqual([[], [], [], [], 0, '']);
});

test.describe('by itself', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a frame below the fold does nothing until it is in sight, trains there, and stops when it is scrolled away', async ({
    page,
    host,
    site,
  }) => {
    // what takes longer than ten seconds waits for Run: so little that no busy machine takes it for that
    const c = { rollout: { groupSize: 2, tasksPerBatch: 1 }, run: { updates: 30, seeds: 1 } };
    const long = payloadOf(JSON.stringify({ c }));
    const embed = await openFrame(page, host, `${site}#/embed/charts?run=1&x=${long}`, { above: 3000 });
    await expect(embed.progress).toHaveText('preparing…');
    expect(page.workers()).toEqual([]);
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await expect(embed.progress).toHaveText(/running/);
    await page.evaluate(() => scrollTo(0, 0));
    await expect(embed.progress).toHaveText(/paused/);
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await expect(embed.progress).toHaveText(/running/);
    // what a person pauses stays paused
    await embed.button('Pause').click();
    await expect(embed.progress).toHaveText(/paused/);
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await expect(embed.button('Resume')).toBeVisible();
    await embed.button('Resume').click();
    await expect(embed.progress).toHaveText('30 / 30 · finished');
  });

  test('what takes longer than ten seconds waits for Run, and says so', async ({ page, host, site }) => {
    const long = withUpdates(20_000);
    const embed = await openFrame(page, host, `${site}#/embed/charts?run=1&x=${long}`);
    await expect(embed.frame.getByText('It takes longer than ten seconds here, so it waits for Run.')).toBeVisible();
    await expect(embed.progress).toHaveText('0 / 20,000 · ready');
  });
});

test('“Open in the lab” carries what is shown: experiment, update, step and part of the page', async ({
  page,
  host,
  site,
  context,
}) => {
  const sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
  const embed = await openFrame(page, host, `${site}#/embed/stage?x=${payload}`, { sandbox });
  await embed.isReady();
  await embed.steps(2);
  await embed.frame.getByLabel('On the map').selectOption('visits');
  await embed.frame.getByRole('slider').fill('3');
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    embed.frame.getByRole('link', { name: 'Open in the lab' }).click(),
  ]);
  expect(contentOf(opened.url())).toMatchObject({ c: SMALL, t: 'A small run', m: { u: 2, s: 3, o: 'visits' } });
  const lab = new Lab(opened, site);
  await expect(lab.runButton).toBeEnabled();
  expect(await opened.evaluate(() => [origin, crossOriginIsolated, opener])).toEqual([
    new URL(site).origin,
    true,
    null,
  ]);
  // and back: the same link in a frame is the same experiment
  const again = await openFrame(page, host, `${site}#/embed/stage?x=${opened.url().split('x=')[1]}`);
  await again.isReady();
  await expect(again.frame.getByLabel('On the map')).toHaveValue('visits');
});

test('with the keys alone: run, pause, step, and the map', async ({ page, site }) => {
  await page.goto(`${site}#/embed/stage?x=${payload}`);
  const embed = new Embed(page.mainFrame());
  await embed.isReady();
  await page.keyboard.press('s');
  await expect(embed.progress).toHaveText(/^1 /);
  await page.keyboard.press('Tab');
  await expect(embed.button('Resume')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(embed.progress).toHaveText('6 / 6 · finished');
  await expect(embed.button('Run again')).toBeFocused();
});

test('fewer controls, or none', async ({ page, site }) => {
  for (const [controls, names] of [
    ['min', ['Run']],
    ['none', []],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${site}#/embed/stage?controls=${controls}&x=${payload}`);
    await new Embed(page.mainFrame()).isReady();
    expect(await page.getByRole('button').allTextContents()).toEqual(names.map((name) => ` ${name}`));
    await expect(page.getByRole('link')).toHaveCount(controls === 'min' ? 1 : 0);
    await expect(page.getByRole('combobox')).toHaveCount(0);
  }
});

for (const sandbox of ['allow-scripts', 'allow-scripts allow-same-origin'])
  test(`${sandbox}: a page that is cross-origin isolated can hold a frame, too`, async ({ page, host, site }) => {
    host.headers['Cross-Origin-Opener-Policy'] = 'same-origin';
    host.headers['Cross-Origin-Embedder-Policy'] = 'require-corp';
    const embed = await openFrame(page, host, `${site}#/embed/stage?x=${payload}`, { sandbox });
    await embed.isReady();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await embed.steps(1);
  });

test('on a page that is not isolated a frame is so by itself, where the browser can: one seed trains on several cores', async ({
  page,
  host,
  site,
}) => {
  await page.addInitScript(() => location.href.includes('#/embed') && sessionStorage.setItem('cores', '4'));
  const wide = { rollout: { groupSize: 8, tasksPerBatch: 8 }, run: { updates: 9, seeds: 1, backend: 'cpu' } };
  const src = `${site}#/embed/stage?x=${payloadOf(JSON.stringify({ c: wide }))}`;
  const embed = await openFrame(page, host, src, { sandbox: 'allow-scripts allow-same-origin' });
  await embed.isReady();
  const isolated = await Promise.all([page, embed.frame].map((of) => of.evaluate(() => crossOriginIsolated)));
  expect(isolated).toEqual([false, true]);
  await embed.steps(2);
  // a single seed has others only for its rows
  expect(page.workers().filter((worker) => worker.url().includes('/replicas.worker-')).length).toBeGreaterThan(0);
});
