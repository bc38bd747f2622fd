import { bringAxe, expectToFit, overflow, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';
import { linkWith } from './payload.ts';

const STATES: readonly { name: string; reach: (lab: Lab) => Promise<void> }[] = [
  { name: 'start', reach: (lab) => lab.open() },
  {
    name: 'running',
    reach: async (lab) => {
      await lab.openLong();
      await lab.runButton.click();
      await lab.reaches(3);
    },
  },
  {
    name: 'paused',
    reach: async (lab) => {
      await lab.openLong();
      await lab.runButton.click();
      await lab.reaches(10);
      await lab.pauseButton.click();
      await lab.becomes('paused');
    },
  },
  { name: 'error', reach: (lab) => lab.open('#/lab?x=999.j.e30.AAAAAA') },
  { name: 'opened from a link', reach: (lab) => lab.open(linkWith({ run: { seeds: 4 } })) },
  {
    name: 'share dialog',
    reach: async (lab) => {
      await lab.open();
      await lab.button('Share').click();
      await expect(lab.page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'everything unfolded, with tables',
    reach: async (lab) => {
      await lab.open();
      await lab.steps(5);
      await lab.page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
      await lab.page.evaluate(() => {
        for (const button of document.querySelectorAll('button'))
          if (button.textContent === 'Show as table') button.click();
      });
      await expect(lab.page.getByRole('table', { name: /^Training success/ })).toBeVisible();
    },
  },
  {
    name: 'gallery',
    reach: async (lab) => {
      await lab.open();
      await lab.experiment().click();
      await expect(lab.page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'level editor',
    reach: async (lab) => {
      await lab.open();
      await lab.button('Edit this level').click();
      await expect(lab.page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'formula editor',
    reach: async (lab) => {
      await lab.open();
      await lab.steps(2);
      await lab.button('Show setup').click();
      await lab.button('Write your own formula').click();
      await expect(lab.page.locator('.cm-content')).toBeVisible();
    },
  },
  {
    name: 'help with the glossary',
    reach: async (lab) => {
      await lab.open();
      await lab.button('Help').click();
      await expect(lab.page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'storage',
    reach: async (lab) => {
      await lab.open();
      await lab.button('Help').click();
      await lab.button('Storage').click();
      await expect(lab.page.getByRole('dialog', { name: /storage/i })).toBeVisible();
    },
  },
  {
    name: 'settings of a comparison',
    reach: async (lab) => {
      await lab.open();
      await lab.button('Compare settings').click();
      await expect(lab.page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'estimators compared',
    reach: async (lab) => {
      await lab.open();
      await lab.steps(2);
      await lab.button('Compare estimators').click();
      await expect(lab.page.getByText('Everything has been computed.')).toBeVisible();
    },
  },
  {
    name: 'runs',
    reach: async (lab) => {
      await lab.open();
      await lab.load({ 'run.updates': 3, 'run.seeds': 2 });
      await lab.finish();
      await lab.isKept(3);
      await lab.page.goto(`${lab.site}#/runs`);
      await expect(lab.page.getByRole('checkbox', { name: /^Select/ }).first()).toBeVisible();
    },
  },
  {
    name: 'trajectories of others',
    reach: async (lab) => {
      await lab.open();
      await lab.page.goto(`${lab.site}#/trajectories`);
      await lab.button('An agent in a house').click();
      await expect(lab.page.locator('.logstrips figure').first()).toBeVisible();
    },
  },
];

for (const { name, reach } of STATES)
  test(`axe finds nothing: ${name}, two themes, three widths`, async ({ lab, page }) => {
    await bringAxe(page);
    await reach(lab);
    await expectToFit(page, [1280, 900, 360], name);
  });

test('axe finds nothing in any tab of the phone layout', async ({ lab, page }) => {
  await bringAxe(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await lab.open();
  await lab.steps(5);
  for (const tab of ['Setup', 'Watch', 'Charts', 'Episodes']) {
    await page.getByRole('navigation').getByRole('button', { name: tab }).click();
    expect(await violations(page), tab).toEqual([]);
  }
});

test('everything fits in 320 px without scrolling sideways, before and during a run', async ({ lab, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await lab.openLong();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await lab.runButton.click();
  await lab.reaches(5);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('the run controls stay in view on a phone', async ({ lab, page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await lab.openLong();
  await expect(lab.runButton).toBeInViewport();
  await lab.runButton.click();
  await expect(lab.pauseButton).toBeInViewport();
});

test('the keyboard alone runs, pauses, steps and copies a link', async ({ lab, page }) => {
  await lab.openLong();
  await tabTo(lab, /^(Run|Resume)$/);
  await page.keyboard.press('Enter');
  await lab.becomes('running');
  await lab.reaches(3);
  await tabTo(lab, /^Pause$/);
  await page.keyboard.press('Enter');
  await lab.becomes('paused');
  const { update } = await lab.state();
  await tabTo(lab, /^Step/);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await lab.state()).update).toBe(update + 1);
  await tabTo(lab, /^Copy link/);
  await lab.copyLink(() => page.keyboard.press('Enter'));
});

/** Presses Tab until the button with this name has the focus, and sees that the focus is visible. */
async function tabTo(lab: Lab, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    const here = await lab.page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const style = element ? getComputedStyle(element) : null;
      return {
        name: (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim(),
        tag: element?.tagName ?? '',
        ring: style !== null && (style.outlineStyle !== 'none' || style.boxShadow !== 'none'),
      };
    });
    if (here.tag === 'BUTTON' && name.test(here.name)) {
      expect(here.ring, `${here.name} shows its focus`).toBe(true);
      return;
    }
    await lab.page.keyboard.press('Tab');
  }
  throw new Error(`No button ${name} can be reached with the Tab key.`);
}

for (const name of ['Share', 'Help', 'Edit this level'])
  test(`the dialog behind “${name}” closes with Escape and gives the focus back`, async ({ lab, page }) => {
    await lab.open();
    await lab.button(name).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    // it listens to keys once it has taken the focus
    await expect(dialog.and(page.locator(':focus-within'))).toHaveCount(1);
    // a letter inside of a dialog is none of the page's keys
    await page.keyboard.press('s');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(lab.button(name)).toBeFocused();
    expect((await lab.state()).update).toBe(0);
  });

test('with reduced motion nothing moves by itself', async ({ lab, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await lab.openLong();
  await lab.runButton.click();
  await lab.reaches(5);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((a) => a.playState === 'running' && Number(a.effect?.getComputedTiming().duration ?? 0) > 10)
      .map((a) => (a.effect as KeyframeEffect | null)?.target?.className ?? ''),
  );
  expect(moving).toEqual([]);
});
