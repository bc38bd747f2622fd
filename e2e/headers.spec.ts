import { SECURITY_HEADERS } from '../scripts/lib/headers.mjs';
import { expect, test } from './fixtures.ts';

test('the built site is served with the content security policy and its companions', async ({ request, site }) => {
  const answer = await request.get(site);
  expect(answer.status()).toBe(200);
  const headers = answer.headers();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers[name.toLowerCase()]).toBe(value);
  expect(headers['content-security-policy']).not.toContain("'unsafe-eval'");
});

test('the page is isolated from other origins, and refuses to evaluate text as code', async ({
  lab,
  page,
  complaints,
}) => {
  await lab.open();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  // The driver's own call may evaluate text, so the attempt is made in a later task of the page itself.
  const refused = await page.evaluate(
    () =>
      new Promise((done) => {
        setTimeout(() => {
          try {
            // oxlint-disable-next-line no-new-func, no-implied-eval -- the policy must refuse exactly this
            done(String(new Function('return 1')()));
          } catch (error) {
            done((error as Error).name);
          }
        });
      }),
  );
  expect(refused).toBe('EvalError');
  complaints.length = 0;
});

test('without JavaScript the page says in one sentence what it needs', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site);
  const words = page.locator('noscript');
  await expect(words).toBeVisible();
  expect(await words.evaluate((element) => element.textContent)).toContain('needs JavaScript');
  await context.close();
});
