import { expect, test } from './fixtures.ts';

/** A room in which SPEAR soon has something to play again. */
const ROOMS = {
  ...{ 'task.grid.level': 'fourRooms', 'task.levels': 2, 'task.grid.maxSteps': 30, 'policy.method': 'tabular' },
  ...{ 'rollout.method': 'spear', 'rollout.spear.rise': 4, 'advantage.method': 'grpo' },
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'run.backend': 'cpu', 'run.updates': 20 },
};

test('episodes that are played again stand in the list with where they are from, can be watched, and have strips', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(ROOMS);
  await lab.train();
  const list = page.getByRole('listbox', { name: 'Episodes; arrow keys choose' });
  const again = list.getByRole('option', { name: /from update \d+/ });
  await expect(again.first()).toContainText('π/π_old');
  await again.first().click();
  await expect(again.first()).toHaveAttribute('aria-selected', 'true');
  const player = page.getByRole('group', { name: 'Episode player' });
  await expect(player).toContainText('an episode beside it reached the goal');
  await expect(player).toContainText('importance weights π/π_old of');
  await player.getByRole('button', { name: 'Last step' }).click();
  await expect(page.getByRole('slider', { name: 'Step of the episode' })).toHaveAttribute(
    'aria-valuetext',
    /step (\d+) of \1/,
  );
  await page.getByRole('button', { name: 'All episodes' }).click();
  const credit = page.getByRole('region', { name: 'Credit', exact: true });
  await expect(credit).toContainText('Beside the batch');
  await expect(credit).toContainText(
    /Episode 1 beside the batch \(from update \d+\), step \d+ of \d+: \w+, credit \+0?\.?\d*.*importance weight/,
  );
  await credit.getByRole('button', { name: 'One step' }).click();
  await credit.getByRole('button', { name: 'Back to the batch' }).click();
  await expect(player).toContainText('this episode');
  await expect(credit).toContainText('Its probability');
});
