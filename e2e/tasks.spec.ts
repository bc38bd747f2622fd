import type { Locator, Page } from '@playwright/test';
import { expect, saveData, test } from './fixtures.ts';
import { LONG, type Lab } from './lab.ts';

test.use({ visit: 'first' });

/** What a new user may need at most, from the first screen. */
const MOST = 4;

/** Clicks as a person makes them, counted; keys, typing and choosing in an open menu are none, opening it is. */
class Hand {
  clicks = 0;
  readonly page: Page;
  readonly lab: Lab;

  constructor(lab: Lab) {
    this.lab = lab;
    this.page = lab.page;
  }

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.click();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.click(this.lab.button(name));
  }

  async choose(menu: Locator, label: string): Promise<void> {
    this.clicks++;
    await menu.selectOption({ label });
  }
}

type Task = readonly [name: string, act: (hand: Hand) => Promise<void>];
const tasks: Task[] = [];
const task = (...one: Task): void => void tasks.push(one);

/** As the page was when it came: nothing is open that a task before has opened. */
async function toFirstScreen(lab: Lab): Promise<void> {
  await lab.load('key-door');
  const hide = lab.button('Hide setup');
  if (await hide.isVisible()) await hide.click();
  const all = lab.page.getByRole('button', { name: 'All episodes' });
  if ((await all.isVisible()) && (await all.getAttribute('aria-expanded')) === 'true') await all.click();
  await expect(lab.page.getByRole('region', { name: 'Setup' })).toBeHidden();
  await expect(lab.page.getByRole('region', { name: 'Credit', exact: true })).toHaveCount(0);
}

task('find a Sokoban and give it a critic', async (hand) => {
  await hand.click(hand.lab.experiment());
  await hand.page.getByRole('searchbox', { name: 'Search experiments' }).fill('sokoban');
  await hand.press(/^Sokoban, first push/);
  await hand.press('Show setup');
  await hand.choose(hand.page.getByRole('combobox', { name: 'Advantage method' }), 'PPO with critic (GAE)');
  await expect(hand.page.getByText('advantage GiGPO → PPO with critic (GAE)')).toBeVisible();
});

task('play it', async (hand) => {
  await hand.press('Play it yourself');
  await expect(hand.lab.button('Back to the agent')).toBeVisible();
});

task('break it', async (hand) => {
  // a person is quicker than a test on a busy machine: the run must not be over
  await hand.lab.load(LONG);
  await hand.press('Break it');
  await expect(hand.page.getByRole('region', { name: 'This experiment' })).toContainText('Broken on purpose');
  await hand.lab.reaches(4);
  // curves come less often than the number of updates
  await expect.poll(() => hand.lab.metric('entropy')).toBeLessThan(0.3);
});

task('share the moment of the collapse', async (hand) => {
  await hand.lab.load(LONG);
  await hand.press('Break it');
  await hand.lab.reaches(4);
  await hand.click(hand.lab.pauseButton);
  const link = await hand.lab.copyLink(() => hand.press('Copy link'));
  const context = await hand.page.context().browser()!.newContext();
  await saveData(context);
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('region', { name: 'Opened from a link' })).toContainText(/It shows update \d+/);
  await context.close();
});

task('compare GiGPO with GRPO', async (hand) => {
  await hand.press('Step one update');
  await hand.press('All episodes');
  await hand.press('Compare estimators');
  await expect(hand.page.getByLabel('Estimator A', { exact: true })).toHaveValue('gigpo');
  await expect(hand.page.getByLabel('Estimator B', { exact: true })).toHaveValue('grpo');
});

task('find out why step 7 was blamed', async (hand) => {
  await hand.press('Step one update');
  await hand.lab.waitsAt(1);
  const step = hand.page.getByRole('slider', { name: 'Step of the episode' });
  await hand.click(step);
  await step.press('Home');
  for (let k = 1; k < 7; k++) await step.press('ArrowRight');
  await hand.press('All episodes');
  await hand.press('One step');
  const credit = hand.page.getByRole('region', { name: 'Credit' });
  await expect(credit).toContainText(/, step 7 of \d+: /);
  await expect(credit).toContainText('Who else was in this state?');
});

task('repeat a run with another seed', async (hand) => {
  await hand.press('Show setup');
  await hand.press(/^All \d+ settings$/);
  await hand.page.getByRole('searchbox', { name: 'Search all settings' }).fill('first seed');
  await hand.page.locator('[data-path="run.seed"] input').first().fill('7');
  await hand.click(hand.lab.runButton);
  await hand.lab.reaches(1);
  await expect(hand.page.getByRole('combobox', { name: 'Watching' })).toContainText('seed 7');
});

task('undo a change of experiment', async (hand) => {
  await hand.press('Step one update');
  await hand.lab.waitsAt(1);
  await hand.click(hand.lab.experiment());
  await hand.press(/^Corridor of 12/);
  await hand.lab.becomes('ready');
  await hand.press(/^Undo: back to Key and door · GiGPO, update 1/);
  await hand.lab.waitsAt(1);
});

task('export a curve', async (hand) => {
  await hand.press('Step one update');
  await hand.lab.waitsAt(1);
  const chart = hand.page.getByRole('region', { name: /^(Training success|Success)$/ }).first();
  await hand.click(chart.locator('summary').first());
  const [file] = await Promise.all([
    hand.page.waitForEvent('download'),
    hand.click(chart.getByRole('button', { name: 'CSV', exact: true })),
  ]);
  expect(file.suggestedFilename()).toBe('success.csv');
});

task('change the pace', async (hand) => {
  const pace = hand.page.getByRole('combobox', { name: 'Pace' });
  await hand.choose(pace, 'Slow');
  await expect(pace.locator('option:checked')).toHaveText('Slow');
});

test(`a new user can do what the page is for in at most ${MOST} clicks each`, async ({ lab }) => {
  await lab.open();
  for (const [name, act] of tasks)
    await test.step(name, async () => {
      await toFirstScreen(lab);
      const hand = new Hand(lab);
      await act(hand);
      expect(hand.clicks, name).toBeLessThanOrEqual(MOST);
    });
});
