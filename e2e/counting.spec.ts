import { execFileSync } from 'node:child_process';
import { expect, test } from './fixtures.ts';

test('page and command line count alike: number of the update, both kinds of success, and the best evaluation', async ({
  lab,
  page,
}) => {
  const changes = { 'run.updates': 12, 'run.backend': 'cpu', 'analysis.evalEvery': 4, 'policy.method': 'tabular' };
  const set = Object.entries(changes).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  const printed = execFileSync(process.execPath, ['scripts/lab.mjs', 'run', 'key-door', ...set], { encoding: 'utf8' });
  const told =
    /training success (\S+) in update 12, evaluation success (\S+) after update (\d+), best evaluation (\S+) after update (\d+)/.exec(
      printed,
    )!;
  expect(told, printed).not.toBeNull();
  const [, training, evaluation, evaluatedAt, best, bestAt] = told;
  await lab.open();
  await lab.load('key-door');
  await lab.load(changes);
  const digest = await lab.finish();
  expect(printed).toContain(`digest ${digest}`);
  const chart = page.getByRole('region', { name: 'Training success', exact: true });
  await expect(chart.locator('.now')).toHaveText(training!);
  await page.getByText('More for every update').click();
  const evaluated = page.getByRole('region', { name: 'Evaluation success', exact: true });
  await expect(evaluated.locator('.now')).toHaveText(evaluation!);
  for (const [region, last] of [
    [chart, '12'],
    [evaluated, evaluatedAt!],
  ] as const) {
    await region.locator('summary').click();
    await region.getByRole('button', { name: 'Show as table' }).click();
    await expect(region.locator('tbody th').last()).toHaveText(last);
  }
  // the newest batch, on the stage and in the list
  await expect(page.getByText(/^Batch of update 12:/)).toBeVisible();
  await expect(page.getByText(/^Update 12: \d+ of \d+ episodes/)).toBeVisible();
  const slider = page.getByRole('slider', { name: 'Checkpoint' });
  await expect(slider).toHaveAttribute('aria-valuetext', 'now, after update 12');
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.locator('summary').click();
  await expect(
    timeline.getByRole('button', {
      name: new RegExp(`^${bestAt} .*best evaluation ${best!.replace('.', '\\.')}(,|$)`),
    }),
  ).toBeVisible();
  // an absolute value is never negative
  await expect(page.getByText(/\|A\| up to −/)).toHaveCount(0);
  await expect(
    page
      .getByRole('option')
      .filter({ hasText: /A (up to \+|down to −|is 0)/ })
      .first(),
  ).toBeVisible();
});
