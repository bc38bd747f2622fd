import { expect, test } from './fixtures.ts';
import { WORLDS } from './worlds.ts';

const NAMES = ['Refused', 'New state', 'Repeated', 'Milestone', 'Potential Φ', 'Completed'];

// each on the stage and in the inspector; the first replaces no reward, so that nothing needs its signals but who looks
for (const { name, changes } of WORLDS)
  test(`what a step told is a strip of the player and a line of the inspector: ${name}`, async ({ lab, page }) => {
    await lab.open();
    await lab.load({ ...changes, 'run.seeds': 1, 'reward.pbrs.on': true });
    await lab.steps(2);
    await page.locator('.player').getByRole('button', { name: 'Rewards' }).click();
    const strips = page.locator('.player').getByRole('group', { name: 'Rewards and signals of this episode' });
    const all = ['Reward r', 'Shaped r′', ...NAMES];
    const shown = new RegExp(`^${all.slice(0, 5).join(', ')}.*${all.slice(5).join(', ')}, one cell per step$`);
    await expect(strips.getByRole('img', { name: shown })).toBeVisible();
    const cells = strips.getByRole('grid');
    await cells.focus();
    await page.keyboard.press('Home');
    await expect(cells.getByRole('gridcell')).toContainText(
      /^Step 1: Reward r .*Potential Φ .* to .*Completed \d+\s% to/,
    );

    const credit = page.locator('#credit');
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
