import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import decode from 'qr/decode.js';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** What a camera reads from an SVG: it is drawn in the page, and its pixels are read by another program than made it. */
async function readCode(page: Page, svg: string): Promise<string> {
  const dots = await page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await image.decode();
    const size = 3 * Number(/viewBox="0 0 (\d+)/.exec(text)![1]);
    const on = new OffscreenCanvas(size, size).getContext('2d')!;
    on.drawImage(image, 0, 0, size, size);
    const { data } = on.getImageData(0, 0, size, size);
    return Array.from({ length: size * size }, (_, k) => (data[4 * k]! < 128 ? '#' : ' ')).join('');
  }, svg);
  const size = Math.sqrt(dots.length);
  const data = Uint8ClampedArray.from({ length: 4 * dots.length }, (_, k) =>
    dots[k >> 2] === '#' && k % 4 < 3 ? 0 : 255,
  );
  return decode({ width: size, height: size, data });
}

test('the code on the screen and the one that is saved are read as the link, and follow the title', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.steps(2);
  const dialog = await lab.openShare();
  const link = dialog.getByRole('textbox', { name: /^Link/ });
  const code = dialog.getByRole('img', { name: 'QR code of the link above' });
  const drawn = (): Promise<string> =>
    code.evaluate((svg) => {
      const copy = svg.cloneNode(true) as Element;
      copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
      return new XMLSerializer().serializeToString(copy);
    });
  // what the run has come to is asked of the worker, and makes the link longer
  await expect(dialog.getByRole('region', { name: 'Result in the link' })).toBeVisible();
  expect(await readCode(page, await drawn())).toBe(await link.inputValue());
  await dialog.getByLabel('Title (optional)').fill('Für alle: “Tür & Schlüssel”');
  const titled = await link.inputValue();
  expect(await readCode(page, await drawn())).toBe(titled);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save QR code' }).click(),
  ]);
  expect(await readCode(page, readFileSync(await saved.path(), 'utf8'))).toBe(titled);

  // a note that makes the link too long for a code is said, and the link stays
  const note = Array.from({ length: 1000 }, (_, k) => String.fromCharCode(0x4e00 + ((k * 7919) % 20000))).join('');
  await dialog.getByLabel('Note (optional, plain text)').fill(note);
  await expect(code).toHaveCount(0);
  await expect(dialog).toContainText('A QR code takes up to 1,000 characters.');
  await expect(dialog).toContainText(/characters: works in browsers (only|and most chats)\./);
});

test('the citation holds the lab, the experiment and the papers of its methods by their titles', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.steps(2);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const dialog = await lab.openShare('Cite');
  const papers = dialog.getByRole('region', { name: 'The papers of its methods' });
  await expect(papers.getByRole('listitem').first()).toHaveText('Group-in-Group Policy Optimization arXiv:2505.10978');
  const copies = async (name: string, what: string): Promise<string> => {
    await dialog.getByRole('button', { name, exact: true }).click();
    await expect(dialog.getByRole('status')).toHaveText(`${what} is in the clipboard.`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const { config, result } = await lab.digest();
  const all = await copies('Copy BibTeX', 'The BibTeX');
  expect(all).toContain('@software{horizonlab,');
  expect(all).toContain(`@misc{experiment-${config},`);
  expect(all).toContain(`result ${result.slice(0, 12)}`);
  expect(all).toContain('title = {{Group-in-Group Policy Optimization}}');
  // texts of methods that are looked up, none of them left as its number (scripts/lib/pageWords.ts)
  expect(all).not.toContain('\uE000');
  expect(await copies('Copy: The BibTeX of the papers', 'The BibTeX of the papers')).not.toContain('@software');
  const cff = await copies('Copy CITATION.cff', 'The CITATION.cff');
  expect(cff).toContain('title: "Group-in-Group Policy Optimization"');
  expect(cff).toContain('#/lab?x=');
});

test('the HTML of a frame shows the view and the experiment that were chosen', async ({ lab, page }) => {
  await lab.open();
  await lab.load({ 'run.seeds': 2 });
  const dialog = await lab.openShare('Embed');
  await dialog.getByRole('combobox', { name: 'View' }).selectOption('charts');
  await dialog.getByRole('checkbox').check();
  const html = await dialog.getByRole('textbox', { name: 'HTML' }).inputValue();
  const [, src] = /src="([^"]+)"/.exec(html)!;
  expect(src).toContain(`${lab.site}#/embed/charts?run=1&`);
  expect(html).toContain('sandbox="allow-scripts');
  await page.goto('about:blank');
  await page.goto(src!.replaceAll('&amp;', '&'));
  await expect(page.locator('.embedprogress')).toBeVisible();
});

test('the keyboard reaches every way to share, and each fits a phone', async ({ lab, page }) => {
  await bringAxe(page);
  await lab.open();
  await lab.steps(2);
  const dialog = await lab.openShare();
  await dialog.getByRole('tab', { name: 'Link' }).focus();
  for (const [name, inside] of [
    ['Embed', dialog.getByRole('button', { name: 'Copy HTML' })],
    ['Files', dialog.getByRole('button', { name: 'Save bundle' })],
    ['Cite', dialog.getByRole('button', { name: 'Copy BibTeX' })],
  ] as const) {
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByRole('tab', { name })).toBeFocused();
    await expect(inside).toBeVisible();
    await expectToFit(page, [320], `share, ${name}`);
  }
  await page.keyboard.press('Escape');
  await expect(lab.button('Share')).toBeFocused();
});
