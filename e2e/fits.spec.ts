import { bringAxe, expectToFit, overflow } from './axe.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';

/** What a person may have on the page, one after the other; on a phone each stands under a tab. */
const STATES: readonly { name: string; tab: string; reach: (lab: Lab, page: Page) => Promise<void> }[] = [
  {
    name: 'a kept run',
    tab: 'Charts',
    reach: async (lab, page) => {
      await lab.button('Keep this run').click();
      await lab.load({ 'run.updates': 8, 'run.seeds': 2, 'advantage.method': 'grpo' });
      await lab.finish();
      await expect(page.getByText('Now less kept: Training success').first()).toBeVisible();
    },
  },
  {
    name: 'the offer of undo',
    tab: 'Watch',
    reach: (lab) => expect(lab.button(/^Undo: back to/)).toBeVisible(),
  },
  {
    name: 'the meaning of a symbol',
    tab: 'Charts',
    reach: async (_, page) => {
      await page.locator('.charts button.symbol').first().click();
      await expect(page.locator('.meaning').first()).toBeVisible();
    },
  },
  {
    name: 'inside the policy',
    tab: 'Episodes',
    reach: async (_, page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Inside the policy' }).click();
      await expect(page.getByText('inputs are on').first()).toBeVisible();
    },
  },
  {
    name: 'the settings that matter',
    tab: 'Setup',
    reach: async (lab, page) => {
      await lab.button('Show setup').click();
      await expect(page.getByRole('region', { name: 'Setup' }).locator('[data-path]')).toHaveCount(5);
    },
  },
];

/** The same page with letters of twice the size, as browsers have a setting for. */
async function expectBigTextToFit(page: Page, where: string, show: () => Promise<void>): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await show();
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    expect(await overflow(page), `${where}, letters of twice the size, ${width} px`).toBeLessThanOrEqual(0);
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  }
}

test('kept runs, undo, meanings, pictures of the policy and settings fit in 320 px and with letters of twice the size, in both themes', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load({ 'run.updates': 8, 'run.seeds': 2 });
  await lab.finish();
  for (const { name, tab, reach } of STATES) {
    const show = async (): Promise<void> => {
      if (page.viewportSize()!.width < 760)
        await page.getByRole('navigation').getByRole('button', { name: tab }).click();
    };
    await page.setViewportSize({ width: 1280, height: 800 });
    await reach(lab, page);
    await expectToFit(page, [1280, 390, 320], name, show);
    await expectBigTextToFit(page, name, show);
  }
});

/** What takes the place of much of the page: each on a page of its own. */
const LARGE: typeof STATES = [
  {
    name: 'all settings',
    tab: 'Setup',
    reach: async (lab, page) => {
      await lab.button('Show setup').click();
      const setup = page.getByRole('region', { name: 'Setup' });
      await setup.getByRole('button', { name: /^All \d+ settings$/ }).click();
      await expect(setup.getByRole('searchbox', { name: 'Search all settings' })).toBeVisible();
    },
  },
  {
    name: 'an enlarged chart',
    tab: '',
    reach: async (lab, page) => {
      await lab.load({ 'run.updates': 8, 'run.seeds': 2 });
      await lab.finish();
      await lab.button('Enlarge Training success').click();
      await expect(page.getByRole('dialog', { name: 'Training success' })).toBeVisible();
    },
  },
  {
    name: 'a level that a person plays',
    tab: 'Watch',
    reach: async (lab, page) => {
      await lab.button('Play it yourself').click();
      await page.keyboard.press('ArrowDown');
    },
  },
];

for (const { name, tab, reach } of LARGE)
  test(`${name}: nothing is cut off in 320 px or with letters of twice the size, in both themes`, async ({
    lab,
    page,
  }) => {
    const show = async (): Promise<void> => {
      if (tab !== '' && page.viewportSize()!.width < 760)
        await page.getByRole('navigation').getByRole('button', { name: tab }).click();
    };
    await bringAxe(page);
    await lab.open();
    await reach(lab, page);
    await expectBigTextToFit(page, name, show);
    await expectToFit(page, [390, 320], name, show);
  });
