import type { Locator, Page } from '@playwright/test';
import { bringAxe, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';
import { WORLDS } from './worlds.ts';

/** A run that is over, with the graph of its first task open. */
async function openGraph(lab: Lab, changes: Readonly<Record<string, unknown>> = {}): Promise<Locator> {
  await lab.load({ 'run.updates': 12, 'run.seeds': 1, 'rollout.groupSize': 16, ...changes });
  // none is left of the experiment before
  await expect(here(lab.page)).toHaveCount(0);
  await lab.finish();
  await toDock(lab.page);
  await lab.page.getByRole('tab', { name: 'Graph' }).click();
  const picture = lab.page.getByRole('img', { name: /episodes of task 1/ });
  await expect(picture).toBeVisible();
  return picture;
}

async function toDock(page: Page): Promise<void> {
  const bar = page.getByRole('navigation').getByRole('button', { name: 'Episodes' });
  if (await bar.isVisible()) await bar.click();
}

const grid = (page: Page): Locator => page.getByRole('grid', { name: /^Graph of states/ });
const cell = (page: Page): Locator => grid(page).getByRole('gridcell');
const here = (page: Page): Locator => page.locator('.here > p');

/** Numbers in the sentence about the picture. */
async function counts(picture: Locator): Promise<{ steps: number; states: number; edges: number }> {
  const text = (await picture.getAttribute('aria-label'))!;
  const [, steps, states, edges] = /Their (\d+) steps? merge into (\d+) states? and (\d+) different/.exec(text)!;
  return { steps: Number(steps), states: Number(states), edges: Number(edges) };
}

test('the graph of states: by keyboard, pointer, history and search; every choice shows on the stage, and axe finds nothing', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  const picture = await openGraph(lab);

  await test.step('the keyboard walks from the start along steps and states, and every choice shows on the stage', async () => {
    await grid(page).focus();
    await page.keyboard.press('Home');
    await expect(here(page)).toContainText('16 episodes start here');
    await page.keyboard.press('ArrowRight');
    await expect(here(page)).toContainText(/^Step: /);
    await expect(cell(page)).toContainText(/^Step: /);
    await page.keyboard.press('ArrowRight');
    await expect(here(page)).toContainText(/^State: /);
    // the stage shows the second state of an episode
    await expect(page.getByText(/Step 2: the agent chose/)).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(here(page)).toContainText('16 episodes start here');
  });

  await test.step('a step chosen elsewhere is chosen in the graph, with everybody who made it', async () => {
    await page
      .getByRole('grid', { name: /credit of every step/ })
      .first()
      .focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(/^Episode 1 .*step 2 of/).first()).toBeVisible();
    await expect(here(page)).toContainText(/^Step: /);
    const others = page.locator('.here').getByRole('button', { name: /episode \d+, step \d+/ });
    const taken = Number(/taken (\d+) times/.exec((await here(page).textContent())!)?.[1] ?? '2');
    await expect(others).toHaveCount(Math.min(24, taken));
    const [, episode, step] = /episode (\d+), step (\d+)/.exec((await others.last().textContent())!)!;
    await others.last().click();
    await expect(page.getByText(new RegExp(`^Episode ${episode} .*step ${step} of`)).first()).toBeVisible();
  });

  await test.step('the picture is moved and sized with pointer, buttons and keys', async () => {
    await grid(page).focus();
    await page.keyboard.press('Home');
    const frame = page.locator('.graphpicture .cellframe');
    const at = async (): Promise<{ x: number; y: number }> => (await frame.boundingBox())!;
    const { width } = (await grid(page).boundingBox())!;
    // waits until the picture lies still
    await grid(page).hover({ position: { x: width / 2, y: 8 } });
    const first = await at();
    const box = (await grid(page).boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 50, box.y + 28, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await at()).x - first.x)).toBe(50);
    await lab.button('Whole graph').click();
    await expect.poll(async () => Math.round((await at()).x - first.x)).toBe(0);
    await lab.button('Move left').click();
    await expect.poll(async () => Math.round((await at()).x - first.x)).toBeGreaterThan(50);
    await grid(page).focus();
    await page.keyboard.press('0');
    await expect.poll(async () => Math.round((await at()).x - first.x)).toBe(0);
    await page.keyboard.press('+');
    await expect.poll(async () => Math.round((await at()).x - first.x)).not.toBe(0);
  });

  const slider = page.getByRole('slider', { name: 'History' });
  const merged = await counts(picture);
  await test.step('the history slider turns the graph of states into a tree', async () => {
    expect(merged.states).toBeLessThan(merged.steps / 4);
    await slider.focus();
    await page.keyboard.press('End');
    await expect(page.getByText('the graph is a tree')).toBeVisible();
    await expect.poll(async () => (await counts(picture)).states).toBeGreaterThan(merged.states);
    const tree = await counts(picture);
    // in a tree every state but the start has one way in
    expect(tree.edges).toBe(tree.states - 1);
    expect(tree.steps).toBe(merged.steps);
  });

  await test.step('a click on a chain unfolds it, and it folds again', async () => {
    const rows = async (): Promise<number> => Number(await grid(page).getAttribute('aria-rowcount'));
    await expect.poll(async () => (await counts(picture)).edges).toBeGreaterThan(100);
    const folded = await rows();
    // an episode's inner step is drawn as its chain
    await page
      .getByRole('grid', { name: /credit of every step/ })
      .first()
      .focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await grid(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(rows).toBeGreaterThan(folded);
    await lab.button('Fold chains again').click();
    await expect.poll(rows).toBe(folded);
  });

  await slider.focus();
  await page.keyboard.press('Home');
  await expect(page.getByText('the graph is a tree')).toHaveCount(0);
  // the picture of so many states is drawn again when there is time
  await expect.poll(() => counts(picture)).toEqual(merged);

  await test.step('search finds states and actions, and the list says the same in words', async () => {
    const { states } = merged;
    await lab.button('Show as list').click();
    const list = page.getByRole('region', { name: 'States of the graph' });
    await expect(list.getByRole('row')).toHaveCount(states + 1);
    await page.getByLabel('Find').fill('red key');
    const found = page.locator('.graphsearch').getByRole('status');
    await expect(found).toHaveText(/^\d+ states?, 0 steps$/);
    const some = Number(/^\d+/.exec((await found.textContent())!)![0]);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(states);
    await expect(list.getByRole('row')).toHaveCount(some + 1);
    await page.getByLabel('Find').press('Enter');
    await expect(here(page)).toContainText('red key');
    await page.getByLabel('Find').fill('down');
    await expect(found).toHaveText(/^0 states, [1-9]\d* steps?$/);
    await page.getByLabel('Find').press('Enter');
    await expect(here(page)).toContainText('Step: down');
  });

  await page.getByLabel('Find').fill('');
  // a pointer left on a chart would open its tooltip
  await page.mouse.move(0, 0);
  await expectToFit(page, [1280, 900, 320], '', () => toDock(page));
});

const DELAYED = { name: 'a delayed grid-world', changes: { 'task.method': 'grid', 'task.actionDelay': 2 } };

test('states of every world have words', async ({ lab, page }) => {
  await lab.open();
  for (const { name, changes } of [...WORLDS, DELAYED])
    await test.step(name, async () => {
      await lab.load('key-door');
      await openGraph(lab, { ...changes, 'run.updates': 2 });
      await grid(page).focus();
      await page.keyboard.press('Home');
      await expect(here(page)).toHaveText(/^State: (column \d|room \w)/);
    });
});
