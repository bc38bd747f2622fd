import type { Page } from '@playwright/test';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';
import { drop } from './drop.ts';
import { LESSON } from './lessonFile.ts';

test.use({ ahead: true });

const WIDTHS = [320, 390, 900, 1280];

/** Nobody waits for its end. */
const LONG = 'run.updates: 20000, rollout.tasksPerBatch: 64';

const pageOf = (page: Page) => page.locator('.lessonpage');
const check = (page: Page, id: string) => page.locator(`[data-check="${id}"]`);
const isOpen = (page: Page): Promise<void> => expect(pageOf(page)).toHaveAttribute('data-state', 'open');

/** The lesson is open as a file of the reader. */
async function openIt(lab: Lab, page: Page): Promise<void> {
  await lab.open();
  await lab.hasLoadedAhead();
  await drop(page, 'two-rates.yaml', LESSON);
  await isOpen(page);
  await expect(page.getByRole('heading', { name: 'Two rates' })).toBeFocused();
}

async function predict(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'The large one' }).check();
  await page.getByRole('spinbutton', { name: /^Your answer/ }).fill('0.5');
}

const stop = (page: Page) => page.locator('.runblock').getByRole('button', { name: 'Stop', exact: true });
const train = (page: Page) => page.getByRole('button', { name: 'Train Small rate and Large rate' });

async function isTrained(page: Page): Promise<void> {
  await expect(page.locator('.runblock').getByText('Done.')).toBeVisible();
  await expect(check(page, 'learned')).toHaveAttribute('data-passed', 'passed');
}

test('a lesson from a file: predictions first, then the run, checks by number, an exercise; all of it in reach', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await openIt(lab, page);
  // nothing starts by itself, and markup of a file is text
  expect((await lab.state()).update).toBe(0);
  await expect(page.getByText('<b onclick="alert(1)">Not bold</b>', { exact: false })).toBeVisible();
  await expect(page.getByText('First answer the 2 questions above.')).toBeVisible();
  // it keeps the focus, and does nothing yet
  await train(page).click({ force: true });
  // what is claimed would give away what is asked
  await expect(page.getByText('It is shown once you have predicted.')).toHaveCount(2);
  await expectToFit(page, WIDTHS, 'before the prediction');

  await predict(page);
  await expect(page.getByText('Judged by number after the run.')).toHaveCount(2);
  await expect(page.getByText(/ on this device$/)).toBeVisible();
  await train(page).click();
  await isTrained(page);
  await expect(page.getByRole('radio', { name: 'The large one' })).toBeDisabled();
  await expect(page.locator('.reveal').first()).toContainText('Right: The large one');
  await expect(page.locator('.reveal').nth(1)).toContainText(
    /You predicted 0\.5 of all episodes\. On this run it is 0\.\d+/,
  );
  await expect(page.locator('.formulablock dd')).toHaveText([/^0\.\d+$/, /^0(\.\d+)?$/, /^0\.\d+$/]);
  await expect(check(page, 'wrong')).toContainText(
    /It did not happen on this run: the value is 0(\.\d+)?, expected at least 0\.9/,
  );
  await expect(check(page, 'wrong')).toContainText('exact: it follows from the definition');
  await page.getByRole('button', { name: 'Show as table' }).first().click();
  await expect(page.getByRole('region', { name: 'Table of Training success' }).locator('tbody tr')).toHaveCount(16);
  await page.getByRole('button', { name: 'Hide table' }).click();
  await expectToFit(page, WIDTHS, 'checked, one of them not');

  const before = await check(page, 'wrong').locator('strong').textContent();
  await check(page, 'wrong').getByRole('button', { name: 'Run again with other seeds' }).click();
  await isTrained(page);
  await expect(check(page, 'wrong').locator('strong')).not.toHaveText(before!);

  const exercise = page.getByRole('region', { name: 'Exercise' });
  await exercise.getByRole('button', { name: 'Try it' }).click();
  await expect(exercise.locator('.lessonverdict')).toContainText('It did not happen on this run');
  await exercise.getByRole('spinbutton', { name: /Learning rate/ }).fill('0.8');
  await expect(exercise).toContainText('The lesson began with 0.05.');
  await exercise.getByRole('button', { name: 'Try it' }).click();
  await expect(exercise.locator('.lessonverdict')).toContainText('It happened on this run');
  await expectToFit(page, WIDTHS, 'exercise');
});

