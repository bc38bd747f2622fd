import { expect, test } from './fixtures.ts';

test('a result of WebGPU is verified there, and on the CPU path, which says where the two were trained', async ({
  lab,
  browser,
}) => {
  await lab.open();
  await lab.load({ 'policy.method': 'tabular', 'run.seeds': 2, 'run.updates': 60, 'run.backend': 'webgpu' });
  await lab.steps(6);
  const link = await lab.copyLink();
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  const strip = page.getByRole('region', { name: 'Opened from a link' });
  await expect(strip).toContainText('It comes with its result after 6 updates on WebGPU.');
  const status = strip.getByRole('status');
  await strip.getByRole('button', { name: 'Verify' }).click();
  await expect(status).toContainText('Identical: every action and reward of every update is the same.');
  // where it trains is no change of the experiment
  const onCpu = { 'policy.method': 'tabular', 'run.seeds': 2, 'run.updates': 60, 'run.backend': 'cpu' };
  await page.evaluate(
    (config) => (window as unknown as { lab: { load(c: object): Promise<void> } }).lab.load(config),
    onCpu,
  );
  await strip.getByRole('button', { name: 'Verify' }).click();
  await expect(status).toContainText('It was trained on WebGPU, and here on the CPU path');
  await expect(status).toContainText('Identical: every action and reward of every update is the same.');
  await page.context().close();
});
