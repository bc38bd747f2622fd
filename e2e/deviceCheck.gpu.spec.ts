import { expect, test } from './fixtures.ts';

test('the check compares kernels on the device, and what it compared stays when it is stopped', async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.getByRole('link', { name: /check this device/ }).click();
  await lab.button('Check this device').click();
  const done = page.getByRole('progressbar', { name: 'Kernels: done' });
  await expect.poll(() => done.evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(20);
  await lab.button('Stop the check').click();
  await expect(page.getByRole('status').filter({ hasText: 'Stopped' })).toHaveText(
    'Stopped. Nothing differs in what was compared so far.',
  );
  await expect(page.locator('.checkparts li').nth(1)).toContainText('Random numbers1 of 1');
  await expect(lab.button('Copy the report')).toBeVisible();
});
