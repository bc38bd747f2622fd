import { expect, test } from './fixtures.ts';
import { linkWith } from './payload.ts';

// Recording a trace takes snapshots of the page on its own main thread.
test.use({ trace: 'off' });

const WINDOW_MS = 10_000;

test('training never blocks the page: at most one task over 50 ms in ten seconds', async ({ lab, page }) => {
  await page.addInitScript(() => {
    const tasks: { start: number; ms: number }[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) tasks.push({ start: e.startTime, ms: e.duration });
    }).observe({ type: 'longtask', buffered: true });
  });
  await lab.open(linkWith({ run: { updates: 20_000 } }));
  await lab.runButton.click();
  await lab.reaches(10);
  const from = await page.evaluate(() => performance.now());
  await page.waitForFunction((until) => performance.now() >= until, from + WINDOW_MS, { timeout: 30_000 });
  expect((await lab.state()).state).toBe('running');
  const long = await page.evaluate(
    (since) =>
      (window as unknown as { longTasks: { start: number; ms: number }[] }).longTasks.filter((t) => t.start >= since),
    from,
  );
  expect(long.length, JSON.stringify(long)).toBeLessThanOrEqual(1);
});
