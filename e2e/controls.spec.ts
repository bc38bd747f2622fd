import { expect, test } from './fixtures.ts';
import { LONG } from './lab.ts';

test('a run in single steps and a run without pause give the same digest; what is changed right before Run counts in that run, and a reward is typed as 1.0', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ 'run.updates': 3 });
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

  await lab.button('Reset').click();
  await lab.becomes('ready');
  await lab.openSetup();
  await page.getByRole('spinbutton', { name: /^Updates/ }).fill('4');
  await lab.runButton.click();
  await lab.becomes('finished');
  expect(await lab.state()).toMatchObject({ update: 4, updates: 4 });

  await test.step('a reward is typed and told as 1.0, and kept in thousandths', async () => {
    const goal = page.locator('[data-path="reward.grid.goal"]');
    await goal.evaluate((field) => field.closest('details')?.setAttribute('open', ''));
    const input = goal.getByRole('spinbutton');
    await expect(input).toHaveValue('1');
    await input.fill('0.0005');
    await expect(goal.getByRole('alert')).toHaveText('A number with at most 3 decimals from -10 to 10, please.');
    await input.fill('2.5');
    await expect(goal.getByRole('alert')).toHaveCount(0);
    await expect(page.getByText('goal 1 → 2.5').first()).toBeVisible();
    await expect(goal.getByRole('button', { name: 'Reset Goal to 1' })).toBeEnabled();
    await expect.poll(() => lab.kept('reward', 'grid')).toMatchObject({ goal: 2500 });
  });
});

test('a run that goes on: space runs and pauses, Stop keeps the curves, Reset goes back to update 0, and nothing of a run that was replaced comes late', async ({
  lab,
  page,
}) => {
  await page.addInitScript(() => {
    const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')!;
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      set(this: MessagePort, take: ((event: MessageEvent) => void) | null) {
        const late = (event: MessageEvent): void => {
          const isFrame = (event.data as { backendName?: string } | null)?.backendName !== undefined;
          const { late: held } = window as unknown as { late?: (() => void)[] };
          if (isFrame && held) held.push(() => take?.(event));
          else take?.(event);
        };
        set!.call(this, take && late);
      },
    });
  });
  await lab.openLong();

  await test.step('the space bar runs and pauses', async () => {
    await page.locator('body').press('Space');
    await lab.becomes('running');
    await page.locator('body').press('Space');
    await lab.becomes('paused');
  });

  await test.step('Stop keeps the curves; Reset goes back to update 0', async () => {
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

  await test.step('frames of a run that was replaced are not drawn with the level of the next, however late they come', async () => {
    await lab.runButton.click();
    await lab.reaches(3);
    await page.evaluate(() => {
      Object.assign(window, { late: [] });
      return (window as unknown as { lab: { load(what: string): Promise<void> } }).lab.load('sokoban-two-boxes');
    });
    await page.evaluate(() => {
      const page = window as unknown as { late?: (() => void)[] };
      const { late = [] } = page;
      delete page.late;
      for (const arrives of late) arrives();
    });
    await expect.poll(() => lab.state()).toMatchObject({ state: 'ready', update: 0 });
    await expect(page.getByRole('heading', { name: 'World' })).toBeVisible();
    await expect(page.getByText('The map fills with what the agent learns')).toBeVisible();
  });

  await test.step('a Pause that is pressed while a fixed experiment is still being prepared is not taken back by its Run', async () => {
    await lab.load('key-door');
    await lab.load(LONG);
    await lab.button('Break it').click();
    await lab.becomes('running');
    await expect(lab.button('Fix it')).toBeVisible();
    await expect.poll(async () => (await lab.state()).update).toBeGreaterThan(0);
    await page.evaluate(() => {
      const press = (name: string): void =>
        [...document.querySelectorAll('button')].find((button) => button.textContent?.trim() === name)!.click();
      press('Fix it');
      press('Pause');
    });
    await lab.becomes('ready');
    await expect(lab.runButton).toBeEnabled();
    expect(await lab.state()).toMatchObject({ state: 'ready', update: 0 });
  });
});
