import type { Page } from '@playwright/test';
import { bringAxe, overflow, violations, wideThenNarrow } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';

const PAGES = ['Step by step', 'Points', 'Larger batches', 'Map'] as const;

/** Enough updates that some episodes succeed and some fail. */
async function trained(lab: Lab): Promise<void> {
  await lab.open();
  await lab.load({ 'run.seeds': 1, 'run.updates': 20 });
  await lab.finish();
}

const isComputed = (page: Page): Promise<void> => expect(page.getByText('Everything has been computed.')).toBeVisible();

/** All that can be unfolded is. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => document.querySelectorAll<HTMLDetailsElement>('.credit details').forEach((d) => (d.open = true)));

/** Axe finds nothing in any view of the comparison and of one step: wide and light, narrow and dark; all of them fit. */
async function expectViewsToFit(lab: Lab, page: Page): Promise<void> {
  await wideThenNarrow(page, async (width) => {
    for (const name of [...PAGES, 'One step']) {
      await page.getByRole('button', { name, exact: true }).click();
      if (name === 'One step') await expect(page.getByRole('heading', { name: 'Sources' })).toBeVisible();
      await unfold(page);
      expect(await violations(page), `${name}, ${width} px`).toEqual([]);
      expect(await overflow(page), `${name}, ${width} px`).toBeLessThanOrEqual(0);
    }
    await lab.button('Compare estimators').click();
  });
}

