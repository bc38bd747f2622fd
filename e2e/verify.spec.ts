import { inflateRawSync } from 'node:zlib';
import { bringAxe, violations } from './axe.ts';
import { expect, saveData, test } from './fixtures.ts';
import { payloadOf } from './payload.ts';

/** What a link says: d is the result of its sender. */
function contentOf(link: string): { readonly d: string } {
  const [, codec, body] = link.split('x=')[1]!.split('.');
  const bytes = Buffer.from(body!, 'base64url');
  return JSON.parse((codec === 'd' ? inflateRawSync(bytes) : bytes).toString()) as { d: string };
}

test('a link carries its result, and training it again elsewhere is identical; another result than its experiment has is found out, with the update that differs', async ({
  lab,
  browser,
}) => {
  await lab.open();
  await lab.load({ 'run.seeds': 2, 'run.updates': 6 });
  await lab.finish();
  const link = await lab.copyLink();
  const exact = contentOf(link).d.slice('c0.1.0~6~'.length).slice(0, 16);
  expect(link.length).toBeLessThanOrEqual(1000);
  await lab.button('Share').click();
  const dialog = lab.page.getByRole('dialog');
  await expect(dialog).toContainText(`Exact: ${exact}`);
  await expect(dialog.getByRole('textbox', { name: /^Link/ })).toHaveValue(link);

  const context = await browser.newContext();
  await saveData(context);
  const page = await context.newPage();
  await bringAxe(page);
  await page.goto(link);
  const strip = page.getByRole('region', { name: 'Opened from a link' });
  await expect(strip).toContainText('It comes with its result after 6 updates on the CPU path.');
  await strip.getByRole('button', { name: 'Verify' }).click();
  await expect(strip.getByRole('status')).toHaveText('Identical: every action and reward of every update is the same.');
  expect(await violations(page)).toEqual([]);

  const content = contentOf(link);
  const [, updates, , counts, ...rest] = content.d.split('~');
  const raised = counts!.split('.').map((n, k) => (k < 3 ? n : (parseInt(n, 36) + 40).toString(36)));
  const wrong = ['c0.0.9', updates, 'A'.repeat(16), raised.join('.'), ...rest].join('~');
  const forged = `#/lab?x=${payloadOf(JSON.stringify({ ...content, d: wrong }))}`;
  await page.evaluate((hash) => void (location.hash = hash), forged);
  await expect(strip.getByRole('status')).toHaveCount(0);
  await strip.getByRole('button', { name: 'Verify' }).click();
  await expect(strip.getByRole('status')).toContainText('Different. The first difference is in update 4:');
  await expect(strip.getByRole('status')).toContainText('It was trained by version 0.0.9 of the lab');
  // other settings have another result: there is nothing to compare any more
  await page.evaluate(() =>
    (window as unknown as { lab: { load(c: object): Promise<void> } }).lab.load({ 'run.seeds': 3 }),
  );
  await expect(strip).toContainText('The settings have been changed since');
  await expect(strip.getByRole('button', { name: 'Verify' })).toHaveCount(0);
  await page.context().close();
});
