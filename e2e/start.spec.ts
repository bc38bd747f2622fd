import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';

test.use({ ahead: true });

type Misses = { readonly lab: Lab; readonly page: Page; readonly complaints: string[] };

const chunk = (name: string): string => readdirSync('dist/assets').find((f) => f.startsWith(`${name}-`))!;

/** A page without the part `name` of the site, until the part comes back. */
async function misses(name: string, { lab, page, complaints }: Misses): Promise<void> {
  const missing = `**/assets/${name}-*.js`;
  await page.route(missing, (route) => route.fulfill({ status: 404 }));
  await page.goto(lab.site);
  const words = page.getByRole('alert').filter({ hasText: 'Horizon Lab could not start' });
  await expect(words).toBeVisible();
  await page.unroute(missing);
  complaints.length = 0;
  await words.getByRole('button', { name: 'Reload the page' }).click();
  await expect(lab.runButton).toBeEnabled();
  await expect(words).toHaveCount(0);
  complaints.length = 0;
}

test('a page that misses its own script says so, and its button loads it anew', async ({ lab, page, complaints }) => {
  await misses('index', { lab, page, complaints });
});

test('a page that misses a script which its own needs says so, too', async ({ lab, page, complaints }) => {
  await misses('react', { lab, page, complaints });
});

test('a page that cannot read links says so, and everything else works', async ({ lab, page, complaints }) => {
  await page.route(`**/assets/${chunk('link')}`, (route) => route.fulfill({ status: 404 }));
  await lab.open('#/lab?x=1');
  await expect(page.getByRole('alert').filter({ hasText: 'A part of the page could not be loaded' })).toContainText(
    'Reload the page',
  );
  await lab.load({ 'run.updates': 2 });
  expect(await lab.finish()).toMatch(/^[0-9a-f]{64}$/);
  complaints.length = 0;
});

test('an error that nobody caught is a notice, and the run goes on', async ({ lab, page, complaints }) => {
  await lab.openLong();
  await lab.runButton.click();
  await lab.reaches(2);
  await page.evaluate(() => void Promise.reject(new Error('A promise was forgotten.')));
  const notice = page.getByRole('alert').filter({ hasText: 'Something in this page went wrong' });
  await expect(notice).toContainText('A promise was forgotten.');
  await lab.reaches((await lab.state()).update + 2);
  expect(complaints).toEqual(['uncaught: A promise was forgotten.']);
  complaints.length = 0;
});

test('after the site was renewed under other names, what was not used yet still opens, and the run goes on', async ({
  lab,
  page,
  complaints,
}) => {
  await lab.openLong();
  await lab.hasLoadedAhead();
  const asked: string[] = [];
  await page.route('**/*', (route) => {
    asked.push(new URL(route.request().url()).pathname);
    return route.fulfill({ status: 404 });
  });
  await lab.runButton.click();
  await lab.reaches(2);
  await lab.button('Help').click();
  await page.getByRole('button', { name: 'Close help' }).click();
  await lab.button('Share').click();
  await page.getByRole('button', { name: 'Close share' }).click();
  await lab.button('Pause').click();
  await lab.becomes('paused');
  await lab.button('Compare estimators').click();
  await expect(page.getByText('Everything has been computed.')).toBeVisible();
  await page.getByRole('tab', { name: 'Update' }).click();
  await lab.button(/^Walk|^Work/).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(asked.filter((path) => path.includes('/assets/'))).toEqual([]);
  complaints.length = 0;
});

test.describe('in a browser that saves data', () => {
  test.use({ ahead: false });

  test('the lab opens from a few files; nothing else comes before it is wanted, and then it comes', async ({
    lab,
    page,
  }) => {
    await lab.open();
    await page.waitForLoadState('networkidle');
    const parts = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(await parts()).not.toContainEqual(expect.stringContaining('/HelpDialog-'));
    // 24; each module that two parts share was a file once, and they were 97
    expect((await parts()).length).toBeLessThan(32);
    await lab.button('Help').click();
    await expect(page.getByRole('button', { name: 'Close help' })).toBeVisible();
    expect(await parts()).toContainEqual(expect.stringContaining('/HelpDialog-'));
  });
});
