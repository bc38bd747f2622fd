import { expect, test } from './fixtures.ts';

const SMALL = { 'run.seeds': 4, 'run.updates': 25, 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2 };

test('seeds, or the rows of one, spread over several cores give the digest of one core, and everything else works on them', async ({
  lab,
  page,
}) => {
  const finished = async (): Promise<string> => {
    await lab.load(SMALL);
    return lab.finish();
  };
  // its batches are large enough for three cores
  const alone = { 'run.seeds': 1, 'run.updates': 6, 'rollout.groupSize': 8, 'rollout.tasksPerBatch': 8 };
  await lab.open();
  await lab.load(alone);
  const rows = await lab.finish();
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

  await lab.load(alone);
  await lab.steps(2);
  await expect(page.getByTitle('CPU (SIMD), 3 cores')).toBeVisible();
  // the workers of the rows came last; one of them ends, and nobody waits for it
  const other = page.workers().at(-1)!;
  expect(other.url()).toContain('/replicas.worker-');
  const gone = other.waitForEvent('close');
  await other.evaluate(() => self.close()).catch(() => undefined);
  await gone;
  expect(await lab.finish()).toBe(rows);
});
