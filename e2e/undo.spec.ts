import { expect, test } from './fixtures.ts';
import type { LabApi } from './lab.ts';

const SHORT = { 'run.updates': 12, 'run.seeds': 1 };
const SHORT_BUT_OTHER = { ...SHORT, 'run.updates': 14 };

test('nothing is lost by a click: another experiment, Reset and Run again are undone, with run, curves and checkpoints; a rewind, a fork and changes, too', async ({
  lab,
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await lab.open();
  await lab.load(SHORT);
  const { height } = (await page.locator('.runbar').boundingBox())!;
  const end = await lab.finish();
  await expect(lab.button('Run again')).toBeVisible();
  for (const width of [1440, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => (await page.locator('.runbar').boundingBox())!.height).toBe(height);
  }
  const success = await lab.metric('success');
  await lab.experiment().click();
  await lab.button(/^Corridor of 12/).click();
  await lab.becomes('ready');
  await expect(lab.experiment('Corridor of 12 · GiGPO')).toBeVisible();
  const undo = page.getByRole('button', { name: 'Undo: back to Key and door · GiGPO, update 12' });
  // its place was there before: one line, nothing moves
  expect((await page.locator('.runbar').boundingBox())!.height).toBe(height);
  expect(height).toBeLessThan(60);
  await undo.click();
  await lab.becomes('finished');
  await expect(lab.experiment('Key and door · GiGPO')).toBeVisible();
  expect((await lab.digest()).result).toBe(end);
  expect(await lab.metric('success')).toBe(success);
  await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Step of the episode' })).toBeVisible();
  // what the undo itself replaced had nothing to lose
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
  await lab.button('Reset').click();
  await lab.becomes('ready');
  await lab.steps(2);
  await undo.click();
  await lab.becomes('finished');
  expect((await lab.digest()).result).toBe(end);
  // and back again
  await page.getByRole('button', { name: 'Undo: back to Key and door · GiGPO, update 2' }).click();
  await lab.waitsAt(2);
  await undo.click();
  await lab.becomes('finished');
  await test.step('an experiment that is opened while a run begins is ready, and does not train in its place', async () => {
    await page.evaluate(async (w) => {
      const pressed = [...document.querySelectorAll('button')].find((b) => b.textContent.trim() === 'Run again')!;
      pressed.click();
      await (window as unknown as { lab: LabApi }).lab.load(w);
    }, SHORT_BUT_OTHER);
    await lab.becomes('ready');
    await expect(undo).toBeVisible();
    await expect(lab.runButton).toHaveText('Run');
    expect((await lab.state()).update).toBe(0);
  });

  await test.step('and so is one that is opened while Undo brings a run back', async () => {
    await page.evaluate(async (w) => {
      const pressed = [...document.querySelectorAll('button')].find((b) => b.textContent.trim() === 'Undo')!;
      pressed.click();
      await (window as unknown as { lab: LabApi }).lab.load(w);
    }, SHORT_BUT_OTHER);
    await lab.becomes('ready');
    await lab.steps(1);
    expect((await lab.state()).update).toBe(1);
  });

  await test.step('a rewind, a fork and “Undo all changes”', async () => {
    await lab.load({ ...SHORT, 'run.updates': 20 });
    await lab.steps(9);
    const { result, config } = await lab.digest();
    const undo = page.getByRole('button', { name: 'Undo: back to Key and door · GiGPO, update 9' });
    await lab.button('Previous checkpoint').click();
    await lab.button('Continue from here').click();
    await expect(page.getByRole('dialog')).toContainText('Undo, beside Reset, takes that back.');
    await lab.button('Drop them and continue').click();
    await lab.waitsAt(8);
    await undo.click();
    await lab.waitsAt(9);
    expect((await lab.digest()).result).toBe(result);
    const method = page.getByRole('combobox', { name: 'Advantage method' });
    await lab.button('Previous checkpoint').click();
    await lab.button('Fork with a change').click();
    await lab.button(/^All \d+ settings$/).click();
    await method.selectOption('grpo');
    await lab.button('Make the fork').click();
    await lab.waitsAt(8);
    await undo.click();
    await lab.waitsAt(9);
    expect(await lab.digest()).toMatchObject({ result, config });
    // its settings are those on the screen again: nothing waits for a Reset
    await expect(page.getByText('Settings have changed')).toHaveCount(0);
    await method.selectOption('grpo');
    await expect(page.getByText('Settings have changed')).toBeVisible();
    await lab.button('Undo all changes').click();
    await page.getByRole('button', { name: 'Undo: back to Key and door · GiGPO with your changes' }).click();
    await expect(method).toHaveValue('grpo');
    // the run was not touched by any of it
    expect(await lab.digest()).toMatchObject({ result, config });
  });

  await test.step('changes of settings come back with the experiment they belonged to, and a run from a worker that is gone', async () => {
    await lab.load('key-door');
    await page.getByRole('spinbutton', { name: 'Seeds' }).fill('2');
    await lab.experiment().click();
    await lab.button(/^Corridor of 12/).click();
    await lab.becomes('ready');
    await page.getByRole('button', { name: 'Undo: back to Key and door · GiGPO with your changes' }).click();
    await expect(page.getByText('Key and door · GiGPO: seeds 3 → 2')).toBeVisible();
    await lab.load({ ...SHORT, 'run.updates': 20_000 });
    await lab.steps(3);
    const { result } = await lab.digest();
    await lab.button('Reset').click();
    await lab.becomes('ready');
    await lab.inject('crash');
    await expect(page.getByRole('alert').filter({ hasText: 'The training worker was replaced' })).toBeVisible();
    await lab.becomes('ready');
    await page.getByRole('button', { name: 'Undo: back to Key and door · GiGPO, update 3' }).click();
    await lab.waitsAt(3);
    expect((await lab.digest()).result).toBe(result);
  });
});
