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

test('a device that is lost three times leaves the run on the CPU, and a reset tries it again', async ({
  lab,
  page,
}) => {
  await lab.open(linkWith({ run, rollout: { groupSize: 4, tasksPerBatch: 2 } }));
  await lab.runButton.click();
  const notice = page.getByRole('alert').filter({ hasText: 'The graphics device was lost' });
  for (const backend of ['webgpu', 'webgpu', 'cpu'] as const) {
    await lab.reaches((await lab.state()).update + 2);
    await lab.inject('loseDevice');
    await expect(notice).toContainText(backend === 'cpu' ? 'on the CPU' : 'on the GPU');
    await expect.poll(() => lab.state()).toMatchObject({ state: 'running', backend });
    await page.getByRole('button', { name: 'Close: The graphics device was lost' }).click();
  }
  await lab.reaches((await lab.state()).update + 2);
  await lab.pauseButton.click();
  await lab.becomes('paused');
  await lab.button('Reset').click();
  await lab.becomes('ready');
  expect((await lab.state()).backend).toBe('webgpu');
});

test('refused work takes simpler kernels; refused again, the run stops with a sentence and continues on the CPU in one click', async ({
  lab,
  page,
}) => {
  await lab.open(linkWith({ run, rollout: { groupSize: 4, tasksPerBatch: 2 } }));
  await lab.runButton.click();
  await lab.reaches(3);
  await lab.inject('refuseWork');
  await expect(page.getByRole('note').filter({ hasText: 'Running with simpler kernels' })).toContainText(
    /The graphics device refused work .* continues from update \d+ on the GPU with simpler kernels; nothing is lost\./,
  );
  expect((await lab.state()).backend).toBe('webgpu');
  await lab.reaches((await lab.state()).update + 2);
  await lab.inject('refuseWork');
  await lab.becomes('failed');
  await expect(
    page.getByRole('alert').filter({ hasText: 'The run stopped because the device did not do' }),
  ).toContainText('The curves and checkpoints up to then are kept.');
  const { update } = await lab.state();
  await page.getByRole('button', { name: 'Continue on the CPU' }).click();
  await expect.poll(() => lab.state()).toMatchObject({ state: 'running', backend: 'cpu' });
  await lab.reaches(update + 2);
});

test('a software adapter is named once, and the CPU path is used unless the user insists', async ({ lab, page }) => {
  await lab.open();
  const software = await page.evaluate(async () => {
    const adapter = await navigator.gpu.requestAdapter();
    return /swiftshader|llvmpipe/i.test(
      `${adapter?.info.vendor} ${adapter?.info.architecture} ${adapter?.info.description}`,
    );
  });
  const notice = page.getByRole('note').filter({ hasText: 'Running on the CPU' });
  expect((await lab.state()).backend).toBe(software ? 'cpu' : 'webgpu');
  if (!software) return;
  await expect(notice).toContainText(/only a software graphics device \(.+\)/);
  await page.getByRole('button', { name: 'Close: Running on the CPU' }).click();
  await lab.reload();
  await expect(notice).toHaveCount(0);
  await lab.open(linkWith({ run }));
  await expect.poll(async () => (await lab.state()).backend).toBe('webgpu');
  await expect(notice).toHaveCount(0);
});

test('credit that the CPU computes says so beside the choice, and its parts are shown in a run on the GPU', async ({
  lab,
  page,
}) => {
  await lab.open(linkWith({ run, advantage: { method: 'graphGpo' }, rollout: { groupSize: 4, tasksPerBatch: 2 } }));
  await lab.openSetup();
  await expect(page.getByText('computes its credit on the CPU: a run on the GPU reads every batch back')).toBeVisible();
  await lab.runButton.click();
  await lab.reaches(2);
  await lab.pauseButton.click();
  expect((await lab.state()).backend).toBe('webgpu');
  const parts = page.getByRole('group', { name: 'Part of the credit' }).getByRole('button');
  await expect(parts).toHaveText(['total', 'episode', 'step']);
});
