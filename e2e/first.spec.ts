import type { Page } from '@playwright/test';
import { bringAxe, expectToFit, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { LONG } from './lab.ts';

/**
 * Everything that could move: how far the page and its columns are scrolled, and where they stand. They are asked for
 * when all of them are there and two frames agree: a page that is still being made moves by itself.
 */
async function places(page: Page): Promise<unknown> {
  await expect(page.getByRole('heading', { name: 'Curves' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Episodes' })).toBeVisible();
  await expect(page.locator('.invite .lookfor')).toBeVisible();
  return page.evaluate(async () => {
    const where = (): string =>
      JSON.stringify([
        scrollY,
        document.documentElement.scrollHeight,
        ...[...document.querySelectorAll('.runbar, .center, .charts, .dock')].map((e) => e.getBoundingClientRect().top),
      ]);
    for (let before = ''; ;) {
      await new Promise(requestAnimationFrame);
      const now = where();
      if (now === before) return now;
      before = now;
    }
  });
}

test('a table that plays key and door, and a world that comes later, are broken by short episodes', async ({
  lab,
  page,
}) => {
  await lab.open();
  const invitation = page.getByRole('region', { name: 'This experiment' });
  const worlds = {
    'task.method': 'grid',
    'task.grid.level': 'keyDoor',
    'policy.method': 'tabular',
  };
  for (const changes of [worlds, { ...worlds, 'task.method': 'sokoban', 'reward.method': 'sokoban' }]) {
    await lab.load({ ...LONG, ...changes });
    await invitation.getByRole('button', { name: 'Break it' }).click();
    await expect(invitation).toContainText(/An episode now ends after \d+ steps, and the shortest path has \d+\./);
    await lab.pauseButton.click();
    await invitation.getByRole('button', { name: 'Fix it' }).click();
    await lab.pauseButton.click();
  }
});

test('the first screen has a goal and three ways in; what is broken on purpose fails, and is mended', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.openLong();
  const invitation = page.getByRole('region', { name: 'This experiment' });
  await expect(page.getByRole('region', { name: 'Setup' })).toBeHidden();
  await expect(invitation).toContainText('Goal: Fetch the key, then open the door.');
  await invitation.getByRole('button', { name: 'Play it yourself' }).click();
  await expect(
    page
      .getByText('Your turn')
      .or(page.getByRole('button', { name: 'Back to the agent' }))
      .first(),
  ).toBeVisible();
  await invitation.getByRole('button', { name: 'Play it yourself' }).click();
  await invitation.getByRole('button', { name: 'Break it' }).click();
  await expect(invitation).toContainText('The learning rate is 100 times higher. Watch entropy');
  await lab.reaches(10);
  // curves come less often than the number of updates, until the run waits
  await lab.pauseButton.click();
  await lab.becomes('paused');
  expect(await lab.metric('success')).toBeLessThan(0.2);
  expect(await lab.metric('entropy')).toBeLessThan(0.2);
  await expectToFit(page, [1280, 390, 320], 'broken');
  await page.setViewportSize({ width: 1280, height: 800 });
  await invitation.getByRole('button', { name: 'Fix it' }).click();
  await expect(invitation).toContainText('Goal:');
  // the broken run may have come further than that
  await lab.becomes('running');
  await lab.reaches(25);
  await lab.pauseButton.click();
  await lab.becomes('paused');
  expect(await lab.metric('success')).toBeGreaterThan(0.5);
});

test('setup shows the settings that matter; all others are found by name, help or formula, and by what uses them', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.button('Show setup').click();
  const setup = page.getByRole('region', { name: 'Setup' });
  await expect(setup.getByRole('combobox', { name: 'Advantage method' })).toBeVisible();
  await expect(setup.locator('[data-path]')).toHaveCount(5);
  await setup.getByRole('button', { name: /^All \d+ settings$/ }).click();
  const search = setup.getByRole('searchbox', { name: 'Search all settings' });
  await search.fill('entropy bonus');
  await expect(setup.locator('[data-path="objective.entropyCoef"]')).toContainText('live');
  await search.fill('sooner counts more');
  await expect(setup.locator('[data-path="advantage.gigpo.gamma"]')).toBeVisible();
  await search.fill('zzzz');
  await expect(setup).toContainText('No setting matches.');
  await search.fill('λ critic');
  await setup.locator('[data-found="advantage.gae.lambda"]').getByRole('button', { name: 'Choose' }).click();
  await expect(setup.locator('[data-path="advantage.gae.lambda"] input').first()).toBeVisible();
  await expectToFit(page, [1280, 1024], 'search');
});

test('the gallery finds experiments by task and method, with pictures of real runs', async ({ lab, page }) => {
  await bringAxe(page);
  await lab.open();
  await lab.experiment().click();
  const gallery = page.getByRole('dialog', { name: 'Experiments' });
  await expect(gallery.locator('canvas').first()).toBeVisible();
  await expect(gallery.locator('.nopicture')).toHaveCount(0);
  const search = gallery.getByRole('searchbox', { name: 'Search experiments' });
  await search.fill('nothing like it');
  await expect(gallery).toContainText('No experiment matches.');
  await search.fill('key critic');
  const card = gallery.getByRole('button', { name: /Key and door · PPO with critic/ });
  await expect(card).toContainText('Grid-world: key and door · PPO with critic (GAE) · about');
  await expectToFit(page, [1280, 390, 320], 'gallery');
  await page.keyboard.press('Tab');
  await expect(card).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(gallery).toHaveCount(0);
  await expect(lab.experiment('Key and door · PPO with critic')).toBeFocused();
  await lab.becomes('ready');
});

test.describe('with everything there', () => {
  test.use({ ahead: true });

  test('the notice about the device covers nothing, opens and closes without moving anything, wherever the page is scrolled; on a phone it is a chip in the run bar', async ({
    lab,
    page,
  }) => {
    await bringAxe(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await lab.open();
    await lab.hasLoadedAhead();
    await lab.button('Step one update').click();
    await lab.waitsAt(1);
    const notice = page.getByRole('note').filter({ hasText: 'Running on the CPU' });
    const more = notice.getByRole('button', { name: 'What this means' });
    const close = lab.button('Close: Running on the CPU');
    await expect(page.getByRole('slider', { name: 'Checkpoint' })).toBeInViewport({ ratio: 1 });
    // the curves make the page longer when they come
    await expect(page.getByText('Policy entropy').first()).toBeVisible();
    for (const width of [1440, 1024, 800])
      for (const top of [0, 99_999]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate((y) => scrollTo(0, y), top);
        const before = await places(page);
        const header = await page.locator('.header').boundingBox();
        // by hand: a pointer would bring the buttons into view first
        if (width > 1000) {
          await more.dispatchEvent('click');
          await expect(notice.getByText('Everything works on the CPU path')).toBeVisible();
          expect(await places(page), `opened at ${width}, scrolled by ${top}`).toEqual(before);
          if (top === 0) expect(await violations(page)).toEqual([]);
          await more.dispatchEvent('click');
          expect((await notice.boundingBox())!.height).toBeLessThan(header!.height);
        }
        await close.dispatchEvent('click');
        await expect(notice).toHaveCount(0);
        expect(await places(page), `closed at ${width}, scrolled by ${top}`).toEqual(before);
        expect(await page.locator('.header').boundingBox()).toEqual(header);
        await page.evaluate(() => localStorage.clear());
        await lab.reload();
      }
    await page.setViewportSize({ width: 390, height: 844 });
    const chip = lab.button('CPU? Why it runs there');
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 640 });
      // nothing lies over the map, and the run bar does not grow by the chip
      await expect(notice).toBeHidden();
      const status = page.locator('.status');
      expect((await status.boundingBox())!.height).toBeLessThan(2 * (await chip.boundingBox())!.height);
    }
    await chip.click();
    await expect(notice).toContainText('Everything works on the CPU path');
    await lab.button('Close: Running on the CPU').click();
    await expect(notice).toHaveCount(0);
    await expect(chip).toHaveCount(0);
  });
});

test('on a phone Run, the curve of success and the map share one screen while the run trains', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.openLong();
  await expect(lab.experiment()).toBeVisible();
  await lab.runButton.click();
  await lab.reaches(3);
  const curve = page.getByRole('button', { name: /^Training success \d\.\d\d\. Open the charts$/ });
  for (const [width, height] of [
    [390, 844],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(lab.experiment()).toBeHidden();
    for (const part of [lab.pauseButton, curve]) await expect(part).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.watch canvas').first()).toBeInViewport({ ratio: height > 800 ? 1 : 0.8 });
  }
  expect(await violations(page)).toEqual([]);
  await lab.pauseButton.click();
  await expect(lab.experiment()).toBeVisible();
  await curve.click();
  await expect(page.getByRole('region', { name: 'Charts' })).toBeVisible();
});
