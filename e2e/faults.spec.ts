import { expect, test } from './fixtures.ts';
import { LONG } from './lab.ts';

test('what goes wrong is said in words: no WebGPU, a level with a mistake, a value that is not finite, a worker that crashes', async ({
  lab,
  page,
  complaints,
}) => {
  await test.step('without WebGPU the page says once that it runs on the CPU, and why', async () => {
    await lab.open();
    const notice = page.getByRole('note').filter({ hasText: 'Running on the CPU' });
    await expect(notice).toHaveCount(1);
    await expect(notice).toContainText(/WebGPU/);
    await page.getByRole('button', { name: 'Close: Running on the CPU' }).click();
    await expect(notice).toHaveCount(0);
    expect((await lab.state()).backend).toBe('cpu');
  });

  await test.step('a level with a mistake is refused with line and column, and Run waits until it is mended', async () => {
    await lab.openSetup();
    await page.getByRole('combobox', { name: 'Level', exact: true }).selectOption('custom');
    const text = page.getByRole('textbox', { name: /level/i }).first();
    const good = await text.inputValue();
    const rows = good.split('\n');
    await text.fill([rows[0], `${rows[1]!.slice(0, 2)}?${rows[1]!.slice(3)}`, ...rows.slice(2)].join('\n'));
    await expect(page.getByText(/line 2, column 3/i).first()).toBeVisible();
    await expect(lab.runButton).toBeDisabled();
    await text.fill(good);
    await expect(lab.runButton).toBeEnabled();
  });

  await test.step('a value that is not finite stops the run on its last good state and names the slot', async () => {
    await lab.load(LONG);
    await lab.runButton.click();
    await lab.reaches(3);
    await lab.inject('nonFinite');
    await lab.becomes('failed');
    await expect(page.getByRole('alert').filter({ hasText: /not finite|not a number/i })).toContainText(
      /the policy network|the reward|the advantage|the objective|the optimizer/,
    );
    const { update } = await lab.state();
    expect(update).toBeGreaterThanOrEqual(3);
    expect(Number.isFinite(await lab.metric('success'))).toBe(true);
  });

  await test.step('a worker that crashes is said in words, and a new one goes on with the run', async () => {
    await lab.load(LONG);
    await lab.runButton.click();
    await lab.reaches(3);
    const crashes = ['goes on', 'goes on', 'for good'];
    for (const what of crashes) {
      const { update } = await lab.state();
      await lab.inject('crash');
      if (what === 'goes on') {
        await expect(page.getByRole('alert').filter({ hasText: 'The training worker was replaced' })).toContainText(
          new RegExp(`It stopped .* at update (${update}|[1-9]\\d*)\\. A new one`),
        );
        await lab.becomes('running');
        await lab.reaches(update + 2);
        await page.getByRole('button', { name: 'Close: The training worker was replaced' }).click();
      } else await expect(page.getByRole('alert').filter({ hasText: 'The training worker stopped' })).toHaveCount(1);
    }
    // three times within five minutes are enough; Reset begins anew
    complaints.length = 0;
    await lab.button('Reset').click();
    await lab.becomes('ready');
    await lab.runButton.click();
    await lab.reaches(2);
    complaints.length = 0;
  });
});

test('a worker that cannot be loaded is asked for once, and the page says that it must be loaded anew', async ({
  lab,
  page,
  complaints,
}) => {
  let asked = 0;
  await page.route('**/assets/worker-*.js', (route) => {
    asked++;
    return route.fulfill({ status: 404 });
  });
  await page.goto(lab.site);
  await expect(page.getByRole('alert')).toContainText('The training worker could not be loaded');
  await expect(page.getByRole('alert')).toContainText('Reload the page');
  // time enough for another one to be asked for
  await lab.button('Visits').click();
  await expect(lab.button('Visits')).toHaveAttribute('aria-pressed', 'true');
  expect(asked).toBe(1);
  await page.unroute('**/assets/worker-*.js');
  await lab.button('Reset').click();
  await expect(lab.runButton).toBeEnabled();
  complaints.length = 0;
});
