import type { Locator } from '@playwright/test';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test, watch } from './fixtures.ts';
import { Lab } from './lab.ts';
import { WORLDS } from './worlds.ts';

async function openEditor(lab: Lab, changes: Readonly<Record<string, unknown>>): Promise<void> {
  await lab.open();
  await lab.load(changes);
  await lab.button('Edit this level').focus();
  await lab.page.keyboard.press('Enter');
  await expect(lab.page.getByRole('dialog', { name: 'Level editor' })).toBeVisible();
}

const verdict = (lab: Lab) => lab.page.getByRole('dialog').getByRole('status').first();

/** The field with the level as text, unfolded. */
async function levelText(lab: Lab): Promise<Locator> {
  // the form behind the dialog has a field of this name, too
  const dialog = lab.page.getByRole('dialog', { name: 'Level editor' });
  const summary = dialog.getByText('Level as text');
  await expect(summary).toBeVisible();
  const text = dialog.getByRole('textbox', { name: 'Level text' });
  if (!(await text.isVisible())) await summary.click();
  await expect(text).toBeVisible();
  return text;
}

const THIRD_ROW_WALL = /^(.*\n){2}#{5}\n/;

test('a level painted with the keyboard is run, travels in the link, and is the same when opened', async ({
  lab,
  page,
  browser,
  site,
}) => {
  await openEditor(lab, { ...WORLDS[0]!.changes, 'run.updates': 3 });
  await page.getByRole('grid', { name: /^Map to paint/ }).focus();
  // a goal below the start, lava in the corner of the key
  for (const key of ['ArrowDown', 'G', 'End', 'L']) await page.keyboard.press(key);
  // once too many, and back
  for (const key of ['ArrowLeft', '$', 'Control+z']) await page.keyboard.press(key);
  await expect(verdict(lab)).toHaveText('Solvable: the shortest solution has 1 step.');
  const painted = 'S...a\nG#.#L\n.#.#.\n.#.#.\n....E';
  await expect(await levelText(lab)).toHaveValue(painted);
  await lab.button('Use this level').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await lab.finish();
  expect(await lab.metric('success')).toBeGreaterThan(0);

  const link = await lab.copyLink();
  const other = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  watch(other, complaints);
  const theirs = new Lab(other, site);
  await theirs.open(link.slice(link.indexOf('#')));
  await theirs.button('Edit this level').click();
  await expect(await levelText(theirs)).toHaveValue(painted);
  expect(complaints).toEqual([]);
  await other.context().close();
});

test('a mistake is shown on the map and told in words, and the level cannot be used', async ({ lab, page }) => {
  await openEditor(lab, WORLDS[0]!.changes);
  const text = await levelText(lab);
  await text.fill('S..\n.S.\n..G');
  await expect(verdict(lab)).toHaveText('Line 2, column 2: There is a second start; a level has one.');
  await expect(page.locator('.wrongcell')).toBeVisible();
  await expect(lab.button('Use this level')).toBeDisabled();
  await text.fill('S#.\n##.\n..G');
  await expect(verdict(lab)).toHaveText('The level is complete, but no path to success was found.');
});

test('a stroke of the pointer paints, one undo takes it back, redo brings it again', async ({ lab, page }) => {
  await openEditor(lab, { ...WORLDS[0]!.changes, 'task.grid.level': 'bonusRoom' });
  const text = await levelText(lab);
  const before = await text.inputValue();
  await page.getByRole('button', { name: 'wall' }).click();
  // the verdict stands above the map: it is long enough not to move it any more
  await expect(verdict(lab)).toHaveText(/^Solvable: /);
  const map = (await page.getByRole('grid', { name: /^Map to paint/ }).boundingBox())!;
  const side = map.width / 5;
  await page.mouse.move(map.x + side * 0.5, map.y + side * 2.5);
  await page.mouse.down();
  for (let k = 1; k < 5; k++) await page.mouse.move(map.x + side * (k + 0.5), map.y + side * 2.5, { steps: 3 });
  await page.mouse.up();
  await expect(text).toHaveValue(THIRD_ROW_WALL);
  await expect(verdict(lab)).toHaveText('The level is complete, but no path to success was found.');
  await lab.button('Undo').last().click();
  await expect(text).toHaveValue(before);
  await lab.button('Redo').click();
  await expect(text).toHaveValue(THIRD_ROW_WALL);
  await lab.button(/^One more: Columns/).click();
  await expect(text).toHaveValue(/^S\.{5}\n/);
});

test('a Sokoban level: a second box and its target, played at once', async ({ lab, page }) => {
  await openEditor(lab, WORLDS[1]!.changes);
  await page.getByRole('grid', { name: /^Map to paint/ }).focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown', '$']) await page.keyboard.press(key);
  await expect(verdict(lab)).toContainText(/^Line \d+, column \d+: /);
  for (const key of ['Delete', 'ArrowRight', '$', 'ArrowRight', '.']) await page.keyboard.press(key);
  await expect(verdict(lab)).toHaveText(/^Solvable: the shortest solution has \d+ steps\.$/);
  await lab.button('Use it and play').click();
  await expect(page.locator('.outcome')).toContainText('Push every box onto a target');
});

test('rooms are added, locked and furnished by a form, and the maze is played', async ({ lab, page }) => {
  await openEditor(lab, WORLDS[2]!.changes);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'East', exact: true }).selectOption('+');
  await expect(dialog.getByRole('combobox', { name: 'Edit' })).toHaveValue('kitchen');
  await dialog.getByRole('combobox', { name: 'Door west' }).selectOption('blue');
  await dialog.getByRole('combobox', { name: 'Coin' }).selectOption('kitchen');
  await dialog.getByRole('combobox', { name: 'Thing' }).selectOption('coin');
  await expect(verdict(lab)).toHaveText('The level is complete, but no path to success was found.');
  await dialog.getByRole('combobox', { name: 'Blue key' }).selectOption('cellar');
  await expect(verdict(lab)).toHaveText('Solvable: the shortest solution has 8 steps.');
  await expect(await levelText(lab)).toHaveValue(/door: hall east kitchen blue/);
  await lab.button('Use it and play').click();
  await expect(page.getByRole('combobox', { name: 'Your command' })).toBeFocused();
  await expect(page.getByRole('log')).toContainText('Locked blue door east.');
});

for (const { name, changes } of WORLDS)
  test(`axe finds nothing in the editor of ${name}, two themes, three widths`, async ({ lab, page }) => {
    await bringAxe(page);
    await openEditor(lab, changes);
    await levelText(lab);
    await expectToFit(page, [1280, 900, 320]);
  });
