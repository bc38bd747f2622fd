import { bringAxe, expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('in a trap the map shows what the agent would do with lookahead, from keys and in words; the run is untouched', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load('sokoban-trap');
  await lab.finish();
  const { result } = await lab.digest();
  // the key that changes what is on the map goes through all of them
  const overlays = page.getByRole('group', { name: 'On the map' });
  await page.locator('body').press('h');
  await expect(overlays.getByRole('button', { name: 'Visits' })).toHaveAttribute('aria-pressed', 'true');
  await overlays.getByRole('button', { name: 'Ahead' }).focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Lookahead' });
  const first = page.getByRole('button', { name: 'First step' });
  await first.click();
  const values = panel.getByRole('table', { name: /^Value of each action in this state/ });
  const chosen = values.getByRole('row', { name: /, chosen/ });
  const depth = panel.getByRole('slider', { name: 'Steps ahead' });
  await depth.focus();
  await page.keyboard.press('Home');
  await expect(depth).toHaveAttribute('aria-valuetext', '1 step ahead');
  for (let d = 2; d <= 6; d++) await page.keyboard.press('ArrowRight');
  await panel.getByRole('combobox', { name: 'at the end' }).selectOption('nothing');
  await expect(panel).toContainText(/looking 6 steps ahead before it acts, in 0\s%; at best, in 100\s%\. Exact\./);
  await expect(chosen).toContainText('up');
  await depth.focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel).toContainText(/looking 7 steps ahead before it acts, in 100\s%/);
  await expect(chosen).toContainText('right');
  await expect(
    page.getByRole('img', { name: /With 7 steps of lookahead the agent.*Its plan from here: right ×2, up, right/ }),
  ).toBeVisible();
  // the agent's cell says the same
  await page.getByRole('grid', { name: 'Cells of the map; arrow keys move' }).focus();
  await expect(page.getByRole('gridcell').first()).toContainText(/right, worth .*; the policy: /);
  await expectNoViolations(page, 'ahead');
  // the next step asks again
  await page.getByRole('button', { name: 'Step forward' }).click();
  await expect(panel).toContainText(/From here the policy succeeds in/);
  expect((await lab.digest()).result).toBe(result);
});
