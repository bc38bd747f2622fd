import { expect, test } from './fixtures.ts';
import { linkWith } from './payload.ts';

/** Software adapters are only used when somebody insists. */
const run = { backend: 'webgpu', updates: 20_000 };

test('the default experiment trains on WebGPU, and nothing says that it runs on the CPU', async ({ lab, page }) => {
  await lab.open(linkWith({ run }));
  await lab.runButton.click();
  await lab.reaches(3);
  expect((await lab.state()).backend).toBe('webgpu');
  // curves come less often than the number of updates
  await expect.poll(() => lab.metric('entropy')).toBeGreaterThan(0);
  expect(await lab.metric('gradNorm')).toBeGreaterThan(0);
  await expect(page.getByRole('note').filter({ hasText: 'Running on the CPU' })).toHaveCount(0);
});

test('after the device is lost the run resumes by itself and says so', async ({ lab, page }) => {
  await lab.open(linkWith({ run, rollout: { groupSize: 4, tasksPerBatch: 2 } }));
  await lab.runButton.click();
  await lab.reaches(3);
  await lab.inject('loseDevice');
  await expect(page.getByText('The graphics device was lost').first()).toBeVisible();
  const { update } = await lab.state();
  await lab.reaches(update + 2);
  expect((await lab.state()).state).toBe('running');
});
