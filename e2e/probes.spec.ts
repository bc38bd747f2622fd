import { expect, test } from './fixtures.ts';

const WINDOW = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.grid.random': true, 'task.levels': 0 },
  ...{ 'task.grid.view': 'ego', 'task.grid.window': 3, 'task.grid.maxSteps': 10, 'run.backend': 'cpu' },
  ...{ 'policy.method': 'gru', 'policy.gru.hidden': 8 },
  ...{ 'run.updates': 3, 'run.seeds': 1, 'advantage.method': 'grpo' },
};

test('what the policy knows is read on request: memory and view apart, with controls, as figure and as table', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(WINDOW);
  await lab.runButton.click();
  await expect.poll(async () => (await lab.state()).update).toBe(3);
  await page.getByText('Structure').first().click();
  const figure = page.getByRole('region', { name: 'What does the policy know?' });
  await figure.getByLabel('levels').selectOption('256');
  await figure.getByRole('button', { name: 'Read the policy' }).click();
  await expect(figure.getByText(/Cells that were seen earlier are told right in .* after 3 updates/)).toBeVisible();
  await expect(figure.getByRole('img', { name: /cells in view: .*cells never seen: .*next action: / })).toBeVisible();
  await expect(figure.getByRole('img', { name: /^The map as it is read: \d+ cells wrong/ })).toHaveCount(4);
  await figure.getByText('Details').click();
  await figure.getByRole('button', { name: 'Show as table' }).click();
  // one row for each kind of read-out
  await expect(figure.getByRole('row', { name: /own place, ±1 cell/ })).toHaveCount(2);

  // one level only cannot be held out
  await lab.load({ 'task.levels': 1 });
  await lab.runButton.click();
  await expect.poll(async () => (await lab.state()).update).toBe(3);
  await figure.getByRole('button', { name: 'Read the policy' }).click();
  await expect(figure.getByText(/This task has one level only/)).toBeVisible();
});
