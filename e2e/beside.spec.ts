import { expect, test } from './fixtures.ts';

/** Four rooms with few episodes, of which some succeed and come back. */
const COMES_BACK = {
  ...{ 'run.backend': 'cpu', 'task.grid.level': 'fourRooms', 'task.levels': 2, 'task.grid.maxSteps': 30 },
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'advantage.method': 'grpo' },
  ...{ 'rollout.method': 'spear', 'rollout.spear.rise': 4, 'run.seeds': 1, 'run.updates': 24 },
};

test('episodes that come back stand in the list with where they are from, and play on the stage', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(COMES_BACK);
  await lab.finish();
  const back = page.getByText(/^from update \d+$/).first();
  await expect(back).toBeVisible();
  await back.click();
  await expect(
    page
      .getByText(/an episode beside it reached the goal in \d+ steps, return 1\. It was played in update \d+\./)
      .first(),
  ).toBeVisible();
  await expect(
    page.getByText(/^Episode 1 beside the batch \(from update \d+\), step 1 of \d+: /).first(),
  ).toBeVisible();
  await expect(page.getByText('episodes played before; their mean loss counts once')).toBeVisible();
});
