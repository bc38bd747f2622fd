import type { Page } from '@playwright/test';
import { serve } from '../scripts/serve.mjs';
import { expect, test } from './fixtures.ts';

const FAR = 'https://example.org/x.png';
/** It is asked, and no more: nothing leaves this machine. */
const unanswered = (page: Page): Promise<unknown> => page.route(FAR, (route) => route.abort());

test('a request to another origin is noticed, whichever page makes it', async ({ page, browser, elsewhere }) => {
  const other = await (await browser.newContext()).newPage();
  for (const one of [page, other]) {
    await unanswered(one);
    await one.evaluate((url) => fetch(url).catch(() => undefined), FAR);
    expect(elsewhere).toEqual([FAR]);
    elsewhere.length = 0;
  }
  await other.context().close();
});

test('so is one to another server of the same test, from a page and from its worker', async ({
  page,
  site,
  elsewhere,
}) => {
  const server = await serve({ dir: 'public' });
  const url = `${server.url}icon.svg`;
  // its headers keep a page of the site from asking at all: this one has none
  await page.route('**/bare.html', (route) => route.fulfill({ contentType: 'text/html', body: '<p>bare</p>' }));
  await page.goto(`${site}bare.html`);
  await page.evaluate((to) => fetch(to, { mode: 'no-cors' }).catch(() => undefined), url);
  expect(elsewhere).toEqual([url]);
  await page.evaluate(async (to) => {
    const code = `fetch(${JSON.stringify(to)}, { mode: 'no-cors' }).finally(() => postMessage(0))`;
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    await new Promise((done) => (worker.onmessage = done));
  }, url);
  expect(elsewhere).toEqual([url, url]);
  elsewhere.length = 0;
  await server.close();
});

test('a test whose page asks another origin fails', async ({ page }) => {
  test.fail();
  await unanswered(page);
  await page.evaluate((url) => fetch(url).catch(() => undefined), FAR);
});
