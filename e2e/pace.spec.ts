import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { LONG, type LabApi } from './lab.ts';

/**
 * Pictures of the map, one for each update that the page says it shows: which share of them differs from the one before.
 * Of `count` pictures, or of as many as a slow page takes before the run is over.
 */
function changingPictures(page: Page, count: number): Promise<number> {
  return page.evaluate(async (n) => {
    const { lab } = window as unknown as { lab: LabApi };
    const picture = (): string => document.querySelector<HTMLCanvasElement>('.picture canvas')!.toDataURL();
    let [seen, before, differing, taken] = [lab.state().update, picture(), 0, 0];
    while (taken < n && lab.state().state === 'running') {
      await new Promise(requestAnimationFrame);
      if (lab.state().update === seen) continue;
      seen = lab.state().update;
      // the batch of a frame is drawn in a task of its own, and arrows take a moment to get there: on a busy machine it is long
      let now = before;
      while (now === before && lab.state().update === seen && lab.state().state === 'running') {
        await new Promise(requestAnimationFrame);
        now = picture();
      }
      if (now !== before) differing++;
      before = now;
      taken++;
    }
    return differing / taken;
  }, count);
}

/** Numbers of the updates that the map, the credit under it and the episode say they are of, in so many frames. */
function numbersWhile(page: Page, count: number): Promise<{ map: number; credit: number; episode: number }[]> {
  return page.evaluate(async (n) => {
    const numberIn = (selector: string): number =>
      Number(/update (\d+)/.exec(document.querySelector(selector)!.textContent)![1]);
    const found: { map: number; credit: number; episode: number }[] = [];
    while (found.length < n) {
      await new Promise(requestAnimationFrame);
      found.push({ map: numberIn('.told'), credit: numberIn('.slimbatch'), episode: numberIn('.where') });
    }
    return found;
  }, count);
}

/** Of so many pictures of the map that follow each other, nearly all differ. */
const movesOnTheMap = async (page: Page): Promise<void> =>
  expect(await changingPictures(page, 8)).toBeGreaterThanOrEqual(0.75);

test.describe('on a first visit', () => {
  test.use({ visit: 'first', contextOptions: { reducedMotion: 'no-preference' } });

  test('learning is seen on the stage: the map changes with nearly every update, also while a step is held and where nothing may move', async ({
    lab,
    page,
  }) => {
    await lab.open();
    await expect(page.getByRole('combobox', { name: 'Pace' }).locator('option:checked')).toHaveText('Normal');
    for (const preset of ['key-door', 'sokoban-one-box', 'maze-two-rooms'])
      await test.step(preset, async () => {
        if (preset !== 'key-door') await lab.load(preset);
        await lab.runButton.click();
        await lab.reaches(1);
        await movesOnTheMap(page);
      });

    await test.step('a held step keeps its episode, and the arrows go on with training', async () => {
      await lab.load('key-door');
      await lab.load(LONG);
      await lab.runButton.click();
      await lab.reaches(3);
      await lab.button('First step').click();
      const words = page.locator('.where');
      await expect(words).toContainText('Kept while you look');
      const batch = (await words.textContent())!.replace(/Kept.*/, '');
      await movesOnTheMap(page);
      await expect(words).toContainText(batch);
    });

    await test.step('where nothing may move, arrows step from frame to frame', async () => {
      await lab.button('Follow training').click();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await movesOnTheMap(page);
    });
  });

  test('at any pace the credit is that of the map, and the episode is never far behind it', async ({ lab, page }) => {
    await lab.open();
    for (const pace of ['Normal', 'Full speed'])
      await test.step(pace, async () => {
        await lab.load(LONG);
        await page.getByRole('combobox', { name: 'Pace' }).selectOption(pace);
        await lab.runButton.click();
        await lab.reaches(20);
        const told = await numbersWhile(page, 90);
        for (const { map, credit } of told) expect(credit).toBe(map);
        // half of the time, for a page that is starved now and then
        const behind = told.map(({ map, episode }) => map - episode).sort((a, b) => a - b);
        expect(behind[45]).toBeLessThanOrEqual(8);
        await lab.pauseButton.click();
        await lab.becomes('paused');
        // a click in the strip holds the step of the batch that the strip shows
        await lab.button('Follow training').click();
        await page.getByRole('grid', { name: /^Credit of this episode/ }).click();
        const [held] = await numbersWhile(page, 1);
        expect(held).toMatchObject({ credit: held!.map, episode: held!.map });
      });
  });
});

test('the pace is chosen beside Run, counts at once, is remembered and changes no bit of the run', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.updates': 30, 'run.seeds': 1 });
  const digest = await lab.finish();
  await lab.button('Reset').click();
  await lab.becomes('ready');
  const pace = page.getByRole('combobox', { name: 'Pace' });
  await pace.selectOption('Step by step');
  await lab.runButton.click();
  await lab.waitsAt(1);
  await lab.runButton.click();
  await lab.waitsAt(2);
  await pace.selectOption('Slow');
  await lab.runButton.click();
  await lab.reaches(4);
  await pace.selectOption('Step by step');
  await lab.becomes('paused');
  // the slider goes further by key, and is said in words
  const slider = page.getByRole('slider', { name: 'Updates per second' });
  await slider.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', '1 update per second');
  await slider.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', 'full speed');
  await expect(pace.locator('option:checked')).toHaveText('Full speed');
  expect(await lab.finish()).toBe(digest);
  await pace.selectOption('Slow');
  await lab.reload();
  await expect(pace.locator('option:checked')).toHaveText('Slow');
});
