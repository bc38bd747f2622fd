import type { Page } from '@playwright/test';
import { bringAxe, expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';

const strip = (page: Page) => page.getByRole('group', { name: 'Credit of this episode' });

/** All that has moved on the page without anybody asking for it. */
const shifted = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { shifted: number }).shifted);

test.describe('on a first visit', () => {
  test.use({
    visit: 'first',
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'no-preference' },
  });

  test('a run moves nothing on the page, rests on a step, and leads from credit that is 0 to where it was most; the layout is remembered', async ({
    lab,
    page,
  }) => {
    await page.addInitScript(() => {
      const counted = window as unknown as { shifted: number };
      counted.shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) counted.shifted += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await lab.open();
    await expect(strip(page)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('region', { name: 'Credit', exact: true })).toHaveCount(0);
    await lab.runButton.click();
    await lab.reaches(30);
    await page.getByRole('combobox', { name: 'Pace' }).selectOption('Full speed');
    await lab.becomes('finished');
    expect(await shifted(page)).toBeLessThanOrEqual(0.02);
    const left = async (): Promise<number> => {
      const at = await page.getByRole('slider', { name: 'Step of the episode' }).getAttribute('aria-valuetext');
      const [, step, length] = /^step (\d+) of (\d+)$/.exec(at!)!;
      return Number(length) - Number(step);
    };
    await expect.poll(left).toBeGreaterThan(0);

    await expect(strip(page).getByText('Exact credit is 0 everywhere now')).toBeVisible();
    await strip(page)
      .getByRole('button', { name: /^Go to update \d+/ })
      .click();
    await expect(page.getByText(/^You are looking at update \d+ of 200/)).toBeVisible();
    await expect(strip(page).getByText('Exact credit is 0 everywhere now')).toHaveCount(0);
    // the step on the stage is the one with the largest exact credit of its batch
    const cell = strip(page).getByRole('gridcell');
    await expect(cell).toHaveText(/^Step \d+: GiGPO [^,]+, exact [+−]0\.[1-9]/);

    await test.step('the strip opens into the credit of all episodes, whose scale is that of the run; widths are remembered', async () => {
      await lab.button('Reset').click();
      await lab.becomes('ready');
      await lab.steps(2);
      const more = strip(page).getByRole('button', { name: 'All episodes' });
      await expect(more).toHaveAttribute('aria-expanded', 'false');
      await more.click();
      const credit = page.getByRole('region', { name: 'Credit', exact: true });
      await expect(credit.getByText('fixed over the run at the largest value so far')).toBeVisible();

      const setup = page.getByRole('separator', { name: 'Width of the setup' });
      const box = page.locator('.columns > .setup');
      await lab.button('Show setup').click();
      await expect(box).toBeVisible();
      const width = async (): Promise<number> => (await box.boundingBox())!.width;
      const before = await width();
      await setup.press('ArrowRight');
      await expect.poll(width).toBe(before + 24);
      await expect(setup).toHaveAttribute('aria-valuenow', String(before + 24));
      const bar = (await setup.boundingBox())!;
      await page.mouse.move(bar.x + bar.width / 2, bar.y + 200);
      await page.mouse.down();
      await page.mouse.move(bar.x + bar.width / 2 + 60, bar.y + 200);
      await page.mouse.up();
      await expect.poll(width).toBe(before + 84);

      await lab.reload();
      await lab.button('Show setup').click();
      await expect.poll(width).toBe(before + 84);
      await expect(more).toHaveAttribute('aria-expanded', 'true');
      await setup.press('Enter');
      await expect.poll(width).toBe(before);
    });
  });
});

test('the timeline is one line; world and credit take the whole window and give it back; bars stay where they are', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.steps(3);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const height = async (): Promise<number> => (await timeline.boundingBox())!.height;
  await expect.poll(height).toBeLessThan(60);
  const charts = page.getByRole('region', { name: 'Charts', exact: true });
  const canvas = page.locator('.picture canvas');
  const width = async (): Promise<number> => (await canvas.boundingBox())!.width;
  const narrow = await width();
  await lab.button('Enlarge the world').click();
  await expect(charts).toBeHidden();
  await expect(lab.button('Show all panels again')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(charts).toBeVisible();
  await expect.poll(width).toBe(narrow);
  await lab.button('Enlarge the credit').click();
  await expect(page.getByRole('heading', { name: 'World' })).toBeHidden();
  await expectNoViolations(page, 'credit alone');
  await lab.button('Show all panels again').click();
  await expect(page.getByRole('heading', { name: 'World' })).toBeVisible();

  await test.step('the likeliest of many actions change from step to step, and their bars stay where they are', async () => {
    await lab.load('maze-two-rooms');
    await lab.steps(1);
    const bars = page.locator('.bars.many .bar');
    await bars.first().waitFor();
    await bars.evaluateAll((all) => {
      for (const bar of all) bar.setAttribute('data-at', String((bar as HTMLElement).offsetTop));
    });
    const named = new Set<string>();
    const slider = page.getByRole('slider', { name: 'Step of the episode' });
    await slider.press('Home');
    for (let step = 0; step < 6; step++) {
      named.add((await bars.locator('> span:first-child').allTextContents()).join());
      await slider.press('ArrowRight');
      const moved = await bars.evaluateAll((all) =>
        all.map((bar) => (bar as HTMLElement).offsetTop - Number(bar.getAttribute('data-at') ?? 'NaN')),
      );
      expect(moved).toEqual([0, 0, 0, 0, 0, 0]);
    }
    expect(named.size).toBeGreaterThan(1);
  });
});
