import type { Locator, Page } from '@playwright/test';
import { bringAxe, overflow, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { LONG, type Lab } from './lab.ts';
import { changesIn } from './payload.ts';

const SMALL = { 'run.updates': 40, 'run.seeds': 2, 'policy.mlp.hidden': [16] };

async function open(lab: Lab, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await lab.open();
  await lab.load({ ...SMALL, ...changes });
}

const timeline = (page: Page): Locator => page.getByRole('region', { name: 'Timeline' });
const banner = (page: Page): Locator => timeline(page).getByRole('status');

/**
 * The link of the run with all that happened to it. The address takes over the experiment after a moment of quiet; the
 * moment on the screen is in the link alone.
 */
async function linkOf(lab: Lab): Promise<string> {
  const link = await lab.copyLink();
  await expect.poll(() => changesIn(lab.page.url())).toEqual(changesIn(link));
  return link;
}

test('a learning rate changed in mid-run is marked on the charts, and its link repeats the run', async ({
  lab,
  page,
}) => {
  await open(lab);
  await lab.steps(5);
  const { update } = await lab.state();
  await lab.openSetup();
  await page.getByText('Optimizer', { exact: true }).click();
  const rate = page.getByRole('spinbutton', { name: 'Learning rate' });
  await rate.fill('0.02');
  await expect(page.getByText(`From update ${update + 1}: learning rate 0.02.`).first()).toBeAttached();
  await expect(page.getByText('Settings have changed')).toHaveCount(0);
  expect((await lab.state()).update).toBe(update);
  const end = await lab.finish();
  const chart = page.getByRole('region', { name: 'Training success', exact: true });
  // charts out of sight are not drawn
  await chart.scrollIntoViewIfNeeded();
  const flag = chart.locator('.eventflag');
  await expect(flag).toHaveCount(1);
  await timeline(page).locator('summary').click();
  await page.getByRole('button', { name: `From update ${update + 1}: learning rate 0.02` }).focus();
  await expect(flag.locator('text')).toBeVisible();
  const link = await linkOf(lab);
  await lab.load({ 'run.events': '' });
  expect(await lab.finish()).not.toBe(end);
  await lab.load(link);
  expect(await lab.finish()).toBe(end);
});

test('the reference is reset by hand in mid-run: marked on the charts, and the link repeats the run', async ({
  lab,
  page,
}) => {
  await open(lab, { 'objective.klCoef': 0.2 });
  const reset = page.getByRole('button', { name: 'Reset reference' });
  await lab.openSetup();
  await page.getByText('Objective', { exact: true }).click();
  // there is nothing to reset before the first update
  await expect(reset).toHaveCount(0);
  await lab.steps(5);
  await expect(reset).toHaveAccessibleDescription(/KL to the reference drops to 0\.$/);
  await reset.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('From update 6: reference reset.').first()).toBeAttached();
  const end = await lab.finish();
  await timeline(page).locator('summary').click();
  await expect(page.getByRole('button', { name: 'From update 6: reference reset' })).toBeVisible();
  const link = await linkOf(lab);
  await lab.load({ 'run.events': '' });
  expect(await lab.finish()).not.toBe(end);
  await lab.load(link);
  expect(await lab.finish()).toBe(end);
});

test('messages are labeled by hand during a run, and the link repeats the run', async ({ lab, page }) => {
  await open(lab, { 'reward.oni.on': true, 'reward.oni.annotator': 'click', 'reward.oni.int': 2 });
  const list = page.getByRole('group', { name: 'What is interesting?' });
  await lab.openSetup();
  await page.getByText('Reward', { exact: true }).first().click();
  // there is nothing to say before the first update
  await expect(list).toHaveCount(0);
  await lab.steps(3);
  const mark = list.getByRole('button', { name: 'Yes: took a key', exact: true });
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(mark).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('From update 4: message 16 is interesting.').first()).toBeAttached();
  const end = await lab.finish();
  const link = await linkOf(lab);
  await lab.load({ 'run.events': '' });
  expect(await lab.finish()).not.toBe(end);
  await lab.load(link);
  expect(await lab.finish()).toBe(end);
});

