import { bringAxe, expectNoViolations, overflow } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('the policy is drawn from the inside for the step on the stage: layers, table, and heads over words', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.load({ 'run.backend': 'cpu', 'run.seeds': 1, 'policy.mlp.hidden': [16] });
  await lab.steps(2);
  await page.getByRole('tab', { name: 'Inside the policy' }).click();
  const panel = page.getByRole('tabpanel');
  await expect(panel).toContainText(/^Update 2, episode \d+, step \d+: /);
  await expect(panel.getByRole('img', { name: /^Weights 1: inputs by units, \d+ by 16, from −/ })).toBeVisible();
  await expect(panel.getByRole('img', { name: /^Units of layer 1, 1 by 16, / })).toBeVisible();
  // another step on the stage is another picture
  const units = (): Promise<string | null> =>
    panel.getByRole('img', { name: /^Units of layer 1/ }).evaluate((c) => (c as HTMLCanvasElement).toDataURL());
  await page.getByRole('heading', { name: 'World' }).click();
  await page.keyboard.press('Home');
  await expect(panel).toContainText('step 1:');
  const before = await units();
  await page.keyboard.press('ArrowRight');
  await expect(panel).toContainText('step 2:');
  // an agent that bumps into a wall sees the same again: on until it has moved
  const next = (): Promise<string | null> => page.keyboard.press('ArrowRight').then(units);
  await expect.poll(next).not.toBe(before);
  await lab.load({ 'policy.method': 'tabular' });
  await lab.steps(1);
  await expect(panel.getByRole('img', { name: /^Table: states by actions/ })).toBeVisible();
  await expect(panel).toContainText(/this step reads row \d+\./);
  await lab.load({ ...{ 'task.method': 'textmaze', 'policy.method': 'transformer' }, 'rollout.tasksPerBatch': 1 });
  await lab.steps(1);
  await expect(panel.getByRole('img', { name: /^Attention: heads by words/ })).toBeVisible();
  await expect(panel).toContainText(/Attends most to: “\S+” \d+\s%/);
  await panel.getByRole('combobox', { name: /^Head/ }).selectOption({ index: 1 });
  await panel.getByText('What each head attends to most').click();
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 320) await page.getByRole('navigation').getByRole('button', { name: 'Episodes' }).click();
    await expectNoViolations(page, `inside, ${width} px`);
    expect(await overflow(page), `${width} px`).toBeLessThanOrEqual(0);
  }
});
