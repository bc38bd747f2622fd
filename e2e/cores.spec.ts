import { CORES_TRIED } from '../src/core/marks.ts';
import type { Trial } from '../src/engine/cpu/rows/governor.ts';
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

test('a run that measures by itself how many cores it uses has the digest of one, says how many it found, and lets the others go', async ({
  lab,
  page,
}) => {
  const config = { 'run.seeds': 1, 'run.updates': 20_000, 'rollout.groupSize': 8, 'rollout.tasksPerBatch': 8 };
  const trials = (): Promise<readonly Trial[]> =>
    page
      .workers()
      .find((worker) => worker.url().includes('/worker-'))!
      .evaluate(
        (mark) => performance.getEntriesByName(mark).map((entry) => (entry as PerformanceMark).detail as Trial),
        CORES_TRIED,
      );
  await lab.open();
  await page.evaluate(() => sessionStorage.setItem('cores', '4 measured'));
  await lab.reload();
  await lab.load(config);
  const before = page.workers();
  await lab.runButton.click();
  await expect.poll(trials).toHaveLength(1);
  await lab.pauseButton.click();
  await lab.becomes('paused');
  const { at, rates, found } = (await trials())[0]!;
  // the first second is never given to trials; then one core, half of what there is, and all
  expect(at).toBeGreaterThanOrEqual(1000);
  expect(Object.keys(rates)).toEqual(['1', '2', '3']);
  expect(Math.min(...Object.values(rates))).toBeGreaterThan(0);
  expect(rates).toHaveProperty(String(found));
  await expect(page.getByTitle(/^CPU/)).toHaveAttribute(
    'title',
    found === 1 ? 'CPU (SIMD)' : `CPU (SIMD), ${found} cores`,
  );
  // one core that wins ends the others, else they stay for the next trial
  await expect.poll(() => page.workers().filter((worker) => !before.includes(worker)).length).toBe(found === 1 ? 0 : 2);
  const { result, update } = await lab.digest();
  await page.evaluate(() => sessionStorage.removeItem('cores'));
  await lab.reload();
  await lab.load({ ...config, 'run.updates': update });
  expect(await lab.finish()).toBe(result);
});
