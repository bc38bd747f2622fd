import { bringAxe, overflow, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { LabApi, Lab } from './lab.ts';

const FOLDS = ['Exploration', 'Data', 'Structure', 'Optimizer', 'Credit'] as const;

/** A few updates of the table of logits, with evaluations; then the run waits. */
async function trained(lab: Lab): Promise<void> {
  await lab.open();
  await lab.load({ 'run.backend': 'cpu', 'run.seeds': 1, 'policy.method': 'tabular', 'analysis.evalEvery': 2 });
  await lab.page.evaluate(async () => {
    const { lab: api } = window as unknown as { lab: LabApi };
    for (let u = 0; u < 6; u++) await api.step();
  });
  await lab.becomes('paused');
}

test('pass@k and gradient noise are measured beside the run, which does not move', async ({ lab, page }) => {
  await trained(lab);
  const before = await lab.digest();
  await page.locator('details.more > summary', { hasText: /^Exploration/ }).click();
  const panel = page.getByRole('region', { name: 'pass@k', exact: true });
  await panel.getByRole('button', { name: 'Measure pass@k' }).click();
  await expect(panel.getByRole('img', { name: /^pass@k against k\./ })).toBeVisible({ timeout: 30_000 });
  await expect(panel.getByText(/with one try, .* policy after 6 updates/)).toBeVisible();
  await expect(panel.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Entropy law', exact: true })).toContainText(
    'Fewer than 8 evaluations',
  );
  await page.locator('details.more > summary', { hasText: /^Optimizer/ }).click();
  const noise = page.getByRole('region', { name: 'Gradient noise', exact: true });
  await noise.getByRole('button', { name: 'Measure gradient noise' }).click();
  await expect(
    noise.getByText(/After 6 updates, \d+ (groups|trajectories): noise scale|No unit has any credit/),
  ).toBeVisible();
  expect(await lab.digest()).toEqual(before);
});

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 320],
] as const)
  test(`axe finds nothing in the folds of the charts, and they fit: ${theme}, ${width} px`, async ({ lab, page }) => {
    await bringAxe(page);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await trained(lab);
    await page.setViewportSize({ width, height: 800 });
    if (width === 320) await page.getByRole('button', { name: 'Charts', exact: true }).click();
    for (const name of FOLDS) {
      const fold = page.locator('details.more > summary', { hasText: new RegExp(`^${name}`) });
      await fold.click();
      await expect(page.locator('details.more[open] .figure').first()).toBeVisible();
      expect(await violations(page), name).toEqual([]);
      expect(await overflow(page), name).toBeLessThanOrEqual(0);
      await fold.click();
    }
  });
