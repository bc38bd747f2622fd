import { expect, test } from './fixtures.ts';

// Playwright's own recorder takes snapshots of the page on its main thread. Here everything moves that can.
test.use({ trace: 'off', contextOptions: { reducedMotion: 'no-preference' } });

// What the page promises in seconds, measured once. Nothing here stretches with the machine and nothing is tried again:
// a bound that gives way to a slow machine promises nothing.
const WINDOW_MS = 10_000;
const LONG_MS = 50;
const NEVER_MS = 100;
const LEARN_MS = 30_000;

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args?: { name?: string } };

/**
 * Tasks of the page's main threads that took longer than `ms` of that thread's own time. By the clock every task is long
 * on a machine that is busy with something else, and this test is about the page.
 */
function longTasks(trace: Buffer, ms: number): { tasks: number; long: number[] } {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const key = (e: TraceEvent): string => `${e.pid}/${e.tid}`;
  const main = new Set(
    traceEvents.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map(key),
  );
  const tasks = traceEvents.filter((e) => e.ph === 'X' && e.name.endsWith('RunTask') && main.has(key(e)));
  const times = tasks.map((e) => (e.tdur ?? 0) / 1000);
  return { tasks: tasks.length, long: times.filter((t) => t > ms) };
}

test('a pause stops the run, and it stays where it was', async ({ lab, page }) => {
  await lab.openLong();
  await lab.runButton.click();
  await lab.reaches(5);
  await lab.pauseButton.click();
  await expect(lab.runButton).toBeVisible();
  const [first, second] = await page.evaluate(async () => {
    const { lab: api } = window as unknown as { lab: { state(): { update: number } } };
    const before = api.state().update;
    for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
    return [before, api.state().update];
  });
  expect(second).toBe(first);
});

test('draws the success chart soon after Run, says in the title how far it is, and learns to open the door within 30 seconds on the CPU path', async ({
  lab,
  page,
}) => {
  await lab.open();
  const chart = page.getByRole('region', { name: 'Training success' }).first();
  const from = Date.now();
  await lab.runButton.click();
  await expect(chart.locator('path.recharts-curve').first()).toBeVisible();
  await expect(page).toHaveTitle(/\d/);
  await expect.poll(() => lab.metric('success'), { timeout: LEARN_MS, intervals: [250] }).toBeGreaterThanOrEqual(0.5);
  const took = Date.now() - from;
  expect(took).toBeLessThanOrEqual(LEARN_MS);
});

test('training never blocks the page: at most one task over 50 ms in ten seconds, none over 100 ms', async ({
  lab,
  page,
  browser,
}) => {
  await lab.openLong();
  // training is measured, neither the loading of the page nor its first picture, which code draws that never ran before
  await lab.hasLoadedAhead();
  await lab.runButton.click();
  await lab.reaches(100);
  await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Credit', exact: true }).getByRole('grid').first()).toBeVisible();
  for (const chart of ['Training success', 'Policy entropy'])
    await expect(
      page.getByRole('region', { name: chart, exact: true }).locator('path.recharts-curve').first(),
    ).toBeVisible();
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  const from = await page.evaluate(() => performance.now());
  await page.waitForFunction((until) => performance.now() >= until, from + WINDOW_MS);
  const trace = await browser.stopTracing();
  const { tasks, long } = longTasks(trace, LONG_MS);
  expect((await lab.state()).state).toBe('running');
  expect(tasks, 'the trace holds the tasks of the page').toBeGreaterThan(100);
  expect(long.length, `tasks of ${long.join(', ')} ms`).toBeLessThanOrEqual(1);
  expect(long.filter((ms) => ms > NEVER_MS)).toEqual([]);
});

test('the measurement sees a page that is blocked', async ({ lab, page, browser }) => {
  await lab.open();
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  // so much work that it takes longer than that on any machine of today
  const last = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        setTimeout(() => {
          let x = 1;
          for (let k = 0; k < 50_000_000; k++) x = (x * 16_807) % 2_147_483_647;
          done(x);
        });
      }),
  );
  expect(last).toBeGreaterThan(0);
  const { long } = longTasks(await browser.stopTracing(), LONG_MS);
  expect(long.length).toBeGreaterThanOrEqual(1);
});
