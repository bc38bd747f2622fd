import { expectToFit, bringAxe } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { keptRuns } from './keptRuns.ts';
import type { Lab } from './lab.ts';

const SMALL = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8 };

/** Two learning rates, two seeds, on the device that there is: a software one has to be asked for. */
async function chooseGpu(lab: Lab, updates: number): Promise<void> {
  const { page } = lab;
  await lab.button('Compare settings').click();
  await lab.button('Setting').click();
  await page.getByRole('combobox', { name: 'Setting 1' }).selectOption('optimizer.learningRate');
  await page.getByRole('spinbutton', { name: 'Seeds', exact: true }).fill('2');
  await page.getByRole('spinbutton', { name: 'Updates', exact: true }).fill(String(updates));
  await expect(page.getByText('2 versions × 2 seeds = 4 runs')).toBeVisible();
  const where = page.getByRole('group', { name: 'Where it trains' });
  await expect(where).toContainText('The device for WebGPU is');
  await where.getByRole('radio', { name: /^GPU/ }).check();
  await expect(where).toContainText('all 4 runs at once');
}

test('a comparison on the GPU: seeds and learning rates train at once, each is a run of its own with the digest it has alone', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load(SMALL);
  await chooseGpu(lab, 20);
  await expectToFit(page, [1440, 390, 320], 'dialog with a choice of where it trains');
  await page.setViewportSize({ width: 1280, height: 800 });
  await lab.button('Start comparison').click();
  await expect(page.getByText('4 of 4 runs finished').first()).toBeVisible();
  const runs = await keptRuns(page);
  expect(runs.map(({ state, backend }) => [state, backend])).toEqual(Array(4).fill(['finished', 'webgpu']));
  expect(new Set(runs.map(({ digest }) => digest)).size).toBe(4);
  await page.keyboard.press('Escape');
  await lab.load({ ...SMALL, 'run.seeds': 1, 'run.seed': 2, 'run.updates': 20, 'run.backend': 'webgpu' });
  const alone = await lab.finish();
  expect(runs.filter(({ seed, digest }) => seed === 2 && digest === alone)).toHaveLength(1);
});

test('a batch that a reload interrupts goes on where it was, to the digests of an uninterrupted one', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await chooseGpu(lab, 300);
  const digests = async () => (await keptRuns(page)).map(({ id, digest }) => `${id.split('.')[1]} ${digest}`).sort();
  await lab.button('Start comparison').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('4 of 4 runs finished').first()).toBeVisible();
  const whole = await digests();
  await lab.button('Another comparison').click();
  await lab.button('Start comparison').click();
  await expect(dialog.getByRole('button', { name: /training, [4-9]\d.%/ }).first()).toBeVisible();
  await lab.reload();
  const strip = page.getByRole('region', { name: 'Comparison' });
  await expect(strip).toContainText('A comparison is not finished');
  await strip.getByRole('button', { name: 'Show' }).click();
  await expect(dialog.getByRole('button', { name: 'Finish on the CPU' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('4 of 4 runs finished').first()).toBeVisible();
  expect(await digests()).toEqual(whole.flatMap((one) => [one, one]));
});
