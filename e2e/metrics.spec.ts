import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { bringAxe, overflow, violations, wideThenNarrow } from './axe.ts';
import { expect, test } from './fixtures.ts';

const FOLDS = ['Exploration', 'Data', 'Structure', 'Optimizer', 'Credit', 'Export'] as const;

/** A fold of the charts, by the start of its title. */
const fold = (page: Page, name: string): Locator =>
  page.locator('details.more > summary', { hasText: new RegExp(`^${name}`) });

test('the folds of the charts: pass@k and gradient noise are measured beside the run, which does not move, all curves come as one table, and axe finds nothing', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load({
    ...{ 'run.backend': 'cpu', 'run.seeds': 1, 'policy.method': 'tabular', 'analysis.evalEvery': 2 },
    'control.safe.on': true,
  });
  await lab.steps(6);

  await test.step('pass@k and gradient noise are measured beside the run, which does not move', async () => {
    const before = await lab.digest();
    await fold(page, 'Exploration').click();
    const panel = page.getByRole('region', { name: 'pass@k', exact: true });
    await panel.getByRole('button', { name: 'Measure pass@k' }).click();
    await expect(panel.getByRole('img', { name: /^pass@k against k\./ })).toBeVisible();
    await expect(panel.getByText(/with one try, .* policy after 6 updates/)).toBeVisible();
    await expect(panel.getByRole('row')).toHaveCount(3);
    await expect(page.getByRole('region', { name: 'Entropy law', exact: true })).toContainText(
      'Fewer than 8 evaluations',
    );
    const mass = page.getByRole('region', { name: 'Mass balance', exact: true });
    await expect(
      mass.getByRole('img', { name: /^Change of the correct mass by samples\. .* (is|are) correct, / }),
    ).toBeVisible();
    await expect(mass.getByText(/^Episode 1 .* step 1 of /)).toBeVisible();
    await fold(page, 'Optimizer').click();
    const noise = page.getByRole('region', { name: 'Gradient noise', exact: true });
    await noise.getByRole('button', { name: 'Measure gradient noise' }).click();
    await expect(
      noise.getByText(/After 6 updates, \d+ (groups|trajectories): noise scale|No unit has any credit/),
    ).toBeVisible();
    expect(await lab.digest()).toEqual(before);
    for (const name of ['Exploration', 'Optimizer']) await fold(page, name).click();
  });

  await test.step('all curves come as one table, on request under the names of other stacks too', async () => {
    await fold(page, 'Export').click();
    const table = async (): Promise<string[][]> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download metrics.csv' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('metrics.csv');
      const text = await readFile(await file.path(), 'utf8');
      return text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
    };
    expect((await table())[0]).not.toContain('actor/entropy');
    await page.getByRole('checkbox', { name: 'also under the names other libraries use' }).check();
    const [head, start, ...rows] = await table();
    expect(start![0], 'the start has nothing but its evaluation').toBe('0');
    expect(start!.slice(3).filter((cell) => cell !== '')).toHaveLength(1);
    expect(rows.map((row) => row[0])).toEqual(['1', '2', '3', '4', '5', '6']);
    const column = (name: string): (string | undefined)[] => rows.map((row) => row[head!.indexOf(name)]);
    expect(column('actor/entropy')).toEqual(column('entropy'));
    expect(column('safePhase')).toEqual(Array(6).fill('0'));
    await fold(page, 'Export').click();
  });

  await test.step('axe finds nothing in the folds, and they fit', async () => {
    await wideThenNarrow(page, async (width) => {
      if (width === 320) await page.getByRole('button', { name: 'Charts', exact: true }).click();
      for (const name of FOLDS) await fold(page, name).click();
      const open = page.locator('details.more[open]');
      await expect(open).toHaveCount(FOLDS.length);
      for (const each of await open.all()) await expect(each.locator('.figure, button').first()).toBeVisible();
      expect(await violations(page), `${width} px`).toEqual([]);
      expect(await overflow(page), `${width} px`).toBeLessThanOrEqual(0);
      for (const name of FOLDS) await fold(page, name).click();
    });
  });
});
