import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Lab } from './lab.ts';

/** Alone, seed 5 finds nothing here for a long time. */
const ROOM = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 11, 'task.grid.maxSteps': 40, 'task.levels': 1 },
  ...{ 'policy.method': 'tabular', 'optimizer.learningRate': 0.05, 'advantage.method': 'grpo' },
  ...{ 'rollout.method': 'swarm', 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 4 },
  ...{ 'run.seed': 5, 'run.backend': 'cpu', 'run.updates': 400 },
};

const panel = (page: Page) => page.getByRole('group', { name: 'Other tabs' });

/** Opens the form, where a tab is told to share. */
async function openForm(lab: Lab): Promise<void> {
  await lab.button('Show setup').click();
  await expect(panel(lab.page)).toBeVisible();
}

/** A number of the panel, by its name. */
async function count(page: Page, name: string): Promise<number> {
  return Number((await panel(page).locator('div', { hasText: name }).locator('dd').textContent())!.replaceAll(',', ''));
}

test('two tabs share what they play once both were told to, and say that the link alone repeats neither', async ({
  lab,
  page,
  site,
}) => {
  await lab.open();
  await lab.load(ROOM);
  await openForm(lab);
  const other = new Lab(await page.context().newPage(), site);
  await other.open();
  await other.load({ ...ROOM, 'run.seed': 8 });
  await openForm(other);
  // whoever has not been told to hears nobody
  await expect(panel(page).getByRole('checkbox')).not.toBeChecked();
  await panel(page).getByRole('checkbox').check();
  await expect.poll(() => count(page, 'Tabs seen')).toBe(0);
  await panel(other.page).getByRole('checkbox').check();
  for (const one of [page, other.page]) await expect.poll(() => count(one, 'Tabs seen')).toBe(1);
  await expect(panel(page).getByRole('status')).toContainText('the link of this run still repeats it');
  await other.runButton.click();
  await lab.runButton.click();
  await expect.poll(() => count(page, 'Episodes taken'), { timeout: 240_000 }).toBeGreaterThan(0);
  await expect(panel(page).getByRole('status')).toContainText('Its link alone does not repeat it');
  expect(await count(page, 'Episodes refused')).toBe(0);
});
