import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';
import { WORLDS } from './worlds.ts';

/** Takes over from the agent with the keyboard alone. */
async function takeOver(lab: Lab, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const back = lab.button('Back to the agent');
  if (await back.isVisible()) await back.click();
  await lab.load(changes);
  await lab.button('Take over').focus();
  await lab.page.keyboard.press('Enter');
  await expect(lab.page.getByRole('group', { name: 'Play yourself' })).toBeVisible();
}

test('each world is played to success with the keyboard alone, shows its shortest path and plays it, and axe finds nothing, two themes, three widths', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  const outcome = page.locator('.outcome');
  for (const { name, changes, keys, steps } of WORLDS) {
    await test.step(`${name} is played to success with the keyboard alone, and undo goes back`, async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await takeOver(lab, changes);
      for (const key of keys) await page.keyboard.press(key);
      await expect(outcome).toContainText(`Solved: return`);
      await expect(outcome).toContainText(`after ${steps} steps`);
      await expect(outcome).toContainText('That is the shortest path');
      // the game was played, not the training
      expect((await lab.state()).update).toBe(0);
      await lab.button('Undo').click();
      await expect(outcome).toContainText(steps === 2 ? 'after 1 step' : `after ${steps - 1} steps`);
      await lab.button('From the start').click();
      await expect(lab.button('Undo')).toBeDisabled();
    });
    await test.step(`${name} shows its shortest path and plays it`, async () => {
      await lab.button('Best path').click();
      await expect(page.getByText(`The shortest path has ${steps} steps`)).toBeVisible();
      await lab.button('Show me how').click();
      await expect(outcome).toContainText(`after ${steps} steps`);
    });
    await test.step(`axe finds nothing while a person plays ${name}`, async () => {
      await takeOver(lab, changes);
      await lab.button('Best path').click();
      for (const key of keys.slice(0, -1)) await page.keyboard.press(key);
      await expectToFit(page, [1280, 900, 320], name);
    });
  }
});

test('an impossible move is answered, where levels are drawn anew there is always another one, buttons are large enough for a finger, and an episode of the text-maze is told', async ({
  lab,
  page,
}) => {
  await lab.open();
  const outcome = page.locator('.outcome');
  await test.step('an impossible move is answered with a sentence', async () => {
    await takeOver(lab, WORLDS[0]!.changes);
    await page.keyboard.press('ArrowUp');
    await expect(outcome).toHaveText('There is a wall: return 0 after 1 step.');
  });

  await test.step('where levels are drawn anew, there is always another one', async () => {
    await takeOver(lab, { 'task.grid.level': 'fourRooms', 'task.grid.n': 9 });
    const picture = page.getByRole('img', { name: /^The agent is in/ });
    const first = await picture.getAttribute('aria-label');
    await lab.button('Another level').click();
    await expect(picture).not.toHaveAttribute('aria-label', first!);
    await page.keyboard.press('ArrowRight');
    await expect(outcome).toContainText('after 1 step');
  });

  const textMaze = { ...WORLDS[2]!.changes, 'rollout.groupSize': 4, 'rollout.tasksPerBatch': 2, 'run.updates': 2 };
  await test.step('a stored episode of the text-maze is told from its start to the step on the stage', async () => {
    await lab.button('Back to the agent').click();
    await lab.load(textMaze);
    await lab.finish();
    const log = page.getByRole('log', { name: 'Commands and answers' });
    await lab.button('First step').click();
    await expect(log.locator('p')).toHaveCount(1);
    await expect(log).toContainText('You are in hall.');
    await lab.button('Step forward').click();
    await expect(log.locator('p')).toHaveCount(3);
    await expect(log.locator('.agent')).toHaveCount(1);
  });

  await test.step('buttons for walking are large enough for a finger', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await takeOver(lab, textMaze);
    await expect(page.locator('.moves button').nth(18)).toBeVisible();
    const heights = await page
      .locator('.moves button')
      .evaluateAll((buttons) => buttons.map((b) => Math.min(b.clientHeight, b.clientWidth) + 2));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  });
});
