import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('the lessons: a route leads to its lessons, and what one has come to stands beside it; axe finds nothing', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await page.getByRole('link', { name: 'Lessons' }).first().click();
  await expect(page.getByRole('heading', { name: 'Lessons', exact: true })).toBeFocused();
  const cards = page.locator('.lessonlist > li');
  await expect(cards).toHaveCount(12);
  await page.getByRole('radio', { name: 'Stability' }).check();
  await expect(cards).toHaveCount(3);
  await page.getByRole('radio', { name: 'A week on your own' }).check();
  await expect(page.getByRole('heading', { name: /^Day 5: \d+ minutes/ })).toBeVisible();
  const second = cards.filter({ hasText: 'The same state twice' });
  await expect(second).toContainText('not begun');
  await second.getByRole('link', { name: 'The same state twice' }).click();
  await page
    .getByRole('group', { name: /reaches a success of 0.8 first/ })
    .getByRole('radio')
    .first()
    .check();
  await page.getByRole('link', { name: 'All lessons' }).click();
  await expect(second).toContainText(/0 of \d checks passed/);

  for (const [name, address, has, widths] of [
    ['lessons', '#/lessons', '.lessonlist', [1280, 900, 360]],
    ['a lesson on a projector', '#/lesson/same-state?projector=2', 'text=/^Slide 2 of/', [1280, 360]],
    ['notes for teachers', '#/notes/same-state', '.sheetanswer', [1280, 360]],
  ] as const)
    await test.step(`axe finds nothing: ${name}`, async () => {
      await page.evaluate((to) => location.assign(to), address);
      await expect(page.locator(has).first()).toBeVisible();
      await expectToFit(page, widths, name);
    });
});

test('ways out of a lesson stand still while it opens: whoever aims at one hits it', async ({ lab, page }) => {
  await lab.open();
  await page.evaluate(() => {
    const places = ((window as unknown as { places: string[] }).places = []) as string[];
    const look = (): void => {
      for (const { textContent, offsetLeft, offsetTop } of document.querySelectorAll<HTMLElement>('.lessonways > *')) {
        const place = `${textContent} ${offsetLeft} ${offsetTop}`;
        if (!places.includes(place)) places.push(place);
      }
      requestAnimationFrame(look);
    };
    look();
    location.assign('#/lesson/same-state');
  });
  await expect(page.getByRole('button', { name: 'Back to my own experiment' })).toBeVisible();
  const places = await page.evaluate(() => (window as unknown as { places: string[] }).places);
  expect(places.length, places.join('; ')).toBe(await page.locator('.lessonways > *').count());
});

test('a sheet prints without the page around it, and teachers have the answers; on a projector there is the lesson and nothing else, and the keys of a presenter lead through it', async ({
  lab,
  page,
}) => {
  await lab.open('#/sheet/same-state');
  await expect(page.getByRole('heading', { name: '2. The same state twice' })).toBeVisible();
  await expect(page.locator('.sheetanswer')).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Questions' })).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Notes for teachers' }).click();
  await expect(page.locator('.sheetanswer').first()).toBeVisible();
  await page.evaluate(() => location.assign('#/sheet/no-such-lesson'));
  await expect(page.getByRole('alert')).toContainText('no sheet of a lesson');

  await page.evaluate(() => location.assign('#/lesson/same-state'));
  await page.getByRole('link', { name: 'Projector' }).click();
  await expect(page.getByText(/^Slide 1 of \d+$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden();
  await expect(page.getByText('Use states that come up again')).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(page.getByText(/^Slide 2 of/)).toBeVisible();
  await expect(page.getByText('Use states that come up again')).toBeHidden();
  expect(page.url()).toContain('?projector=2');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText(/^Slide 1 of/)).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('heading', { name: 'What this small model cannot show' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Share' })).toBeVisible();
  await expect(page.getByText('Use states that come up again')).toBeVisible();
});
