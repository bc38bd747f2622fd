import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Embed, expect, test } from './hostPage.ts';
import { payloadOf } from './payload.ts';

test.use({ visit: 'first', ahead: true });

const SMALL = { rollout: { groupSize: 4, tasksPerBatch: 2 }, run: { updates: 5, seeds: 2 } };
const payload = payloadOf(JSON.stringify({ c: SMALL, t: 'A small run' }));
const COURSE = readFileSync(join(import.meta.dirname, '../docs/examples/course.html'), 'utf8');

test('the course page of the documentation, on another origin, embeds three views and trains them', async ({
  page,
  host,
  site,
}) => {
  host.files.set(
    '/',
    COURSE.replaceAll('https://lab.example/', site).replace("experiment = ''", `experiment = '${payload}'`),
  );
  await page.setViewportSize({ width: 900, height: 2000 });
  await page.goto(`${host.url}/`);
  await expect(page.locator('iframe')).toHaveCount(3);
  const embeds: Embed[] = [];
  for (const id of ['world', 'curves', 'credit']) {
    const frame = await (await page.locator(`#${id} iframe`).elementHandle())!.contentFrame();
    embeds.push(new Embed(frame!));
  }
  for (const embed of embeds) await embed.isReady();
  await page.getByRole('button', { name: 'Train all three' }).click();
  for (const embed of embeds) await expect(embed.progress).toHaveText('5 / 5 · finished');
  await expect(page.getByRole('status')).toHaveText(/^update 5: success \d\.\d\d$/);
  // the frame of the curves is as high as they are
  const height = await embeds[1]!.frame.evaluate(
    () => document.querySelector('.embed')!.getBoundingClientRect().height,
  );
  await expect(page.locator('#curves iframe')).toHaveAttribute('height', String(Math.ceil(height)));
});

/** A page with one frame and the helper, both in reach of the test. */
async function openHelper(page: Page, host: { url: string; files: Map<string, string> }, site: string, hash: string) {
  host.files.set(
    '/',
    `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,"><body><div id="here"></div>
    <script type="module">
      import { labEmbed } from '${site}lab-embed.js';
      window.heard = [];
      window.lab = labEmbed(document.getElementById('here'), '${site}${hash}');
      for (const type of ['ready', 'state', 'metric', 'selected', 'check', 'done', 'resize', 'error'])
        lab.on(type, (message) => heard.push(message));
    </script>`,
  );
  await page.goto(`${host.url}/`);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  return new Embed(frame!);
}

type Heard = { type: string; value: { update: number; ignored: number } } & Record<string, unknown>;
const heard = (page: Page): Promise<Heard[]> => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);

/** A call of the helper, with what it resolves to, or the id of its refusal. */
const call = (page: Page, name: string, ...values: readonly unknown[]): Promise<unknown> =>
  page.evaluate(
    ([method, given]) =>
      (window as unknown as { lab: Record<string, (...v: unknown[]) => Promise<unknown>> }).lab[method]!(
        ...given,
      ).catch((error: { id: string }) => error.id),
    [name, values] as const,
  );

