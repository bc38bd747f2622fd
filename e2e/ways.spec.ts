import { bringAxe, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

const SMALL = { 'run.updates': 40, 'run.seeds': 1, 'policy.mlp.hidden': [16] };

test('a page that is loaded again offers the run that it had, and what was closed stays closed', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load(SMALL);
  await lab.button('Step one update').click();
  await expect.poll(async () => (await lab.state()).update).toBe(1);
  await expect.poll(() => page.url()).toContain('x=');
  await lab.button('Close: Running on the CPU').click();
  await lab.isKept(1);
  await lab.reload();
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('The last run stopped at update 1');
  await expect(notices).not.toContainText('Running on the CPU');
  await lab.button('Close: The last run stopped at update 1').click();
  await expect(notices).toBeEmpty();
  await expect.poll(async () => (await lab.stored('pageRuns')).map(({ isOpen }) => isOpen)).toEqual([false]);
  await lab.reload();
  await expect(notices).toBeEmpty();
});

test('in a narrow window the form is a drawer over the stage; the link of an experiment of the lab brings its words; a chart without a curve leads to what fills it', async ({
  lab,
  page,
}) => {
  await test.step('the drawer is opened by its button, closed by Esc and by going on', async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await bringAxe(page);
    await lab.open();
    const form = page.getByRole('region', { name: 'Setup' });
    const world = page.getByRole('heading', { name: 'World' });
    await expect(form).toBeHidden();
    await expect(world).toBeInViewport();
    await lab.button('Show setup').click();
    await expect(form).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Advantage method' }).focus();
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    await expect(lab.button('Show setup')).toBeFocused();
    await lab.button('Show setup').click();
    await lab.button('Take over').focus();
    await expect(form).toBeHidden();
  });

  await test.step('discarding a link brings back the own words', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await lab.load('lesson-four-arms');
    const title = 'Four arms · GRPO';
    await expect(lab.experiment(title)).toBeVisible();
    // the answer is in sight for four seconds
    const link = await lab.copyLink(async () => {
      await lab.button(/^Copy link/).click();
      await expect(page.getByText('The link is in the clipboard.')).toBeInViewport();
    });
    await lab.load('corridor');
    await expect(lab.experiment('Corridor of 12 · GiGPO')).toBeVisible();
    await lab.load(link);
    await expect(lab.experiment(title)).toBeVisible();
    await lab.button('Show setup').click();
    await expect(page.getByText(`${title}: no change`)).toBeVisible();
    await page.getByRole('button', { name: 'Discard, back to my draft' }).click();
    await expect(lab.experiment('Corridor of 12 · GiGPO')).toBeVisible();
  });

  await test.step('a chart without a curve names the setting that fills it and leads there', async () => {
    await page.locator('summary', { hasText: 'log-ratios' }).click();
    const chart = page.getByRole('region', { name: 'Simulated time' });
    await expect(chart).toContainText('It needs Ages (Rollout): from a queue with a bound.');
    await chart.getByRole('button', { name: 'Ages (Rollout)' }).click();
    const ages = page.getByRole('combobox', { name: 'Ages' });
    await expect(ages).toBeFocused();
    await expect(ages).toBeInViewport();
    await ages.selectOption({ label: 'from a queue with a bound' });
    await expect(chart).not.toContainText('It needs');
  });
});
