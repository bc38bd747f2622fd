import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { LONG } from './lab.ts';

/** More presses than there are places between two that follow each other on the way. */
const MOST = 120;

/** What has the focus is there, in the window, and marked as having it. */
const isMarked = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    if (!at || at === document.body || !at.matches(':focus-visible')) return false;
    const { top, bottom, width } = at.getBoundingClientRect();
    return width > 0 && top < innerHeight && bottom > 0 && getComputedStyle(at).visibility === 'visible';
  });

/** A person without a pointer. */
class Keys {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Tab, or Shift and Tab, until it has the focus; it is never out of sight on the way. */
  async to(what: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(what).toBeVisible();
    const isThere = (): Promise<boolean> => what.evaluate((element) => element === document.activeElement);
    for (let k = 0; k < MOST && !(await isThere()); k++) await this.page.keyboard.press(key);
    await expect(what).toBeFocused();
    await expect.poll(() => isMarked(this.page)).toBe(true);
  }

  async press(what: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.to(what, key);
    await this.page.keyboard.press('Enter');
  }

  async has(what: Locator): Promise<void> {
    await expect(what).toBeFocused();
    await expect.poll(() => isMarked(this.page)).toBe(true);
  }
}

test('a first visit by keys alone: run it, break it, fix it, play it and come back, choose another and undo; each panel takes the focus when it opens, and gives it back', async ({
  lab,
  page,
}) => {
  const keys = new Keys(page);
  await lab.open();
  await lab.load(LONG);
  await keys.press(lab.button('Run it'));
  await lab.becomes('running');
  await keys.has(lab.pauseButton);
  await keys.press(lab.button('Break it'));
  await keys.has(lab.button('Fix it'));
  await page.keyboard.press('Enter');
  await keys.has(lab.button('Break it'));
  // the run that was broken may still be there for a moment
  await expect(page.getByRole('region', { name: 'Run' }).getByText('running', { exact: true })).toBeVisible();
  await keys.press(lab.pauseButton, 'Shift+Tab');
  await lab.becomes('paused');
  await keys.has(lab.runButton);
  await keys.to(page.getByRole('slider', { name: 'Updates per second' }));
  await page.keyboard.press('Home');
  await keys.press(lab.button('Step one update'), 'Shift+Tab');
  await keys.has(lab.button('Step one update'));

  await keys.press(lab.button('Play it yourself'));
  await keys.has(page.getByRole('group', { name: 'Play yourself' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.outcome')).toContainText('after 1 step');
  await keys.press(lab.button('Back to the agent'));
  await expect(page.getByRole('group', { name: 'Play yourself' })).toHaveCount(0);
  await expect.poll(() => isMarked(page)).toBe(true);

  await keys.press(lab.experiment(), 'Shift+Tab');
  await keys.has(page.getByRole('searchbox', { name: 'Search experiments' }));
  await page.keyboard.press('Escape');
  await keys.has(lab.experiment());
  await page.keyboard.press('Enter');
  // letters that come before the list has the focus go to the button, which a space closes it with
  await keys.has(page.getByRole('searchbox', { name: 'Search experiments' }));
  await page.keyboard.type('corridor of 12');
  await keys.press(page.getByRole('dialog').getByRole('button', { name: /^Corridor of 12/ }));
  await lab.becomes('ready');
  await keys.has(lab.experiment('Corridor of 12'));
  await keys.press(lab.button(/^Undo: back to Key and door/));
  await expect(lab.experiment('Key and door')).toBeVisible();
  // the run comes back after its experiment
  await lab.becomes('paused');
  await expect.poll(() => isMarked(page)).toBe(true);

  await test.step('panels', async () => {
    await lab.load('key-door');
    await lab.steps(1);
    await keys.press(lab.button('Show setup'));
    await keys.has(lab.button('Hide setup'));
    await keys.press(lab.button(/^All \d+ settings$/));
    await keys.has(lab.button('Main settings'));
    await keys.to(page.getByRole('searchbox', { name: 'Search all settings' }));
    await page.keyboard.type('group size');
    await keys.to(page.locator('[data-path="rollout.groupSize"] input').first());
    await keys.press(lab.button('Hide setup'), 'Shift+Tab');

    await keys.press(lab.button('Share'));
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await keys.has(lab.button('Share'));
    await keys.press(lab.button('Help'));
    await keys.has(page.getByRole('dialog', { name: 'How to read this page' }));
    await page.keyboard.press('Escape');
    await keys.has(lab.button('Help'));

    const strip = page.getByRole('button', { name: /^All episodes/ });
    await keys.press(strip);
    await keys.has(strip);
    const isOpen = await strip.getAttribute('aria-expanded');
    await page.keyboard.press('Enter');
    await expect(strip).not.toHaveAttribute('aria-expanded', isOpen!);

    await keys.press(lab.button('Keep this run'));
    const kept = page.getByRole('button', { name: /^Discard / });
    await expect(kept).toBeVisible();
    await keys.has(lab.button('Keep this run'));
    await keys.press(kept);
    await expect(kept).toHaveCount(0);
    await expect.poll(() => isMarked(page)).toBe(true);

    const chart = page.getByRole('region', { name: 'Return', exact: true });
    await keys.press(chart.getByRole('button', { name: /^R return/ }));
    await expect(page.getByRole('dialog')).toBeFocused();
    await page.keyboard.press('Escape');
    await keys.has(chart.getByRole('button', { name: /^R return/ }));
    await keys.press(lab.button('Enlarge Return'));
    await keys.has(page.getByRole('dialog', { name: 'Return' }).getByLabel('together with'));
    await page.keyboard.press('Escape');
    await keys.has(lab.button('Enlarge Return'));
  });
});
