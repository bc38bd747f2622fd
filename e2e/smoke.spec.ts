import { expect, test } from './fixtures.ts';

test('opens on Key and door with GiGPO and three seeds, ready to run', async ({ lab, page }) => {
  await lab.open();
  await expect(page).toHaveTitle(/Horizon Lab/);
  await expect(page.getByRole('combobox', { name: 'Experiment' })).toHaveValue('key-door');
  await expect(page.getByRole('combobox', { name: 'Advantage method' })).toHaveValue('gigpo');
  expect(await lab.state()).toMatchObject({ state: 'ready', update: 0, backend: 'cpu' });
  const { perSeed } = await lab.digest();
  expect(perSeed).toHaveLength(3);
});

test('learns to fetch the key and open the door within 30 seconds on the CPU path', async ({ lab }) => {
  await lab.open();
  await lab.runButton.click();
  await expect.poll(() => lab.metric('success'), { timeout: 30_000, intervals: [250] }).toBeGreaterThanOrEqual(0.5);
});

test('draws the first point of the success chart soon after Run', async ({ lab, page }) => {
  await lab.open();
  const chart = page.getByRole('region', { name: /^Success/ }).first();
  await lab.runButton.click();
  await expect(chart.locator('path.recharts-curve').first()).toBeVisible();
});

test('says in the title of the page how far the run is', async ({ lab, page }) => {
  await lab.open();
  await lab.runButton.click();
  await expect(page).toHaveTitle(/\d/, { timeout: 15_000 });
});
