import type { Page } from '@playwright/test';
import { bringAxe, expectNoViolations, expectToFit } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';
import { keepSynthetic } from './syntheticRuns.ts';

/** The page of so many synthetic runs in groups of eight seeds. */
async function openRuns(lab: Lab, page: Page, count: number): Promise<void> {
  await bringAxe(page);
  await lab.open();
  await keepSynthetic(page, count);
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await isThere(page);
}

const isThere = (page: Page): Promise<void> =>
  expect(page.locator('.runspage[data-state="there"] .runsline[data-row]').first()).toBeVisible();

const table = (page: Page) => page.getByRole('treegrid', { name: 'Runs' });
const lines = (page: Page, level: 1 | 2) => page.locator(`.runsline[aria-level="${level}"]`);
const isCompared = (page: Page): Promise<void> => expect(page.locator('.compare[data-ready="true"]')).toBeVisible();

test('without runs the page says what will be here and offers a beginning; the way there and back loses nothing of the lab', async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await page.getByRole('button', { name: 'The same with GRPO' }).click();
  await expect(lab.experiment('Key and door · GRPO')).toBeVisible();

  await lab.steps(2);
  const before = await lab.digest();
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'World' })).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByRole('heading', { name: 'World' })).toBeVisible();
  await expect.poll(() => page.url()).toContain('#/lab?x=');
  expect(await lab.digest()).toEqual(before);
});