test('what is wrong, too much or from somebody else starts nothing, and is counted; every command of the protocol is done and answered, and the frame tells what happens', async ({
  page,
  host,
  site,
}) => {
  const embed = await openHelper(page, host, site, `#/embed/charts?x=${payload}`);
  await embed.isReady();
  const ready = await page.evaluate(() => (window as unknown as { lab: { ready: Promise<object> } }).lab.ready);
  expect(ready).toMatchObject({
    version: expect.any(String),
    views: ['stage', 'charts', 'credit', 'graph', 'compare', 'lesson'],
  });
  await test.step('what is wrong, too much or from somebody else', async () => {
    const before = (await call(page, 'get', 'state')) as { ignored: number };
    await page.evaluate(() => {
      const target = document.querySelector('iframe')!.contentWindow!;
      const bad = [
        'run',
        '{}',
        '{"lab":"lab/1","type":"run","x":1}',
        JSON.stringify({ lab: 'lab/2', type: 'run' }),
        7,
        null,
      ];
      for (const data of bad) target.postMessage(data, '*');
      // a frame beside it, of the same origin as the page
      const other = document.createElement('iframe');
      document.body.append(other);
      const script = other.contentDocument!.createElement('script');
      script.textContent = `parent.frames[0].postMessage('{"lab":"lab/1","type":"run"}', '*')`;
      other.contentDocument!.body.append(script);
    });
    await expect
      .poll(async () => ((await call(page, 'get', 'state')) as { ignored: number }).ignored)
      .toBe(before.ignored + 7);
    await expect(embed.progress).toHaveText('0 / 5 · ready');
    const times = (await heard(page)).filter(({ type }) => type === 'metric').map(({ at }) => at);
    expect(times).toEqual([]);
  });
  expect(await call(page, 'select', 0, 0)).toBe('noBatch');
  expect(await call(page, 'step')).toMatchObject({ state: expect.any(String), experiment: 'A small run' });
  await expect(embed.progress).toHaveText(/^1 /);
  expect(await call(page, 'select', 1, 2)).toMatchObject({ update: 1 });
  expect(await call(page, 'select', 99, 0)).toBe('noSuchStep');
  expect(await call(page, 'view', { metrics: ['entropy'], theme: 'dark' })).toMatchObject({ update: 1 });
  await expect(embed.frame.getByRole('heading', { level: 2 })).toHaveText(['Policy entropy']);
  expect(await call(page, 'view', { metrics: ['luck'] })).toBe('noSuchMetric');
  expect(await call(page, 'get', 'metrics')).toMatchObject({ update: 1, values: { entropy: expect.any(Number) } });
  expect(await call(page, 'get', 'link')).toContain('#/lab?x=');
  await expect(embed.frame.locator('main svg.recharts-surface')).toBeVisible();
  expect(await call(page, 'get', 'svg')).toMatch(/^<svg .*<metadata>http/s);
  await call(page, 'run');
  await expect(embed.progress).toHaveText('5 / 5 · finished');
  await expect.poll(async () => (await heard(page)).map(({ type }) => type)).toContain('done');
  const { result } = (await call(page, 'get', 'digest')) as { result: string };
  const all = await heard(page);
  expect(all.find(({ type }) => type === 'done')).toMatchObject({ digest: { result, update: 5 } });
  expect(all.filter(({ type }) => type === 'selected')).toMatchObject([{ trajectory: 1, step: 2 }]);
  expect(await call(page, 'seek', 5)).toMatchObject({ update: 5 });
  expect(await call(page, 'seek', 6)).toBe('notTrained');
  // another experiment, and one that cannot be
  const other = payloadOf(JSON.stringify({ c: { ...SMALL, run: { updates: 2, seeds: 1 } } }));
  expect(await call(page, 'load', other)).toMatchObject({ update: 0 });
  await expect(embed.progress).toHaveText('0 / 2 · ready');
  expect(await call(page, 'load', '1.j.e30.AAAAAA')).toBe('linkRejected');
  const large = payloadOf(JSON.stringify({ c: { rollout: { groupSize: 512, tasksPerBatch: 512 } } }));
  expect(await call(page, 'load', large)).toBe('linkRejected');
  await expect(embed.progress).toHaveText('0 / 2 · ready');
});

test('a frame that is read only keeps its experiment', async ({ page, host, site }) => {
  const embed = await openHelper(page, host, site, `#/embed/charts?readonly=1&x=${payload}`);
  await embed.isReady();
  expect(await call(page, 'load', payload)).toBe('readonly');
});

test('a lesson in a frame is trained there, keeps nothing, and its page gets what the checks have found', async ({
  page,
  host,
  site,
}) => {
  await page.setViewportSize({ width: 1000, height: 900 });
  const embed = await openHelper(page, host, site, '#/embed/lesson?lesson=one-number');
  const { frame } = embed;
  await expect(frame.locator('.lessontext')).toBeVisible();
  // nothing starts by itself
  await expect(embed.progress).toHaveText(/^0 /);
  await frame.getByRole('radio').first().check();
  await expect(frame.getByText('This browser keeps nothing here')).toBeVisible();
  await frame
    .getByRole('button', { name: /^Train / })
    .first()
    .click();
  await expect.poll(async () => (await heard(page)).filter(({ type }) => type === 'check').length).toBeGreaterThan(0);
  const told = async () => (await heard(page)).filter(({ type }) => type === 'check');
  for (const check of await frame.locator('[data-check]').all()) {
    await expect(check).toHaveAttribute('data-passed', /^(passed|failed)$/);
    const passed = (await check.getAttribute('data-passed')) === 'passed';
    const found = { id: await check.getAttribute('data-check'), passed };
    await expect.poll(told).toContainEqual(expect.objectContaining(found));
  }
  expect((await told()).every(({ lesson }) => lesson === 'one-number')).toBe(true);
  await expect(frame.getByRole('link', { name: 'Open in the lab' })).toHaveAttribute(
    'href',
    `${site}#/lesson/one-number`,
  );
});
