import { expect, test } from './fixtures.ts';
import { WORLDS } from './worlds.ts';

const NAMES = ['Refused', 'New state', 'Repeated', 'Milestone', 'Potential Φ', 'Completed'];

test('what a step told is a strip of the player and a line of the inspector, in every world', async ({ lab, page }) => {
  await lab.open();
  const rewards = page.locator('.player').getByRole('button', { name: 'Rewards' });
  const credit = page.locator('#credit');
  const strips = page.locator('.player').getByRole('group', { name: 'Rewards and signals of this episode' });
  // each on the stage and in the inspector; the first replaces no reward, so that nothing needs its signals but who looks
  for (const { name, changes } of WORLDS)
    await test.step(name, async () => {
      await lab.load({ ...changes, 'run.seeds': 1, 'reward.pbrs.on': true });
      // none of the world before is left
      await expect(strips).toHaveCount(0);
      await lab.steps(2);
      if ((await rewards.getAttribute('aria-expanded')) !== 'true') await rewards.click();
      const names = ['Reward r', 'Shaped r′', ...NAMES];
      const shown = new RegExp(`^${names.slice(0, 5).join(', ')}.*${names.slice(5).join(', ')}, one cell per step$`);
      await expect(strips.getByRole('img', { name: shown })).toBeVisible();
      const cells = strips.getByRole('grid');
      await cells.focus();
      await page.keyboard.press('Home');
      await expect(cells.getByRole('gridcell')).toContainText(
        /^Step 1: Reward r .*Potential Φ .* to .*Completed \d+\s% to/,
      );

      // stays open while the world changes under it
      await credit.getByRole('button', { name: 'One step', exact: true }).click();
      const fact = (term: string | RegExp) =>
        credit.locator('dl div, dl').filter({ has: page.locator('dt', { hasText: term }) });
      await expect(fact('What the world reported').first()).toContainText(
        /action refused|new state|same action|milestone|nothing new/,
      );
      await expect(fact(/Potential Φ \(distance to the goal\)/).first()).toContainText(/before, .* after/);
      await expect(fact('Task completed').first()).toContainText(/\d+\s% before, \d+\s% after/);
      await expect(credit.getByRole('img', { name: shown })).toBeVisible();
    });
});