test('other estimators judge the same batch: side by side, each with its settings, every number with its words; nothing is trained, keys reach it, and axe finds nothing', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await trained(lab);
  const before = await lab.digest();

  await test.step('the keyboard alone compares, moves in a strip, and takes the same step apart', async () => {
    await lab.button('Compare estimators').focus();
    await page.keyboard.press('Enter');
    await isComputed(page);
    await page.getByRole('grid', { name: /^GRPO, credit/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const told = page.getByText(/^Episode 2 \(task 1, \w+\), step 2 of/);
    await expect(told.first()).toBeVisible();
    // the stage shows the same step
    await expect(page.getByRole('heading', { name: /^Step 2: the agent chose/ })).toBeVisible();
    await lab.button('One step').focus();
    await page.keyboard.press('Enter');
    await expect(told.first()).toBeVisible();
    await lab.button('Compare estimators').click();
    await isComputed(page);
  });

  await test.step('every number has its words and its definition, also those of fresh batches', async () => {
    const titles = ['Right sign', 'Correlation', 'Left unexplained', 'Cosine of the credit', 'Direction of the update'];
    const table = page.getByRole('table', { name: /^Every estimator with every measure/ });
    const row = table.getByRole('row', { name: /GiGPO/ });
    const told = page.getByRole('status').filter({ hasText: 'GiGPO: ' });
    for (const [k, title] of [...titles, 'Systematic error (bias²)', 'Random error (variance)'].entries()) {
      await expect(row.getByRole('cell').nth(k), title).toContainText(/\d/);
      const head = table.getByRole('button', { name: title, exact: true });
      if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
      await expect(told).toContainText(`${title}. `);
    }
    await expect(told).toContainText('over the same 16 fresh batches', { ignoreCase: true });
    // of two estimators one is the best at each measure, or both are
    for (let k = 0; k < titles.length; k++)
      await expect(table.locator(`tbody tr td:nth-of-type(${k + 1}) strong`).first()).toBeVisible();
    await lab.button('Larger batches').click();
    await page.getByText('Numbers of the curve').click();
    await expect(page.getByRole('region', { name: 'Cosine against batch size' }).getByRole('row')).toHaveCount(7);
    await lab.button('Step by step').click();
  });

  await test.step('settings of a compared estimator change its credit, not the run', async () => {
    const strip = page.getByRole('grid', { name: /^GiGPO, credit/ });
    const cell = strip.getByRole('gridcell');
    await strip.focus();
    await page.keyboard.press('End');
    await expect(cell).toContainText(/step (\d+) of \1:/);
    const words = await cell.textContent();
    await page.getByText('Settings of estimator A').click();
    await page
      .getByRole('combobox', { name: /^Scale/ })
      .last()
      .selectOption('mean');
    await expect.poll(() => cell.textContent()).not.toBe(words);
  });

  await test.step('estimators are chosen and added; what only some runs have says so', async () => {
    for (const name of ['GiGPO', 'GRPO', 'Truth (exact)'])
      await expect(page.getByRole('img', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}: `) })).toBeVisible();
    await expect(page.getByText(/^agrees in sign on \d+\s% of the steps that mattered$/).first()).toBeVisible();
    await page.getByLabel('Estimator B', { exact: true }).selectOption('salt');
    await expect(page.getByRole('img', { name: /^SALT: / })).toBeVisible();
    await page.getByRole('button', { name: 'Add an estimator' }).click();
    const third = page.getByLabel('Estimator C', { exact: true });
    await third.selectOption('gigpoSimilar');
    await expect(page.getByText('GiGPO over similar states needs the observation of each step as cells')).toBeVisible();
    await third.selectOption('arpo');
    await expect(page.getByText('ARPO needs episodes that were forked from others')).toBeVisible();
    await third.selectOption('remax');
    await expect(page.getByText('ReMax needs the return of one greedy episode of each task')).toBeVisible();
  });

  expect(await lab.digest()).toEqual(before);
  await isComputed(page);
  await test.step('axe finds nothing, and all views fit', () => expectViewsToFit(lab, page));
});

test('a step that is chosen anywhere is taken apart: parts, sum, companions, sources, also of a reward that holds the KL term; measures of the shown batches are curves', async ({
  lab,
  page,
}) => {
  await trained(lab);
  await lab.button('One step').click();
  const parts = page.getByRole('table', { name: 'Parts of the credit of this step and their sum' });
  await expect(parts.getByRole('row')).toHaveCount(4);
  const remainder = async (): Promise<number> => {
    const texts = await parts.locator('tbody .number').allTextContents();
    const [episode, step, sum] = texts.map((text) => Number(text.replace(/[▲▼ +]/g, '').replace('−', '-')));
    return Math.abs(episode! + step! - sum!);
  };
  await expect.poll(remainder).toBeLessThan(0.02);
  await page.getByRole('button', { name: 'Episode after ↓' }).click();
  await expect(page.getByText(/^Episode 2 \(task 1, \w+\), step 1 of \d+: /).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Who else was in this state?' })).toBeVisible();
  await expect(page.getByText('What the world reported', { exact: true })).toBeVisible();
  await expect(page.getByText(/^[−\d.]+ before, [−\d.]+ after$/)).toBeVisible();
  await expect(page.getByText(/^\d+\s% before, \d+\s% after$/)).toBeVisible();
  await page.getByText(/^All \d+ visits$/).click();
  await page.getByRole('region', { name: 'Visits to this state' }).getByRole('button').first().click();
  await expect(page.getByText(/^Episode 1 \(task 1, \w+\), step 1 of \d+: /).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'arXiv 2505.10978' })).toHaveAttribute(
    'href',
    'https://arxiv.org/abs/2505.10978',
  );
  await expect(page.getByText('src/slots/advantage/gigpo.ts')).toBeVisible();
  await page.getByRole('combobox', { name: 'Credit by' }).selectOption('rloo');
  await expect(page.getByText('src/slots/advantage/rloo.ts')).toBeVisible();
  await expect(parts.getByRole('row')).toHaveCount(3);

  // what the world paid is shown, and beside it what the estimator sees
  await lab.load({ 'run.seeds': 1, 'objective.klIn': 'reward', 'objective.klCoef': 0.5, 'run.backend': 'cpu' });
  // one by one: each of the three batches is shown
  for (let u = 0; u < 3; u++) await lab.steps(1);
  await expect(page.getByText(/return [\d.]+ \([−\d.]+ as the estimator sees it\)/).first()).toBeVisible();
  await lab.button('One step').click();
  await expect(page.getByText('Return, as the estimator sees it').first()).toBeVisible();
  await expect(page.getByText(/not what the world paid but what the estimator of this run sees/)).toBeVisible();
  await test.step('measures of the shown batches are curves with a table', async () => {
    await page.locator('summary', { hasText: /^Structure/ }).click();
    const chart = page.getByRole('region', { name: 'Size of step groups' });
    await chart.scrollIntoViewIfNeeded();
    await expect(chart.locator('.now')).toHaveText(/\d/);
    await chart.getByText('Details of').click();
    await chart.getByRole('button', { name: 'Show as table' }).click();
    await expect(chart.getByRole('row')).toHaveCount(4);
  });
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('while training runs the comparison follows, and the run ends as it would have without; a truth that is not exact is estimated', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.updates': 40, 'run.seeds': 1, 'run.backend': 'cpu' });
  const alone = await lab.finish();
  await lab.button('Reset').click();
  await lab.becomes('ready');
  await lab.steps(1);
  await lab.button('Compare estimators').click();
  expect(await lab.finish()).toBe(alone);

  await test.step('where there are no exact values the truth is estimated, and is called so', async () => {
    await lab.load({ 'task.rewardDelay': 2, 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4, 'run.backend': 'cpu' });
    await lab.steps(1);
    await isComputed(page);
    await expect(
      page.getByText('Rewards are paid late, and what is still due is not part of the state.'),
    ).toBeVisible();
    await expect(page.getByText(/Truth: estimated on \d+ of \d+ steps drawn at random, from 64 pairs/)).toBeVisible();
    await expect(page.getByRole('img', { name: /^Truth \(estimated\): / })).toBeVisible();
    await expect(page.getByText('needs exact values').first()).toBeVisible();
  });
});