test('progress survives a reload, is a line to hand in, and can begin again', async ({ lab, page }) => {
  await openIt(lab, page);
  await predict(page);
  await train(page).click();
  await isTrained(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy my result' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^two-rates\.p11\.c10\.e-\.[0-9A-Z]{7}$/);
  await lab.reload();
  await isOpen(page);
  await expect(page.getByRole('radio', { name: 'The large one' })).toBeChecked();
  await expect(check(page, 'learned')).toContainText('It happened on your last visit');
  await page.getByRole('button', { name: 'Start this lesson over' }).click();
  await expect(page.getByRole('radio', { name: 'The large one' })).not.toBeChecked();
  await expect(check(page, 'learned')).toHaveAttribute('data-passed', 'open');
});

test('own work waits: a lesson shows its experiment beside it, lets go, and gives it back', async ({ lab, page }) => {
  await lab.open();
  await lab.load({ 'advantage.method': 'grpo', 'optimizer.learningRate': 0.0123, 'run.backend': 'cpu' });
  await lab.steps(2);
  await drop(page, 'two-rates.yaml', LESSON);
  await isOpen(page);
  await expect(page.getByText('Your own run is on the stage.', { exact: false })).toBeVisible();
  expect((await lab.state()).update).toBe(2);
  const pace = page.getByRole('combobox', { name: 'Pace' });
  const usual = await pace.inputValue();
  await page.getByRole('button', { name: 'Show the large rate' }).click();
  await expect(page.getByText('On the stage: Two rates: Large rate')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Visits' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await lab.state()).update).toBe(0);
  await lab.runButton.click();
  await lab.becomes('finished');
  // what the reader chooses stays
  await page.getByRole('button', { name: 'Entropy', exact: true }).click();
  await page.getByRole('link', { name: 'Open in the lab' }).click();
  await expect(page.getByRole('region', { name: 'Opened from the lesson “Two rates”' })).toBeVisible();
  expect((await lab.state()).update).toBe(16);
  await expect(page.getByRole('button', { name: 'Entropy', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(pace).toHaveValue(usual);
  await page.getByRole('button', { name: 'Discard, back to my draft' }).click();
  await expect.poll(() => lab.kept('optimizer', 'learningRate')).toBe(0.0123);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(async () => (await lab.state()).update).toBe(2);
});

test('a lesson of the lab opens by its address, with its experiment beside a draft that waits', async ({
  lab,
  page,
}) => {
  await lab.open('#/lesson/same-state');
  await expect(page.getByRole('heading', { name: 'The same state twice' })).toBeVisible();
  await expect(page.getByText('On the stage: The same state twice', { exact: false })).toBeVisible();
  await expect(page.getByRole('link', { name: 'One number for thirty steps' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to my own experiment' }).click();
  await expect(page).toHaveURL(/#\/lab/);
  await expect(page.getByRole('button', { name: 'Experiment: Key and door · GiGPO' })).toBeVisible();
});

test('a whole lesson from the keyboard', async ({ lab, page }) => {
  await openIt(lab, page);
  const { keyboard } = page;
  const tabTo = async (name: RegExp): Promise<void> => {
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement as HTMLElement;
        return at.getAttribute('aria-label') ?? at.closest('label')?.textContent ?? (at.textContent || at.id);
      });
    for (let k = 0; k < 60; k++) {
      if (name.test(await focused())) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Tab never came to ${name.source}`);
  };
  await tabTo(/^policy/);
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /policy/ })).toBeVisible();
  await keyboard.press('Escape');
  await tabTo(/^The small one/);
  await keyboard.press('Space');
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'The large one' })).toBeChecked();
  await keyboard.press('Tab');
  await keyboard.type('0.5');
  await tabTo(/^\s*Train/);
  await keyboard.press('Enter');
  await isTrained(page);
  await tabTo(/Try it/);
  await keyboard.press('Enter');
  await expect(page.locator('.exercise .lessonverdict')).toContainText('It did not happen');
});

test('training can be stopped; a worker that dies is one sentence, and the next try begins afresh', async ({
  lab,
  page,
  complaints,
}) => {
  await bringAxe(page);
  await openIt(lab, page);
  await drop(page, 'long.yaml', LESSON.replaceAll('run.updates: 16', LONG));
  await isOpen(page);
  await predict(page);
  await train(page).click();
  await expect(page.getByText(/of 40000 updates/)).toBeVisible();
  await expect(page.locator('.armchart').first()).toBeVisible();
  await expectToFit(page, WIDTHS, 'while it trains');
  await stop(page).click();
  await expect(train(page)).toBeVisible();
  await train(page).click();
  await expect(page.getByText(/of 40000 updates/)).toBeVisible();
  const worker = page.workers().find((w) => w.url().includes('/lesson.worker-'))!;
  await worker
    .evaluate(
      () =>
        void setTimeout(() => {
          throw new Error('out of memory');
        }),
    )
    .catch(() => undefined);
  const said = page.getByRole('alert').filter({ hasText: 'The part of the page that trains has stopped' });
  await expect(said).toBeVisible();
  await expectToFit(page, WIDTHS, 'after a crash');
  await train(page).click();
  await expect(page.getByText(/of 40000 updates/)).toBeVisible();
  await expect(said).toBeHidden();
  complaints.length = 0;
});

test('what is no lesson is said in one sentence, and another file opens', async ({ lab, page }) => {
  await bringAxe(page);
  await lab.open('#/lesson/no-such');
  await expect(page.getByRole('alert')).toContainText('There is no lesson “no-such” in this version of the lab.');
  await lab.hasLoadedAhead();
  await drop(page, 'bad.yaml', LESSON.replace('limits:', 'script:'));
  await expect(page.getByRole('alert')).toHaveText(
    'The lesson was not opened. Limits of the lesson is missing. 1 more thing is wrong after that.',
  );
  await expectToFit(page, WIDTHS, 'refused');
  await drop(
    page,
    'names.yaml',
    LESSON.replace('mean(last(large, success))", atLeast', 'meen(last(large, success))", atLeast'),
  );
  await expect(page.getByRole('alert')).toContainText('there is no measure “meen” (did you mean mean?)');
  await drop(page, 'large.yaml', 'x'.repeat(256_001));
  await expect(page.getByRole('alert')).toContainText('The file has 257 kB; a lesson has at most 256 kB.');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), lab.button('Choose a file').click()]);
  await chooser.setFiles({ name: 'two-rates.yaml', mimeType: 'text/yaml', buffer: Buffer.from(LESSON) });
  await isOpen(page);
});

test('where nothing can be stored, a lesson lasts as long as the page, and says so', async ({ lab, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      value: {
        open: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      },
    });
  });
  await lab.open();
  await lab.hasLoadedAhead();
  await drop(page, 'two-rates.yaml', LESSON);
  await isOpen(page);
  await predict(page);
  await expect(page.getByText('This browser keeps nothing here', { exact: false })).toBeVisible();
  await train(page).click();
  await isTrained(page);
});
