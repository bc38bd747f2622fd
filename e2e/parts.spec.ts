import { expect, test } from './fixtures.ts';

test('a part that cannot be loaded says so in its place, the page goes on, and trying again brings it', async ({
  lab,
  page,
  complaints,
}) => {
  // a network that loses them while the page loads what it may need later
  const lost = /\/(HelpDialog|GraphPanel)-/;
  await page.route(lost, (route) => route.abort());
  await lab.open();
  // what every run needs is fetched as soon as the page has nothing else to do
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/beside-')),
  );
  await lab.button('Help').click();
  const trouble = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(trouble).toHaveCount(1);
  await page.getByRole('tab', { name: 'Graph' }).click();
  await expect(trouble).toHaveCount(2);
  await lab.button(/^Step/).click();
  await lab.reaches(1);
  await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
  await page.unroute(lost);
  await trouble.first().getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: 'How to read this page' })).toBeVisible();
  await page.keyboard.press('Escape');
  await trouble.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: /^Where the episodes of task/ })).toBeVisible();
  expect(complaints.every((text) => /ERR_FAILED|dynamically imported module/.test(text))).toBe(true);
  complaints.length = 0;
});