test('runs are grouped by everything but the seed; the table works from the keyboard alone; what is deleted and written stays so after a reload', async ({
  lab,
  page,
}) => {
  await openRuns(lab, page, 80);

  await test.step('mean and median have their intervals on screen, and how much was tried stands beside the p-values', async () => {
    for (const k of [0, 1]) await lines(page, 1).nth(k).getByRole('checkbox').check();
    await isCompared(page);
    const compared = page.getByRole('region', { name: 'Table of the comparison' });
    const cells = compared.locator('tbody tr').first().locator('td');
    for (const k of [1, 2, 3]) await expect(cells.nth(k)).toHaveText(/^\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]$/);
    await expect(
      page.getByText('corrected for the one comparison of this table (Holm), not for the 10 configurations'),
    ).toBeVisible();
    // at the usual width nothing of the table is out of sight
    expect(await compared.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
  });

  await lab.button('Clear').click();
  await expect(lines(page, 1)).toHaveCount(10);

  await test.step('title, tag and note', async () => {
    await lines(page, 1).nth(2).hover();
    await lines(page, 1).nth(2).getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('The one I like');
    await dialog.getByLabel('Tags, with commas between').fill('good, keep');
    await dialog.getByLabel('Note').fill('It learned <b>fast</b>.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(lines(page, 1).getByText('The one I like')).toBeVisible();
  });

  await test.step('deleted runs are gone, and come back whole', async () => {
    await lines(page, 1).first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('8 runs deleted.')).toBeVisible();
    await expect(lines(page, 1)).toHaveCount(9);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(lines(page, 1)).toHaveCount(10);
    // with their curves: a metric that only they have is drawn
    await lines(page, 1).first().getByRole('checkbox').check();
    await page.getByLabel('Metric').selectOption('entropy');
    await expect(page.locator('.thinline')).toHaveCount(8);
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('8 runs deleted.')).toBeVisible();
  });

  await page.reload();
  await isThere(page);
  await expect(lines(page, 1)).toHaveCount(9);
  await expect(lines(page, 1).getByText('The one I like')).toBeVisible();
  await page.getByLabel('Tag', { exact: true }).selectOption('good');
  await expect(lines(page, 1)).toHaveCount(1);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Search runs').fill('learned');
  await expect(lines(page, 1)).toHaveCount(1);
  await lab.button('Show all').click();

  await expect(lines(page, 1)).toHaveCount(9);
  await expect(lines(page, 1).first()).toContainText('8');
  await table(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const second = lines(page, 1).nth(1);
  await expect(second).toHaveAttribute('data-active', 'true');
  await expect(second).toHaveAttribute('aria-expanded', 'true');
  await expect(lines(page, 2)).toHaveCount(8);
  await page.keyboard.press('ArrowDown');
  await expect(lines(page, 2).first()).toHaveAttribute('data-active', 'true');
  await page.keyboard.press(' ');
  await expect(lines(page, 2).first()).toHaveAttribute('aria-selected', 'true');
  // one of eight seeds: the group is neither selected nor not
  expect(await second.getByRole('checkbox').evaluate((box) => (box as HTMLInputElement).indeterminate)).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await expect(second).toHaveAttribute('data-active', 'true');
  await page.keyboard.press('End');
  await expect(page.locator('.runsline[data-active]')).toHaveAttribute('aria-rowindex', '18');
  await page.keyboard.press('p');
  // pinned lines come first, and the focus goes with its line
  await expect(page.locator('.runsline[data-active]')).toHaveAttribute('aria-rowindex', '2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('1 run in 1 group selected')).toBeVisible();
});

/** The first group becomes better than the others, as if a comparison had trained on. */
function improve(page: Page, group: string): Promise<void> {
  return page.evaluate(
    (name) =>
      new Promise<void>((done) => {
        const opening = indexedDB.open('horizon-lab');
        opening.onsuccess = () => {
          const writing = opening.result.transaction('runs', 'readwrite');
          const ids: string[] = [];
          writing.objectStore('runs').index('group').openCursor(name).onsuccess = (event) => {
            const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
            if (!cursor) return;
            cursor.update({ ...(cursor.value as object), score: 1 });
            ids.push(cursor.primaryKey as string);
            cursor.continue();
          };
          writing.oncomplete = () => {
            opening.result.close();
            new BroadcastChannel('horizon-lab-runs').postMessage(ids);
            done();
          };
        };
      }),
    group,
  );
}

test('selected groups are compared: curves, profiles, the table of the command, too few seeds said; accessible, and it fits from 320 px on', async ({
  lab,
  page,
}) => {
  await openRuns(lab, page, 42);
  await expectNoViolations(page, 'runs');
  for (const k of [0, 1, 2]) await lines(page, 1).nth(k).getByRole('checkbox').check();
  await isCompared(page);
  const compared = page.getByRole('region', { name: 'Table of the comparison' });
  await expect(compared.getByRole('row')).toHaveCount(4);
  // the newest group has two runs
  await expect(compared).toContainText('too few seeds');
  await expect(lines(page, 1).first()).toContainText('too few seeds');
  await expect(page.locator('.thinline')).toHaveCount(18);
  await expect(page.locator('.thickline').first()).toBeVisible();
  const baseline = page.getByLabel('Baseline');
  const names = await baseline.locator('option').allTextContents();
  await baseline.selectOption({ label: names[2]! });
  await isCompared(page);
  await expect(compared.locator('tbody tr').first()).toContainText(names[2]!);
  await page.getByLabel('Score').selectOption('best');
  await isCompared(page);

  const chart = page.getByRole('region', { name: 'Evaluation success' });

  await test.step('a part of the curves can be shown: by dragging, by keys, and all of it again', async () => {
    const shown = chart.getByText(/Shown: .+ environment steps\./);
    await expect(chart.locator('.thickline').first()).toBeVisible();
    await expect(shown).toHaveCount(0);
    const plot = chart.locator('.groupplot');
    await plot.scrollIntoViewIfNeeded();
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + (3 * box.width) / 4, box.y + 80);
    await page.mouse.up();
    await expect(shown).toHaveCount(1);
    await expect(chart.locator('.thickline').first()).toBeVisible();
    await chart.getByRole('button', { name: 'Show all' }).click();
    await expect(shown).toHaveCount(0);
    await chart.getByRole('button', { name: 'Zoom in' }).focus();
    for (let k = 0; k < 2; k++) await page.keyboard.press('Enter');
    await expect(shown).toHaveCount(1);
    await chart.getByRole('button', { name: 'Earlier' }).focus();
    await page.keyboard.press('Enter');
    const words = await shown.innerText();
    await chart.getByRole('button', { name: 'Zoom out' }).focus();
    await page.keyboard.press('Enter');
    await expect(shown).not.toHaveText(words);
    await page.keyboard.press('Enter');
    await expect(shown).toHaveCount(0);
  });

  await page.getByText('How to read this table').click();
  await expect(page.getByText('which is optimistic')).toBeVisible();
  await chart.getByText('Details').click();
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('table')).toBeVisible();
  const saved = page.waitForEvent('download');
  await chart.getByRole('button', { name: 'SVG' }).click();
  expect((await saved).suggestedFilename()).toBe('runs-evalSuccess.svg');
  await page.getByText('Columns').click();
  await expectToFit(page, [320, 760, 1280], 'runs compared');
  await expect(table(page)).toBeVisible();
  await lab.button('Clear').click();

  await test.step('a new run does not shift the selection', async () => {
    await lines(page, 1).nth(1).getByRole('checkbox').check();
    const name = await lines(page, 1).nth(1).locator('.runname').textContent();
    await page.goto(`${page.url().split('#')[0]}#/lab`);
    await expect(page.getByRole('heading', { name: 'World' })).toBeVisible();
    await keepSynthetic(page, 50);
    await page.goto(`${page.url().split('#')[0]}#/runs`);
    await expect(lines(page, 1)).toHaveCount(7);
    await expect(page.locator('.runsline[aria-selected="true"] .runname')).toHaveText(name!);
  });

  await test.step('lines keep their places while the pointer is over them, and find their order when it leaves', async () => {
    await page.getByRole('columnheader', { name: 'Success (IQM)' }).getByRole('button').click();
    const order = (): Promise<(string | null)[]> =>
      lines(page, 1).evaluateAll((all) => all.map((line) => line.getAttribute('data-row')));
    const before = await order();
    const last = before.at(-1)!;
    await lines(page, 1).nth(1).hover();
    await improve(page, last);
    await expect(lines(page, 1).last()).toContainText('1.000');
    expect(await order()).toEqual(before);
    await page.getByRole('heading', { name: 'Runs' }).hover();
    expect(await order()).toEqual(before); // the title of the column still has the focus
    await page.getByLabel('Search runs').focus();
    await expect.poll(order).toEqual([last, ...before.slice(0, -1)]);
  });
});

