import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { bringAxe, expectNoViolations, expectToFit } from './axe.ts';
import { drop } from './drop.ts';
import { expect, test } from './fixtures.ts';

const main = (page: Page) => page.locator('.logspage');
const isOpen = (page: Page): Promise<void> => expect(main(page)).toHaveAttribute('data-state', 'open');
const isDrawn = (page: Page): Promise<void> => expect(page.locator('.logstrips figure').first()).toBeVisible();
const step = (page: Page) => page.getByRole('region', { name: 'One step' });

test('logs of others: a lesson leads to the steps of an example, bad lines are named, one that is dropped on the lab is opened', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.button('Help').click();
  await page.getByRole('dialog').getByRole('link', { name: 'Your trajectories' }).click();
  await expect(page.getByRole('heading', { name: 'Your trajectories' })).toBeFocused();
  await expectNoViolations(page, 'before a log');
  await lab.button('An agent in a house').click();
  await isOpen(page);
  await isDrawn(page);
  await expect(main(page)).toContainText('18 episodes, 113 steps. 39 % of the episodes succeeded.');
  await page.getByRole('button', { name: 'Show this step' }).first().click();
  await expect(page.getByRole('heading', { name: 'One step' })).toBeFocused();
  await expect(step(page)).toContainText('episode “mug-2”');
  await expect(step(page).locator('pre').nth(1)).toHaveText('take the mug');
  await expect(step(page).getByRole('combobox')).toHaveValue('grpo');
  await expect(step(page).locator('.parts .sum')).toContainText('−0.645');
  // a task that is silent is shown once something leads there
  await page.getByRole('button', { name: 'Show this step' }).last().click();
  await expect(step(page)).toContainText('episode “lamp-1”');
  await expect(page.getByRole('region', { name: 'Graph of the task' }).locator('canvas')).toBeVisible();
  await expectToFit(page, [320, 390, 1280], 'a log');

  await test.step('bad lines are named and left out, a wrong file gets a sentence, and columns can be named', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await lab.button('Close this log').click();
    await expect(main(page)).toHaveAttribute('data-state', 'empty');
    const row = (k: number): string => `{"who": "a${k % 2}", "step": ${k}, "gain": ${k % 2}, "obs": "room ${k % 3}"}`;
    await drop(page, 'x.jsonl', [row(0), row(1), '{"who":', row(2), row(3)].join('\n'));
    const alert = main(page).getByRole('alert');
    await expect(alert).toContainText('No column says which episode a row belongs to.');
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('combobox', { name: 'episode', exact: true }).selectOption('who');
    await page.getByRole('combobox', { name: 'reward of the step' }).selectOption('gain');
    await lab.button('Read again').click();
    await expect(alert).toHaveText('Line 3 cannot be read: it is not JSON. They can be left out.');
    await lab.button('Leave these lines out').click();
    await isOpen(page);
    await expect(main(page)).toContainText('2 episodes, 4 steps.');
    await page.getByText('How the log is read', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Two states are the same if they have' }).selectOption('pattern');
    await page.getByRole('textbox', { name: /^Pattern/ }).fill('(a+)+');
    await lab.button('Read again').click();
    await expect(alert).toContainText('The pattern repeats a group that repeats or chooses inside');
    await drop(page, 'cat.png', '\u0089PNG\u0000\u0001');
    await expect(alert).toHaveText('“cat.png” is not a text: JSON Lines, JSON or CSV are read.');
    await lab.button('Close this log').click();
    await expect(main(page)).toHaveAttribute('data-state', 'empty');
  });

  await test.step('a log that is dropped on the lab is opened; keys move through it, and its table of credit opens again', async () => {
    await page.evaluate(() => location.assign('#/lab'));
    await expect(page.getByRole('heading', { name: 'World' })).toBeVisible();
    const text = readFileSync('public/examples/house.jsonl', 'utf8');
    await drop(page, 'mine.jsonl', text);
    await isOpen(page);
    await expect(page).toHaveURL(/#\/trajectories$/);
    await isDrawn(page);
    const grid = page.getByRole('grid', { name: /^SALT/ });
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await expect(step(page)).toContainText('Step 7 of 7 of episode “mug-2”');
    await expect(grid.getByRole('gridcell')).toContainText('mug-2, step 7: SALT −0.0922');
    await page.getByRole('checkbox', { name: 'RTMC' }).check();
    await expect(page.locator('.logstrips figure')).toHaveCount(5);
    await expect(page.getByText('PPO with critic (GAE) needs the value', { exact: false })).toBeHidden();
    await page.getByText(/estimators need what this log does not hold/).click();
    await expect(page.getByText('PPO with critic (GAE) needs the value', { exact: false })).toBeVisible();
    const [saved] = await Promise.all([page.waitForEvent('download'), lab.button('Save credit as CSV').click()]);
    const table = readFileSync(await saved.path(), 'utf8');
    expect(table.split('\n')[0]).toMatch(/credit_gigpo,credit_grpo,credit_hgpo,credit_salt,credit_rtmc$/);
    await drop(page, 'credit.csv', table);
    await expect(main(page).getByText('credit.csv')).toBeVisible();
    await isOpen(page);
    await page.getByRole('grid', { name: /^SALT/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await expect(page.getByRole('grid', { name: /^SALT/ }).getByRole('gridcell')).toContainText(
      'mug-2, step 7: SALT −0.0922',
    );
  });
});
