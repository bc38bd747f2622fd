import type { Locator, Page } from '@playwright/test';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';

/** A run that waits after two updates, with the tab of the walk open. */
async function openWalk(lab: Lab, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await lab.open();
  await lab.load({ 'run.updates': 20, ...changes });
  await lab.page.getByRole('tab', { name: 'One update' }).click();
  for (const update of [1, 2]) {
    await lab.button('Step one update').click();
    await lab.waitsAt(update);
  }
  // the panel is loaded when its tab is opened, and listens to its key from then on
  await expect(lab.page.getByRole('button', { name: 'Walk through the next update' })).toBeEnabled();
}

const heading = (page: Page): Locator => page.getByRole('heading', { name: /^Update \d+: / });
const slot = (page: Page, name: string): Locator => page.getByRole('heading', { name: `: ${name}` });

test('an update is walked through with the keyboard alone; the run then makes the same one, bit for bit', async ({
  lab,
  page,
}) => {
  // with seed 1 nobody reaches the goal in the third update, and there would be nothing to clip or to learn
  await openWalk(lab, { 'run.seed': 2 });
  for (const [name, words] of [
    ['rollout', 'No credit has been assigned yet'],
    ['reward', 'summed over an episode'],
    ['advantage', 'steps are encouraged'],
    ['objective', 'every ratio ρ is 1'],
    ['optimizer', 'The update is complete'],
  ] as const) {
    await page.keyboard.press('d');
    await expect(slot(page, name)).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();
  }
  await expect(heading(page)).toHaveText('Update 3: optimizer');
  // looking has moved nothing
  expect((await lab.state()).update).toBe(2);
  await page.keyboard.press('d');
  await expect(page.getByText('identical, bit for bit')).toBeVisible();
  await lab.waitsAt(3);
  const walked = await lab.digest();
  await lab.button('Reset').click();
  await lab.becomes('ready');
  for (const update of [1, 2, 3]) {
    await lab.button('Step one update').click();
    await lab.waitsAt(update);
  }
  expect(await lab.digest()).toEqual(walked);
});

test('the stage shows the new episodes during the walk, and the old ones again when it is left', async ({
  lab,
  page,
}) => {
  await openWalk(lab);
  const batch = page.getByText(/^Batch of update \d+: this episode/);
  await expect(batch).toContainText('update 2');
  await lab.button('Walk through the next update').click();
  await expect(slot(page, 'rollout')).toBeVisible();
  await expect(batch).toContainText('update 3');
  await lab.button('Leave').click();
  await expect(batch).toContainText('update 2');
  expect((await lab.state()).update).toBe(2);
});

test('with epochs and minibatches every optimizer step is a stop of its own', async ({ lab, page }) => {
  await openWalk(lab, { 'objective.epochs': 2, 'objective.minibatches': 2 });
  await lab.button('Walk through the next update').click();
  for (let k = 0; k < 3; k++) await lab.button('Next slot').click();
  await expect(heading(page)).toHaveText('Update 3: objective, optimizer step 1 of 4');
  for (let k = 0; k < 7; k++) await lab.button('Next slot').click();
  await expect(heading(page)).toHaveText('Update 3: optimizer, optimizer step 4 of 4');
  await expect(lab.button('Next slot')).toBeDisabled();
  // another step of the batch: its state is told instead
  const change = page.getByRole('region', { name: 'What changed in the selected state' });
  await expect(change).toContainText('Episode 1, step 1');
  await page
    .getByRole('grid', { name: /credit of every step/ })
    .first()
    .focus();
  await page.keyboard.press('ArrowRight');
  await expect(change).toContainText('Episode 1, step 2');
  await lab.button('1 Rollout').click();
  await expect(slot(page, 'rollout')).toBeVisible();
  await lab.button('Finish update').click();
  await expect(page.getByText('identical, bit for bit')).toBeVisible();
});

test('clipped decisions are named, and choosing one shows it on the stage', async ({ lab, page }) => {
  await openWalk(lab, { 'objective.epochs': 4, 'optimizer.learningRate': 0.01, 'rollout.groupSize': 16 });
  await lab.button('Walk through the next update').click();
  for (let k = 0; k < 9; k++) await lab.button('Next slot').click();
  await expect(heading(page)).toHaveText('Update 3: objective, optimizer step 4 of 4');
  const clipped = page.getByRole('region', { name: 'Clipped decisions' }).getByRole('button');
  const name = (await clipped.first().textContent())!;
  const [, episode, step] = /episode (\d+), step (\d+): .*ρ [\d.]+ (above|below)/.exec(name)!;
  await clipped.first().click();
  await expect(page.getByText(new RegExp(`^Episode ${episode} .*step ${step} of`)).first()).toBeVisible();
});

test('a run that goes on by itself ends the walk in words', async ({ lab, page }) => {
  await openWalk(lab);
  await lab.button('Walk through the next update').click();
  await expect(slot(page, 'rollout')).toBeVisible();
  await lab.button('Step one update').click();
  await expect(page.getByText('The run has continued, so this view is over.')).toBeVisible();
});

test('axe finds nothing at any slot, in both themes, and everything fits in 320 px', async ({ lab, page }) => {
  await bringAxe(page);
  await openWalk(lab);
  await lab.button('Walk through the next update').click();
  await expect(slot(page, 'rollout')).toBeVisible();
  for (const name of ['rollout', 'reward', 'advantage', 'objective', 'optimizer']) {
    await expectToFit(page, [1280, 320], name, async () => {
      const bar = page.getByRole('navigation').getByRole('button', { name: 'Episodes' });
      if (await bar.isVisible()) await bar.click();
      await expect(slot(page, name)).toBeVisible();
    });
    if (name !== 'optimizer') await page.keyboard.press('d');
  }
});