test('two varied settings are a heat map, and all of them parallel coordinates, each with its table; filters hide runs and leave them alone', async ({
  lab,
  page,
}) => {
  await openRuns(lab, page, 160);
  await page.getByLabel('Search runs').fill('key');
  await table(page).focus();
  for (let k = 0; k < 11; k++) await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('96 runs in 12 groups selected')).toBeVisible();
  const heat = page.getByRole('region', { name: 'Success by two settings' });
  await expect(heat.locator('rect').first()).toBeVisible();
  const parallel = page.getByRole('region', { name: 'All settings that differ' });
  await expect(parallel.locator('polyline')).toHaveCount(12);
  await parallel.getByText('Details').click();
  await parallel.getByRole('button', { name: 'Show as table' }).click();
  await expect(parallel.getByRole('table').getByRole('row')).toHaveCount(13);
  await lab.button('Clear').click();
  await lab.button('Show all').click();

  await test.step('a line can be clicked while the table has not yet come to rest', async () => {
    const under = await table(page).evaluate(async (box) => {
      box.scrollTop = box.scrollTop > 0 ? 0 : 20;
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      const { left, top, height } = box.getBoundingClientRect();
      return document.elementFromPoint(left + 100, top + height / 2)?.closest('.runsline')?.ariaLevel;
    });
    expect(under).toBe('1');
  });

  await test.step('the line of a group leaves alone the runs that a filter hides, and hidden ones that are selected are counted', async () => {
    await lines(page, 1)
      .first()
      .getByRole('button', { name: /^Show the seeds/ })
      .click();
    for (const k of [0, 1]) await lines(page, 2).nth(k).getByRole('checkbox').check();
    await page.getByLabel('Tag for the selected runs').fill('good');
    await lab.button('Add tag').click();
    await lab.button('Clear').click();
    await page.getByLabel('Tag', { exact: true }).selectOption('good');
    await expect(lines(page, 1).first()).toContainText('2 of 8 shown');
    await lines(page, 1).first().getByRole('checkbox').check();
    await expect(page.getByText('2 runs in 1 group selected')).toBeVisible();
    await lab.button('Show all').click();
    await lines(page, 1).nth(1).getByRole('checkbox').check();
    await page.getByLabel('Tag', { exact: true }).selectOption('good');
    await expect(page.getByText('10 runs in 2 groups selected, 8 of them hidden by the filters')).toBeVisible();
  });

  await test.step('the address can ask for the runs of one sweep', async () => {
    await page.goto(`${page.url().split('#')[0]}#/runs?batch=batch-3`);
    await expect(lines(page, 1)).toHaveCount(2);
  });
});
