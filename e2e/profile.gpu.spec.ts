import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';

test('the profile of a run on WebGPU names slots, kernels and memory, and its trace file holds them', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.backend': 'webgpu', 'run.seeds': 1, 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2 });
  await page.getByRole('tab', { name: 'Profile' }).click();
  await lab.button('Measure an update').click();
  await expect(page.getByText(/One update takes .* ms on .* environment steps per second/)).toBeVisible();
  const slots = page.getByRole('region', { name: 'Time by slot' });
  for (const slot of ['Rollout', 'Credit', 'Objective and optimizer'])
    await expect(slots.getByRole('row', { name: new RegExp(`${slot} .*ms`) })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Time by kernel' }).getByRole('row')).not.toHaveCount(1);
  await expect(
    page.getByRole('region', { name: 'Memory by label' }).getByRole('row', { name: /weights/ }),
  ).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), lab.button('Save trace file').click()]);
  expect(file.suggestedFilename()).toBe('horizon-lab-trace.json');
  const trace = JSON.parse(readFileSync(await file.path(), 'utf8')) as { traceEvents: { ph: string; tid: number }[] };
  const bars = trace.traceEvents.filter((event) => event.ph === 'X');
  expect(bars.some((bar) => bar.tid === 1) && bars.some((bar) => bar.tid === 2)).toBe(true);
  // nothing was trained
  expect((await lab.state()).update).toBe(0);
});
