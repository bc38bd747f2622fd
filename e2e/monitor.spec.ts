import { bringAxe, expectNoViolations, overflow } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('an experiment that goes wrong says what, with which numbers, why, and what to do; all of it can be done there', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load('alarm-ess');
  const health = page.getByRole('region', { name: 'Health of the run' });
  await expect(health).toHaveCount(0);
  // by the thirteenth update it is over
  await lab.steps(8);
  await expect(health.getByRole('listitem')).toContainText('A few episodes decide everything');
  await expect(health).toContainText(/ESS\/N is 0\.\d+/);
  await expect(health).toContainText(/since update \d+/);
  await expect(health).toContainText('8 optimizer steps on each batch at learning rate 0.02 with Adam');
  // the strip takes two lines, and the timeline rises above it
  const [strip, timeline] = await Promise.all([
    health.boundingBox(),
    page.getByRole('region', { name: 'Timeline' }).boundingBox(),
  ]);
  expect(strip!.height).toBeLessThan(70);
  expect(timeline!.y + timeline!.height).toBeLessThanOrEqual(strip!.y + 1);
  await health.getByRole('button', { name: /What this means/ }).click();
  await expect(health).toContainText('effective sample size is below 30 %');
  await expectNoViolations(page, 'an alarm');
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByRole('list', { name: 'Log of this page' })).toContainText('alarm: A few episodes');

  await test.step('the strip fits a small phone', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await lab.load('alarm-entropy');
    await expect(health).toHaveCount(0);
    await lab.runButton.click();
    await expect(health).toContainText('certain too early');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('halving the rate goes on with the run; a closed alarm stays closed; Reset starts well', async () => {
    await lab.load('key-door');
    await lab.load({ 'objective.epochs': 8, 'optimizer.learningRate': 0.02, 'run.seeds': 1 });
    await expect(health).toHaveCount(0);
    await lab.steps(8);
    await expect(health).toContainText('A few episodes decide everything');
    await health.getByRole('button', { name: 'Halve the learning rate' }).click();
    await expect(health).toContainText(/From update \d+: .*0\.01/);
    await lab.steps(1);
    await health.getByRole('button', { name: 'Close: A few episodes decide everything' }).press('Enter');
    await expect(health).toHaveCount(0);
    await expect(lab.runButton).toBeFocused();
    await lab.button('Reset').click();
    await lab.becomes('ready');
    await expect(health).toHaveCount(0);
  });

  await test.step('going back asks first, drops what came after, and is done by keyboard', async () => {
    await lab.load('alarm-drop');
    await expect(health).toHaveCount(0);
    await lab.finish();
    await expect(health).toContainText('Training success has fallen');
    const back = health.getByRole('button', { name: /^Back to checkpoint \d+ \(best evaluation\)$/ });
    const target = Number((await back.textContent())!.match(/\d+/)![0]);
    await back.focus();
    await page.keyboard.press('Enter');
    await expect(
      health.getByText(`The run continues after update ${target}; everything after it is dropped.`),
    ).toBeVisible();
    await expect(health.getByRole('button', { name: 'Go back' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(back).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(health.getByRole('button', { name: 'Go back' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await lab.state()).update).toBe(target);
    await lab.becomes('paused');
    await expect(health).toHaveCount(0);
    await expect(lab.runButton).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: 'The same will happen again' })).toHaveCount(1);
  });
});
