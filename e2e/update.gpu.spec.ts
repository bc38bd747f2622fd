import { expect, test } from './fixtures.ts';

test('on WebGPU the walk says that it was worked out on the CPU, and how far the GPU’s own update is from it', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.backend': 'webgpu', 'run.updates': 20, 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2 });
  await lab.button('Step one update').click();
  await lab.waitsAt(1);
  expect((await lab.state()).backend).toBe('webgpu');
  await page.getByRole('tab', { name: 'One update' }).click();
  await lab.button('Walk through the next update').click();
  await expect(page.getByText('Computed on the CPU from the exact state of the run')).toBeVisible();
  await lab.button('Finish update').click();
  const told = page.getByText('The run has made this update.');
  await expect(told).toBeVisible();
  const words = (await told.textContent())!;
  const largest = Number(/by at most ([\d.e-]+), because the GPU rounds/.exec(words)?.[1] ?? '0');
  expect(words).toMatch(/identical, bit for bit|because the GPU rounds differently/);
  // a parameter moves by about the learning rate, 0.003; rounding is far below
  expect(largest).toBeLessThan(3e-4);
});
