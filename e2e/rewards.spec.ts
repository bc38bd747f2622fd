import { bringAxe, expectNoViolations, overflow } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('r and r′ stand side by side with their exact credit, and are strips of the player; a reward that is farmed leads to its mended twin', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load('hack-progress-mended');
  await lab.steps(2);
  const credit = page.locator('#credit');
  await credit.getByRole('button', { name: 'Rewards', exact: true }).click();
  for (const name of ['Reward r', 'Shaped reward r′', 'Exact advantage by r', 'Exact advantage by r′'])
    await expect(credit.getByRole('img', { name: new RegExp(`^${name}: `) })).toBeVisible();
  await expect(credit.getByText('In all 36 states of the levels in this batch')).toBeVisible();
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoViolations(page, `rewards, ${width} px`);
    expect(await overflow(page), `rewards, ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Reward', exact: true }).click();
  await expect(page.getByText('What the moves made in each cell')).toBeVisible();
  await lab.load('hack-progress');
  await lab.steps(2);
  await expect(
    credit.getByText(/^In \d+ of 36 states of the levels in this batch, other actions are best/),
  ).toBeVisible();

  await test.step('what each step was paid and what was reported of it are strips of the player, also for keys', async () => {
    await page.locator('.player').getByRole('button', { name: 'Rewards' }).click();
    const strips = page.locator('.player').getByRole('group', { name: 'Rewards and signals of this episode' });
    const names = [
      'Reward r',
      'Shaped r′',
      'Refused',
      'New state',
      'Repeated',
      'Milestone',
      'Potential Φ',
      'Completed',
    ];
    await expect(strips.getByRole('img', { name: `${names.join(', ')}, one cell per step` })).toBeVisible();
    const grid = strips.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('End');
    await expect(grid.getByRole('gridcell')).toContainText(
      /^Step \d+: Reward r .*; Shaped r′ .*Potential Φ .*Completed/,
    );
    await page.keyboard.press('Home');
    await expect(grid.getByRole('gridcell')).toContainText(/^Step 1: /);
    // the step of the player is that of the strips
    await expect(page.getByLabel('Step of the episode')).toHaveAttribute('aria-valuetext', /^step 0 of/);
  });

  await test.step('a run without reward modules says that nothing is done to its reward, and has no layer of it', async () => {
    await page.getByRole('button', { name: 'Policy', exact: true }).click();
    await lab.load('key-door');
    await lab.steps(2);
    await credit.getByRole('button', { name: 'Rewards', exact: true }).click();
    await expect(page.getByText('nothing is done to it: what the estimator sees is what the world pays')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reward', exact: true })).toHaveCount(0);
  });

  await test.step('a reward that is farmed leads to its mended twin in one click, with the run before in gray, and back', async () => {
    await lab.experiment().click();
    const dialog = page.getByRole('dialog', { name: 'Experiments' });
    await dialog.getByRole('searchbox').fill('one-sided progress');
    await expect(dialog.getByText('farmed; mended by “Key and door, potential shaping”')).toBeVisible();
    await dialog.getByRole('button', { name: /^Key and door, one-sided progress/ }).click();
    await lab.becomes('ready');
    await lab.steps(3);
    await page.getByRole('button', { name: 'Compare with its mended twin' }).click();
    await expect(lab.experiment('Key and door, potential shaping')).toBeVisible();
    await expect.poll(async () => (await lab.state()).update).toBeGreaterThan(3);
    await expect(page.getByText(/REINFORCE\+\+, update 3/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Compare with the reward that is farmed' }).click();
    await expect(lab.experiment('Key and door, one-sided progress')).toBeVisible();
  });
});
