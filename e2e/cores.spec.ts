import { expect, test } from './fixtures.ts';

const SMALL = { 'run.seeds': 4, 'run.updates': 25, 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2 };

test('seeds spread over several cores give the digest of one core, and everything else works on them', async ({
  lab,
  page,
}) => {
  const finished = async (): Promise<string> => {
    await lab.load(SMALL);
    return lab.finish();
  };
  await lab.open();
  const one = await finished();
  await page.evaluate(() => sessionStorage.setItem('cores', '4'));
  await lab.reload();
  expect(await finished()).toBe(one);
  await expect(page.getByTitle('CPU (SIMD), 3 cores')).toBeVisible();
  // the walk through an update and its check against the run
  await lab.load(SMALL);
  await page.getByRole('tab', { name: 'One update' }).click();
  await lab.button('Walk through the next update').click();
  await lab.button('Finish update').click();
  await expect(page.getByText('identical, bit for bit')).toBeVisible();
});
