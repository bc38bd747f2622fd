import { expect, test } from './fixtures.ts';

test('the focus stays where it was, or goes to what comes next; the end of a run is said', async ({ lab, page }) => {
  await lab.open();
  const press = async (name: string): Promise<void> => {
    // one that can do nothing yet takes the focus, too
    await expect(lab.button(name)).toBeEnabled();
    await lab.button(name).focus();
    await page.keyboard.press('Enter');
  };
  await press('Close: Running on the CPU');
  await expect(lab.runButton).toBeFocused();
  await lab.load({ 'run.updates': 6, 'run.seeds': 1, 'policy.mlp.hidden': [8] });
  await press('Step one update');
  await lab.waitsAt(1);
  await expect(lab.button('Step one update')).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'Paused at update 1: training success' })).toHaveCount(1);
  await page.keyboard.press('Enter');
  await lab.waitsAt(2);

  await press('Previous checkpoint');
  await expect(lab.button('Back to now')).toBeVisible();
  await press('Next checkpoint');
  await expect(lab.button('Back to now')).toHaveCount(0);
  await expect(lab.button('Next checkpoint')).toBeFocused();
  await expect(lab.button('Next checkpoint')).toBeDisabled();
  await press('Previous checkpoint');
  await press('Back to now');
  await expect(page.getByRole('slider', { name: 'Checkpoint' })).toBeFocused();

  await page.keyboard.press('Home');
  await expect(lab.button('Continue from here')).toBeEnabled();
  await press('Continue from here');
  await expect(page.getByRole('dialog')).toBeVisible();
  await press('Drop them and continue');
  await expect.poll(async () => (await lab.state()).update).toBe(0);
  await expect(lab.runButton).toBeFocused();

  await page.getByRole('tab', { name: 'Profile' }).click();
  await press('Measure an update');
  await expect(lab.button('Measure again')).toBeFocused();
  await press('Run');
  await expect(page.getByRole('status').filter({ hasText: 'Finished at update 6: training success' })).toHaveCount(1);
});
