import { expect, test } from './fixtures.ts';
import { linkWith } from './payload.ts';

test('steps exactly one update', async ({ lab }) => {
  await lab.open();
  await lab.button(/^Step/).click();
  await lab.waitsAt(1);
  await lab.button(/^Step/).click();
  await lab.waitsAt(2);
});

test('a run in single steps and a run without pause give the same digest', async ({ lab }) => {
  await lab.open(linkWith({ run: { updates: 3 } }));
  for (let n = 1; n <= 3; n++) {
    await lab.button(/^Step/).click();
    await lab.waitsAt(n);
  }
  const stepped = await lab.digest();
  expect(stepped.update).toBe(3);
  await lab.button('Reset').click();
  await lab.becomes('ready');
  await lab.runButton.click();
  await lab.becomes('finished');
  expect(await lab.digest()).toEqual(stepped);
});

test('a setting changed right before Run counts in that run', async ({ lab, page }) => {
  await lab.open();
  await page.getByRole('spinbutton', { name: /^Updates/ }).fill('3');
  await lab.runButton.click();
  await lab.becomes('finished');
  expect(await lab.state()).toMatchObject({ update: 3, updates: 3 });
});

test('stops and keeps the curves; reset goes back to update 0', async ({ lab }) => {
  await lab.openLong();
  await lab.runButton.click();
  await lab.reaches(5);
  await lab.button('Stop').click();
  await lab.becomes('finished');
  const { update } = await lab.state();
  expect(update).toBeGreaterThanOrEqual(5);
  expect(await lab.metric('success')).toBeGreaterThanOrEqual(0);
  await lab.button('Reset').click();
  await lab.becomes('ready');
  expect((await lab.state()).update).toBe(0);
});

test('the space bar runs and pauses', async ({ lab, page }) => {
  await lab.openLong();
  await page.locator('body').press('Space');
  await lab.becomes('running');
  await page.locator('body').press('Space');
  await lab.becomes('paused');
});
