import { bringAxe, expectNoViolations, overflow } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';

const PAGES = ['Step by step', 'Points', 'Larger batches', 'Map'] as const;

/** A run after some updates: enough that some episodes succeed and some fail. */
async function trained(lab: Lab, updates = 20): Promise<void> {
  await lab.open();
  await lab.load({ 'run.seeds': 1 });
  await lab.steps(updates);
}

async function compared(lab: Lab): Promise<void> {
  await lab.button('Compare estimators').click();
  await expect(lab.page.getByText('Everything has been computed.')).toBeVisible();
}

test('other estimators judge the same batch side by side, and nothing is trained', async ({ lab, page }) => {
  await trained(lab);
  const before = await lab.digest();
  await compared(lab);
  for (const name of ['GiGPO', 'GRPO', 'Truth (exact)'])
    await expect(page.getByRole('img', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}: `) })).toBeVisible();
  await expect(page.getByText(/^agrees in sign on \d+\s% of the steps that mattered$/).first()).toBeVisible();
  await page.getByLabel('Estimator B', { exact: true }).selectOption('salt');
  await expect(page.getByRole('img', { name: /^SALT: / })).toBeVisible();
  await page.getByRole('button', { name: 'Add an estimator' }).click();
  const third = page.getByLabel('Estimator C', { exact: true });
  // what only some runs have says so
  await third.selectOption('gigpoSimilar');
  await expect(page.getByText('GiGPO over similar states needs the observation of each step as cells')).toBeVisible();
  await third.selectOption('arpo');
  await expect(page.getByText('ARPO needs episodes that were forked from others')).toBeVisible();
  await third.selectOption('remax');
  await expect(page.getByText('ReMax needs the return of one greedy episode of each task')).toBeVisible();
  expect(await lab.digest()).toEqual(before);
});

test('settings of a compared estimator change its credit, not the run', async ({ lab, page }) => {
  await trained(lab);
  await compared(lab);
  const strip = page.getByRole('grid', { name: /^GiGPO, credit/ });
  const cell = strip.getByRole('gridcell');
  await strip.focus();
  await page.keyboard.press('End');
  await expect(cell).toContainText(/step (\d+) of \1:/);
  const before = await cell.textContent();
  await page.getByText('Settings of estimator A').click();
  await page
    .getByRole('combobox', { name: /^Scale/ })
    .last()
    .selectOption('mean');
  await expect.poll(() => cell.textContent()).not.toBe(before);
  expect((await lab.state()).update).toBe(20);
});

test('every number has its words and its definition, also those of fresh batches', async ({ lab, page }) => {
  await trained(lab);
  await compared(lab);
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
});

test('a step that is chosen anywhere is taken apart: parts, sum, companions, sources', async ({ lab, page }) => {
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
});

test('where the KL term is in the reward, what the world paid is shown, and beside it what the estimator sees', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.seeds': 1, 'objective.klIn': 'reward', 'objective.klCoef': 0.5, 'run.backend': 'cpu' });
  await lab.steps(3);
  await expect(page.getByText(/return [\d.]+ \([−\d.]+ as the estimator sees it\)/).first()).toBeVisible();
  await lab.button('One step').click();
  await expect(page.getByText('Return, as the estimator sees it').first()).toBeVisible();
  await expect(page.getByText(/not what the world paid but what the estimator of this run sees/)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('the keyboard alone compares, moves in a strip, and takes the same step apart', async ({ lab, page }) => {
  await trained(lab);
  await lab.button('Compare estimators').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Everything has been computed.')).toBeVisible();
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
});

test('while training runs the comparison follows, and the run ends as it would have without', async ({ lab }) => {
  const run = async (isCompared: boolean): Promise<string> => {
    await lab.open();
    await lab.load({ 'run.updates': 40, 'run.backend': 'cpu' });
    await lab.steps(1);
    if (isCompared) await lab.button('Compare estimators').click();
    return lab.finish();
  };
  const alone = await run(false);
  expect(await run(true)).toBe(alone);
});

test('where there are no exact values the truth is estimated, and is called so', async ({ lab, page }) => {
  await lab.open();
  await lab.load({ 'task.rewardDelay': 2, 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4, 'run.backend': 'cpu' });
  await lab.steps(1);
  await compared(lab);
  await expect(page.getByText('Rewards are paid late, and what is still due is not part of the state.')).toBeVisible();
  await expect(page.getByText(/Truth: estimated on \d+ of \d+ steps drawn at random, from 64 pairs/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^Truth \(estimated\): / })).toBeVisible();
  await expect(page.getByText('needs exact values').first()).toBeVisible();
});

test('measures of the shown batches are curves with a table', async ({ lab, page }) => {
  await trained(lab, 5);
  await page.locator('summary', { hasText: /^Structure/ }).click();
  const chart = page.getByRole('region', { name: 'Size of step groups' });
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.locator('.now')).toHaveText(/\d/);
  await chart.getByText('Details of').click();
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('row')).toHaveCount(6);
});

test('axe finds nothing in the credit views, in both themes, and they fit in 320 px', async ({ lab, page }) => {
  await bringAxe(page);
  await trained(lab);
  await compared(lab);
  await page.getByRole('button', { name: 'Add an estimator' }).click();
  await page.getByLabel('Estimator C', { exact: true }).selectOption('remax');
  await expect(page.getByText('Everything has been computed.')).toBeVisible();
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of PAGES) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.evaluate(() =>
        document.querySelectorAll<HTMLDetailsElement>('.credit details').forEach((d) => (d.open = true)),
      );
      await expectNoViolations(page, `${name}, ${width} px`);
      expect(await overflow(page), `${name}, ${width} px`).toBeLessThanOrEqual(0);
    }
    await lab.button('One step').click();
    await expect(page.getByRole('heading', { name: 'Sources' })).toBeVisible();
    await page.evaluate(() =>
      document.querySelectorAll<HTMLDetailsElement>('.credit details').forEach((d) => (d.open = true)),
    );
    await expectNoViolations(page, `one step, ${width} px`);
    expect(await overflow(page), `one step, ${width} px`).toBeLessThanOrEqual(0);
    await lab.button('Compare estimators').click();
  }
});
