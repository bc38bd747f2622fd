import type { Page } from '@playwright/test';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** A page in which nothing is wrong but what the style or the markup brings. */
async function open(page: Page, style = '', markup = ''): Promise<void> {
  const html = `<!doctype html><html lang="en"><title>A page</title><meta name="viewport" content="width=device-width">
    <style>body { color: #000; background: #fff } ${style}</style><main><h1>A page</h1><h2>Part</h2><p>Words</p>${markup}</main>`;
  await page.goto(`data:text/html,${encodeURIComponent(html)}`);
}

test('what is wrong at one width or in one theme only is found', async ({ page }) => {
  await bringAxe(page);
  const fits = () => expectToFit(page, [1280, 360]);
  await open(page);
  await fits();
  for (const [wrong, style, markup] of [
    // all rules run where an element is new
    ['button-name', '@media (min-width: 400px) { button { display: none } }', '<button></button>'],
    ['avoid-inline-spacing: <p style=', '', '<p style="letter-spacing: 0 !important">Close</p>'],
    ['color-contrast', '@media (prefers-color-scheme: dark) { p { color: #eee } }'],
    // no element is new at these widths
    ['color-contrast', '@media (max-width: 400px) { p { color: #eee } }'],
    ['heading-order', '@media (max-width: 400px) { h2 { display: none } }', '<h3>Smaller part</h3>'],
    ['page-has-heading-one', '@media (max-width: 400px) { h1 { display: none } }'],
    ['toBeLessThanOrEqual', '@media (max-width: 400px) { p { width: 500px } }'],
  ] as const) {
    await open(page, style, markup);
    await expect(fits(), style).rejects.toThrow(wrong);
  }
});

test('in a dialog that hides everything else what is wrong is found', async ({ page }) => {
  await bringAxe(page);
  await open(page, '', '<div role="dialog" aria-label="A dialog"><button></button></div>');
  await page.evaluate(() => {
    document.body.append(document.querySelector('[role="dialog"]')!);
    document.querySelector('main')!.setAttribute('aria-hidden', 'true');
  });
  await expect(expectToFit(page, [1280, 360])).rejects.toThrow('button-name');
});
