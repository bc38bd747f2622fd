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

test('draws the success chart soon after Run, says in the title how far it is, and learns to open the door within 30 seconds on the CPU path', async ({
  lab,
  page,
}) => {
  await lab.open();
  const chart = page.getByRole('region', { name: /^Success/ }).first();
  await lab.runButton.click();
  const until = Date.now() + 30_000;
  await expect(chart.locator('path.recharts-curve').first()).toBeVisible();
  await expect(page).toHaveTitle(/\d/, { timeout: 15_000 });
  const timeout = Math.max(1, until - Date.now());
  await expect.poll(() => lab.metric('success'), { timeout, intervals: [250] }).toBeGreaterThanOrEqual(0.5);
});
