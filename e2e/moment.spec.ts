import type { Page } from '@playwright/test';
import { bringAxe, violations } from './axe.ts';
import { expect, saveData, test } from './fixtures.ts';

test('a link holds the moment: opened elsewhere it shows the expected curve, runs to that update and to that step; the comparison is part of the moment, and a run that is past it starts over', async ({
  lab,
  page,
  browser,
}) => {
  await lab.open();
  // of an experiment of the lab, a curve is known before anything runs
  await expect(page.getByText('Expected: success in another run of this experiment. Not measured here.')).toBeVisible();
  await lab.load({ 'run.seeds': 2, 'run.updates': 60 });
  await lab.steps(4);
  await lab.button('Visits').click();
  await page.getByRole('slider', { name: 'Step of the episode' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  // what stands open around it belongs to the moment as well
  await lab.button('One step').click();
  await page.getByRole('tab', { name: 'Inside the policy' }).click();
  const { result } = await lab.digest();
  const link = await lab.copyLink();
  const context = await browser.newContext();
  await saveData(context);
  const other = await context.newPage();
  await bringAxe(other);
  await other.goto(link);
  const strip = other.getByRole('region', { name: 'Opened from a link' });
  await expect(strip).toContainText('It shows update 4, step 2 of episode');
  await expect(
    other.getByText('Expected: what the sender of the link saw in 4 updates. Not measured here.'),
  ).toBeVisible();
  await expect(other.getByRole('button', { name: 'Visits', exact: true })).toHaveAttribute('aria-pressed', 'true');
  const around = async (there: Page): Promise<void> => {
    await expect(there.getByRole('tab', { name: 'Inside the policy' })).toHaveAttribute('aria-selected', 'true');
    await expect(there.getByRole('region', { name: 'Credit', exact: true })).toBeVisible();
  };
  await around(other);
  expect(await violations(other)).toEqual([]);
  await strip.getByRole('button', { name: 'Run to update 4' }).click();
  await expect(other.getByText('4 / 60')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Resume' })).toBeEnabled();
  await expect(other.getByRole('slider', { name: 'Step of the episode' })).toHaveValue('2');
  await expect(other.getByRole('button', { name: 'One step' })).toHaveAttribute('aria-pressed', 'true');
  const theirs = await other.evaluate(() =>
    (window as unknown as { lab: { digest(): Promise<{ result: string }> } }).lab.digest(),
  );
  expect(theirs.result).toBe(result);
  await context.close();
  // its sender is led there as well: where the run is, at once
  await page.getByRole('tab', { name: 'Log' }).click();
  await lab.button('This run').click();
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  const own = page.getByRole('region', { name: 'Opened from a link' });
  await around(page);
  await page.getByRole('slider', { name: 'Step of the episode' }).press('Home');
  await own.getByRole('button', { name: 'Show it' }).click();
  await expect(page.getByRole('slider', { name: 'Step of the episode' })).toHaveValue('2');
  await expect(lab.button('One step')).toHaveAttribute('aria-pressed', 'true');

  // with a comparison, and in another tab, by a run
  await lab.button('Compare estimators').click();
  await page.getByLabel('Estimator B', { exact: true }).selectOption('salt');
  await lab.button('Points').click();
  const compared = await lab.copyLink();
  const again = await page.context().newPage();
  await again.goto(compared);
  await around(again);
  await again.getByRole('button', { name: 'Run to update 4' }).click();
  await expect(again.getByRole('button', { name: 'Resume' })).toBeEnabled();
  const isThere = async (there: Page): Promise<void> => {
    await expect(there.getByRole('button', { name: 'Points' })).toHaveAttribute('aria-pressed', 'true');
    await expect(there.getByLabel('Estimator A', { exact: true })).toHaveValue('gigpo');
    await expect(there.getByLabel('Estimator B', { exact: true })).toHaveValue('salt');
    await expect(there.getByRole('img', { name: /^SALT against the truth/ })).toBeVisible();
  };
  await isThere(again);
  await again.close();
  // here the run has gone on, and its own view is another one
  await lab.steps(2);
  await lab.button('Map').click();
  await page.getByLabel('Estimator B', { exact: true }).selectOption('rloo');
  await page.evaluate((hash) => (location.hash = hash), new URL(compared).hash);
  await own.getByRole('button', { name: 'Start over and run to update 4' }).click();
  await expect(page.getByText('4 / 60')).toBeVisible();
  await expect(lab.button('Resume')).toBeEnabled();
  await isThere(page);
  expect((await lab.digest()).result).toBe(result);
});
