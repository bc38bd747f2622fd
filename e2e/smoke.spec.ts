import { expect, test } from './fixtures.ts';

test('opens on Key and door with GiGPO and three seeds, ready to run', async ({ lab, page }) => {
  await lab.open();
  await expect(page).toHaveTitle(/Horizon Lab/);
  await expect(lab.experiment('Key and door · GiGPO')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Setup' })).toBeHidden();
  await lab.button('Show setup').click();
  await expect(page.getByRole('combobox', { name: 'Advantage method' })).toHaveValue('gigpo');
  expect(await lab.state()).toMatchObject({ state: 'ready', update: 0, backend: 'cpu' });
  const { perSeed } = await lab.digest();
  expect(perSeed).toHaveLength(3);
});
