import type { Locator, Page } from '@playwright/test';
import { bringAxe, expectToFit, overflow, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { LONG, type Lab } from './lab.ts';
import { linkWith } from './payload.ts';

const WIDTHS = [1280, 900, 360];

/** The least of everything that an experiment has: axe looks at every square of the credit of every episode. */
const FEW = { 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2 };

/** One state after another on the same page, reached in the layout of a desktop. */
async function expectEach(lab: Lab, states: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [name, reach] of Object.entries(states))
    await test.step(name, async () => {
      await lab.page.setViewportSize({ width: 1280, height: 800 });
      await reach();
      await expectToFit(lab.page, WIDTHS, name);
    });
}

/** On the smallest phone nothing is cut off, and what starts or stops the run can be pressed at once. */
async function expectOnPhone(lab: Lab, button: Locator): Promise<void> {
  await lab.page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(lab.page)).toBeLessThanOrEqual(0);
  await expect(button).toBeInViewport();
}

test('axe finds nothing on the page of the lab, two themes, three widths: start, running, paused, everything unfolded, tabs of a phone; the run controls stay in view', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load({ ...LONG, ...FEW });
  await expectEach(lab, { start: async () => {} });
  await expectOnPhone(lab, lab.runButton);
  await expectEach(lab, {
    running: async () => {
      // looked at slowly: at full speed the training would take half of the machine from axe
      await page.getByRole('combobox', { name: 'Pace' }).selectOption('Normal');
      await lab.runButton.click();
      await lab.reaches(3);
    },
  });
  await expectOnPhone(lab, lab.pauseButton);
  await expectEach(lab, {
    paused: async () => {
      await lab.reaches(10);
      await lab.pauseButton.click();
      await lab.becomes('paused');
    },
  });
  await page.setViewportSize({ width: 360, height: 740 });
  for (const tab of ['Setup', 'Watch', 'Charts', 'Episodes'])
    await test.step(`tab ${tab}`, async () => {
      await page.getByRole('navigation').getByRole('button', { name: tab }).click();
      expect(await violations(page), tab).toEqual([]);
    });
  await expectEach(lab, {
    'everything unfolded, with tables': async () => {
      // a table has a row for each update, and two are of the same kind as twelve
      await lab.load(FEW);
      await lab.steps(2);
      await page.evaluate(() => {
        document.querySelectorAll('details').forEach((d) => (d.open = true));
        for (const button of document.querySelectorAll('button'))
          if (button.textContent === 'Show as table') button.click();
      });
      await expect(page.getByRole('table', { name: /^Training success/ })).toBeVisible();
    },
  });
});

test('axe finds nothing in any dialog, two themes, three widths', async ({ lab, page }) => {
  await bringAxe(page);
  await lab.open();
  await lab.load(FEW);
  await lab.steps(2);
  const dialog = page.getByRole('dialog');
  /** The dialog behind a button, once the one before is closed. */
  const opens = (button: string, name?: RegExp) => async (): Promise<void> => {
    if (await dialog.isVisible()) await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await (button === '' ? lab.experiment() : lab.button(button)).click();
    await expect(name ? page.getByRole('dialog', { name }) : dialog).toBeVisible();
  };
  await expectEach(lab, {
    'share dialog': opens('Share'),
    gallery: opens(''),
    'level editor': opens('Edit this level'),
    'settings of a comparison': opens('Compare settings'),
    'help with the glossary': opens('Help'),
    storage: async () => {
      await dialog.getByRole('button', { name: 'Storage' }).click();
      await expect(page.getByRole('dialog', { name: /storage/i })).toBeVisible();
    },
    'estimators compared': async () => {
      await page.keyboard.press('Escape');
      await lab.button('Compare estimators').click();
      await expect(page.getByText('Everything has been computed.')).toBeVisible();
    },
    'formula editor': async () => {
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await lab.button('Show setup').click();
      await lab.button('Write your own formula').click();
      await expect(page.locator('.cm-content')).toBeVisible();
    },
  });
});

test('axe finds nothing, two themes, three widths: a link, one that is refused, the table of runs, trajectories of others', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open(linkWith({ run: { seeds: 4 } }));
  await expectEach(lab, {
    'opened from a link': () => expect(page.getByRole('region', { name: 'Opened from a link' })).toBeVisible(),
    error: async () => {
      await page.goto(`${lab.site}#/lab?x=999.j.e30.AAAAAA`);
      await expect(page.getByRole('alert').first()).toBeVisible();
    },
    runs: async () => {
      await lab.load({ ...FEW, 'run.updates': 3, 'run.seeds': 2 });
      await lab.finish();
      await lab.isKept(3);
      await page.goto(`${lab.site}#/runs`);
      await expect(page.getByRole('checkbox', { name: /^Select/ }).first()).toBeVisible();
    },
    'trajectories of others': async () => {
      await page.goto(`${lab.site}#/trajectories`);
      await lab.button('An agent in a house').click();
      await expect(page.locator('.logstrips figure').first()).toBeVisible();
    },
  });
});

test('the keyboard alone runs, pauses, steps, copies a link, and closes dialogs; with reduced motion nothing moves by itself', async ({
  lab,
  page,
}) => {
  await lab.openLong();
  await tabTo(lab, /^(Run|Resume)$/);
  await page.keyboard.press('Enter');
  await lab.becomes('running');
  await lab.reaches(5);
  expect(await moving(page)).toEqual([]);
  await tabTo(lab, /^Pause$/);
  await page.keyboard.press('Enter');
  await lab.becomes('paused');
  const { update } = await lab.state();
  await tabTo(lab, /^Step/);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await lab.state()).update).toBe(update + 1);
  await tabTo(lab, /^Copy link/);
  await lab.copyLink(() => page.keyboard.press('Enter'));
  for (const name of ['Share', 'Help', 'Edit this level'])
    await test.step(`the dialog behind “${name}” closes with Escape and gives the focus back`, async () => {
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
      expect((await lab.state()).update).toBe(update + 1);
    });
});

/** Classes of what moves at the moment, but for what is over within 10 ms. */
const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((a) => a.playState === 'running' && Number(a.effect?.getComputedTiming().duration ?? 0) > 10)
      .map((a) => (a.effect as KeyframeEffect | null)?.target?.className ?? ''),
  );

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
