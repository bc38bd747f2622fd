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

const ONE = { 'run.seeds': 1, 'run.updates': 6, 'analysis.evalEvery': 4 };

test.describe('the rows of one seed', () => {
  // a service worker would answer with the headers that it has kept
  test.use({ serviceWorkers: 'block' });

  test('are spread over cores where the page is isolated, with the digest of one core', async ({ lab, page, site }) => {
    const finished = async (): Promise<string> => {
      await lab.load(ONE);
      return lab.finish();
    };
    await lab.open();
    const one = await finished();
    await expect(page.getByTitle('CPU (SIMD)', { exact: true })).toBeVisible();
    await page.evaluate(() => sessionStorage.setItem('cores', '4'));
    await lab.reload();
    expect(await finished()).toBe(one);
    await expect(page.getByTitle('CPU (SIMD), 3 cores')).toBeVisible();
    // a host that sends no headers: workers share no memory, and one core does all
    await page.route(`${site}**`, async (route) => {
      const response = await route.fetch();
      const headers = Object.entries(response.headers()).filter(([name]) => !name.startsWith('cross-origin-'));
      await route.fulfill({ response, headers: Object.fromEntries(headers) });
    });
    await lab.reload();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(await finished()).toBe(one);
    await expect(page.getByTitle('CPU (SIMD)', { exact: true })).toBeVisible();
  });
});