test('scrubbing with keys shows the past everywhere and comes back; the run does not move', async ({ lab, page }) => {
  await open(lab);
  await lab.steps(9);
  const { update } = await lab.state();
  const before = await lab.digest();
  await page.getByRole('heading', { name: 'Timeline' }).click();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(banner(page)).toContainText(/^You are looking at update \d+ of 40/);
  const slider = page.getByRole('slider', { name: 'Checkpoint' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(banner(page)).toContainText(
    'You are looking at update 1 of 40: the policy after update 0 plays its batch.',
  );
  await expect(slider).toHaveAttribute('aria-valuetext', 'after update 0, start');
  await expect(page.getByText(/^Batch of update 1:/)).toBeVisible();
  await page.keyboard.press('End');
  await expect(banner(page)).toHaveText('');
  await expect(page.getByText(new RegExp(`^Batch of update ${update}:`))).toBeVisible();
  expect(await lab.digest()).toEqual(before);
});

test('the past can be looked at while the run trains', async ({ lab, page }) => {
  await open(lab, LONG);
  await lab.runButton.click();
  await lab.reaches(10);
  await timeline(page).locator('summary').click();
  await timeline(page).getByRole('button', { name: '8 power of two', exact: true }).click();
  await expect(page.getByText(/^Batch of update 9:/)).toBeVisible();
  const { update } = await lab.state();
  await lab.reaches(update + 20);
  await expect(page.getByText(/^Batch of update 9:/)).toBeVisible();
  await lab.button('Back to now').click();
  await expect(page.getByText(/^Batch of update 9:/)).toHaveCount(0);
});

test('continuing from a checkpoint says what is dropped, and then gives the run that never went on', async ({
  lab,
  page,
}) => {
  await open(lab);
  const straight = await lab.finish();
  await lab.button('Reset').click();
  await lab.becomes('ready');
  await lab.steps(12);
  const { update } = await lab.state();
  await timeline(page).locator('summary').click();
  await timeline(page).getByRole('button', { name: /^8 / }).click();
  await lab.button('Continue from here').click();
  const dialog = page.getByRole('dialog', { name: 'Continue after update 8?' });
  await expect(dialog).toContainText(`The last ${update - 8} updates will be dropped.`);
  await dialog.getByRole('button', { name: 'Keep everything', exact: true }).click();
  expect((await lab.state()).update).toBe(update);
  await lab.button('Continue from here').click();
  await dialog.getByRole('button', { name: 'Drop them and continue' }).click();
  await expect.poll(async () => (await lab.state()).update).toBe(8);
  await expect(banner(page)).toHaveText('');
  expect(await lab.finish()).toBe(straight);
});

test('a fork refuses what does not fit, takes over what does, and its link repeats parent and fork', async ({
  lab,
  page,
}) => {
  await open(lab);
  await lab.steps(12);
  await timeline(page).locator('summary').click();
  await timeline(page).getByRole('button', { name: /^8 / }).click();
  await expect(banner(page)).toContainText('the policy after update 8');
  await expect(lab.button('Fork with a change')).toBeEnabled();
  await page.getByRole('heading', { name: 'Timeline' }).click();
  await page.keyboard.press('f');
  const strip = page.getByRole('region', { name: 'Fork' });
  await expect(strip.getByRole('button', { name: 'Make the fork' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Advantage method' }).selectOption('gae');
  await expect(page.getByText('changes the shape of the network')).toBeVisible();
  await expect(strip.getByRole('button', { name: 'Make the fork' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Advantage method' }).selectOption('grpo');
  await expect(strip).toContainText('advantage GiGPO → GRPO');
  await strip.getByRole('button', { name: 'Make the fork' }).click();
  await expect(timeline(page)).toContainText(/Fork of [a-z2-7]{10} after update 8: advantage GiGPO → GRPO/);
  await lab.waitsAt(8);
  const end = await lab.finish();
  const link = await linkOf(lab);
  await lab.load('key-door');
  await lab.load(link);
  expect(await lab.finish()).toBe(end);
});

test('axe finds nothing in the past and in a fork, and both fit in 320 px', async ({ lab, page }) => {
  await bringAxe(page);
  await open(lab);
  await lab.steps(9);
  await timeline(page).locator('summary').click();
  await timeline(page).getByRole('button', { name: /^4 / }).click();
  await expect(lab.button('Fork with a change')).toBeEnabled();
  expect(await violations(page)).toEqual([]);
  await lab.button('Fork with a change').click();
  await expect(page.getByRole('region', { name: 'Fork' })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await lab.button('Cancel the fork').click();
  await expect(page.getByRole('region', { name: 'Fork' })).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button', { name: 'Watch' }).click();
  await lab.button('Continue from here').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
});
