import type { Locator, Page, Worker } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { LONG } from './lab.ts';

/** At the normal pace it takes 15 seconds: long enough to be caught in the middle, on any machine. */
const RUN = { 'run.updates': 150, 'run.seeds': 1, 'run.backend': 'cpu' };

const trainer = (page: Page): Worker => page.workers().find((w) => w.url().includes('/worker-'))!;

/** How a worker may go without a word: ended from outside, or in a loop that never ends. */
const silences = {
  'that is ended from outside': (worker: Worker) => worker.evaluate(() => self.close()),
  'in an endless loop': (worker: Worker) =>
    worker.evaluate(() => {
      setTimeout(() => {
        for (;;);
      });
    }),
};

/** The page's clock goes on a second at a time until this is there. */
async function soon(page: Page, notice: Locator): Promise<void> {
  const later = async (): Promise<number> => {
    await page.clock.runFor(1000);
    return notice.count();
  };
  await expect.poll(later, { intervals: [1] }).toBe(1);
}

test('a worker that is silent is noticed, and a new one goes on to the digest of a run that lost nothing', async ({
  lab,
  page,
}) => {
  await page.clock.install();
  await lab.open();
  await lab.load(RUN);
  const whole = await lab.finish();
  const pace = page.getByRole('combobox', { name: 'Pace' });
  for (const [how, silence] of Object.entries(silences))
    await test.step(how, async () => {
      await lab.load({ ...RUN, 'run.updates': 151 });
      await lab.load(RUN);
      await pace.selectOption('Normal');
      await lab.runButton.click();
      await lab.reaches(20);
      await silence(trainer(page));
      const notice = page.getByRole('alert').filter({ hasText: 'The training worker was replaced' });
      await soon(page, notice);
      await expect(notice).toContainText(/A new one continues from update [1-9]/);
      await pace.selectOption('Full speed');
      await lab.becomes('finished');
      expect((await lab.digest()).result).toBe(whole);
      expect(await page.getByRole('status').allTextContents()).not.toContain('NaN');
      await lab.button('Close: The training worker was replaced').click();
      await expect(notice).toHaveCount(0);
    });
});

test('Reset does not wait for a worker that answers no more; what it was asked for when it went can be asked for again', async ({
  lab,
  page,
}) => {
  await page.clock.install({ time: '2030-01-01T12:00:00' });
  await lab.open();
  await lab.load(LONG);
  await lab.runButton.click();
  await lab.reaches(3);
  await silences['in an endless loop'](trainer(page));
  await lab.button('Reset').click();
  await lab.becomes('ready');
  expect((await lab.state()).update).toBe(0);
  await lab.runButton.click();
  await lab.reaches(3);

  await test.step('the past and the profile', async () => {
    await lab.load(RUN);
    await lab.steps(3);
    const measure = lab.button('Measure an update');
    await page.getByRole('tab', { name: 'Profile' }).click();
    await expect(measure).toBeEnabled();
    // the page's clock stands: its patience does not end before Reset is pressed
    await page.clock.pauseAt('2030-01-01T13:00:00');
    await silences['in an endless loop'](trainer(page));
    const digest = lab.digest().catch((error: Error) => error.message);
    await measure.click();
    await expect(lab.button('Measuring')).toBeVisible();
    await page.keyboard.press('Shift+ArrowLeft');
    const past = page.getByText('You are looking at update 3');
    await expect(past).toBeVisible();
    await page.clock.resume();
    await lab.button('Reset').click();
    await lab.becomes('ready');
    expect(await digest).toContain('The worker ended before it answered');
    await expect(measure).toBeEnabled();
    await expect(page.getByText('You are looking at')).toHaveCount(0);
    await lab.steps(3);
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(past).toBeVisible();
    await expect(lab.button('Fork with a change')).toHaveAttribute('aria-disabled', 'false');
  });
});
