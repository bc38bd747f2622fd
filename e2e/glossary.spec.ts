import { expect, test } from './fixtures.ts';

test('a symbol opens what it means by key and by pointer, Esc gives the focus back, and the help lists all symbols', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.steps(1);
  const symbol = page
    .getByRole('region', { name: 'Credit', exact: true })
    .getByRole('button', { name: /^A advantage/ });
  await symbol.focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('dialog', { name: /advantage, the credit of a step/ });
  await expect(box).toBeFocused();
  await expect(box).toHaveAccessibleDescription(/How much better a step was/);
  await expect(symbol).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(symbol).toBeFocused();

  const chart = page.getByRole('region', { name: 'Policy entropy', exact: true });
  await chart.getByRole('button', { name: 'H entropy' }).click();
  await expect(page.getByRole('dialog', { name: 'H entropy' })).toBeVisible();
  await chart.getByRole('heading').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await lab.openSetup();
  const gamma = page.locator('[data-path="advantage.gigpo.gamma"]').getByRole('button', { name: /discount/ });
  await gamma.click();
  await expect(page.getByRole('dialog', { name: 'γ discount' })).toBeInViewport();
  await page.keyboard.press('Escape');

  await lab.button('Help').click();
  await expect(page.getByRole('dialog').getByText('effective sample size', { exact: false }).first()).toBeVisible();
  await page.getByRole('heading', { name: 'Symbols' }).scrollIntoViewIfNeeded();
});
