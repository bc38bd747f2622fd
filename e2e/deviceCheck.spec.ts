import { readFileSync } from 'node:fs';
import { bringAxe, expectNoViolations, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('without WebGPU the check says so, checks the CPU path, and its report can be saved', async ({ lab, page }) => {
  await bringAxe(page);
  await lab.open();
  await page.getByRole('link', { name: 'CPU: check this device' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Device check' })).toBeFocused();
  await expect(page.locator('.checkpage')).toContainText(/This browser .*WebGPU\. The CPU path can be checked\./);
  await expectNoViolations(page, 'before the check');
  await lab.button('Check this device').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.checkpage')).toHaveAttribute('data-state', 'done');
  await expect(page.getByRole('status').filter({ hasText: 'CPU path' })).toHaveText(
    /^This browser .*WebGPU\. The CPU path was checked and is right\.$/,
  );
  await expect(page.getByRole('region', { name: 'Speed' }).getByRole('row')).toHaveCount(5);
  const [file] = await Promise.all([page.waitForEvent('download'), lab.button('Save the report').click()]);
  const report = JSON.parse(readFileSync(await file.path(), 'utf8')) as Record<string, unknown>;
  expect(report).toMatchObject({ schema: 'device-check/1', name: null, adapter: null, isWhole: true, findings: [] });
  for (const summary of await page.locator('.checkpage summary').all()) await summary.click();
  await expectToFit(page, [320, 390, 1280], 'a report');
});
