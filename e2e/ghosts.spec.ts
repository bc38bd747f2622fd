import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';

const SHORT = { 'run.updates': 20, 'run.backend': 'cpu', 'policy.method': 'tabular' };

test('a run is kept as gray curves with its credit behind the next one, and both are compared seed by seed', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ ...SHORT, 'advantage.method': 'grpo' });
  await lab.finish();
  const chart = page.getByRole('region', { name: 'Training success', exact: true });
  await expect(chart.locator('.ghostline')).toHaveCount(0);
  await lab.button('Keep this run').click();
  const kept = page.getByRole('list', { name: 'Kept runs' });
  await expect(kept.getByRole('listitem')).toContainText('GRPO, update 20');
  const gray = (await chart.locator('.ghostline').getAttribute('d'))!;
  const own = (id: string): Promise<number[]> =>
    page.evaluate((m) => (window as unknown as { lab: { metrics(): Record<string, number[]> } }).lab.metrics()[m]!, id);
  const before = await own('success');
  await lab.load({ ...SHORT, 'advantage.method': 'gigpo' });
  // it stays while there is no other run yet
  await expect(chart.locator('.ghostline')).toHaveCount(1);
  await lab.finish();
  const after = await own('success');
  await expect(kept).toContainText('advantage GRPO → GiGPO');
  await expect(chart.locator('.ghostline'), 'the gray curve stays as it was').toHaveAttribute('d', gray);
  const difference = page.getByRole('region', { name: 'Now less kept: Training success' });
  const mean = after.reduce((sum, x, s) => sum + (x - before[s]!) / after.length, 0);
  const says = difference.locator('.says');
  await expect(says).toHaveText(
    /^After update 20: difference .*, 95 % interval .* … .*, over the 3 seeds that both share\./,
  );
  const told = Number(/difference ([+−]?[\d.e-]+),/.exec((await says.textContent())!)![1]!.replace('−', '-'));
  expect(told).toBeCloseTo(mean, 2);
  await expect(page.getByText(/^Kept: GRPO, update 20/).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /^Kept: GRPO, update 20, batch of update 20/ })).toBeVisible();
  // too few seeds is said in place of an interval
  await lab.load({ ...SHORT, 'run.seeds': 2 });
  await lab.finish();
  await expect(says).toContainText('too few seeds for an interval (it needs 3), over the 2 seeds');
  await page.getByRole('button', { name: 'Discard GRPO, update 20' }).click();
  await expect(chart.locator('.ghostline')).toHaveCount(0);
  await expect(lab.button('Keep this run')).toBeFocused();
  // a fork keeps its parent
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.locator('summary').click();
  await timeline.getByRole('button', { name: /^8 / }).click();
  await lab.button('Fork with a change').click();
  await page.getByRole('combobox', { name: 'Advantage method' }).selectOption('grpo');
  await lab.button('Make the fork').click();
  await lab.waitsAt(8);
  await expect(kept.getByRole('listitem')).toContainText('GiGPO, update 20');
  await expect(chart.locator('.ghostline')).toHaveCount(1);
});

test('a chart is enlarged by a click or a key, takes a second metric, zooms by keys, and is saved with its link', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SHORT);
  await lab.finish();
  const chart = page.getByRole('region', { name: 'Training success', exact: true });
  await expect(chart.locator('.keys')).toHaveText(/mean.*seeds.*evaluation success/);
  await expect.poll(async () => (await chart.locator('.keys').boundingBox())?.height).toBeLessThan(24);
  await chart.locator('.plot').click({ position: { x: 150, y: 60 } });
  const large = page.getByRole('dialog', { name: 'Training success' });
  await expect(large).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(large).toHaveCount(0);
  await lab.button('Enlarge Training success').focus();
  await page.keyboard.press('Enter');
  await large.getByLabel('together with').selectOption({ label: 'Policy entropy' });
  await expect(large.locator('.secondline path.recharts-curve')).toHaveCount(1);
  await expect(large.locator('.keys')).toContainText('Policy entropy (right)');
  const from = large.getByLabel('from update');
  await from.focus();
  for (let k = 0; k < 5; k++) await page.keyboard.press('ArrowRight');
  await expect(from).toHaveValue('5');
  await expect(large.locator('.recharts-xAxis-tick-labels')).toHaveText('5101520');
  await large.getByRole('button', { name: 'Whole run' }).click();
  await expect(from).toHaveValue('0');
  const saved = page.waitForEvent('download');
  await large.getByRole('button', { name: 'SVG' }).click();
  const svg = await readFile(await (await saved).path(), 'utf8');
  expect(svg).toMatch(/^<svg[^>]* viewBox/);
  expect(svg).toContain('<metadata>' + new URL(page.url()).origin);
  expect(svg).toMatch(/Experiment [a-z2-7]{10}, after update 20\./);
  expect(svg).not.toContain('var(--');
  const pixels = page.waitForEvent('download');
  await large.getByRole('button', { name: 'PNG' }).click();
  const png = await readFile(await (await pixels).path());
  expect(png.subarray(1, 4).toString()).toBe('PNG');
});
