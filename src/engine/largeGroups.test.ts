import { expect, test } from 'vitest';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { silentChance } from '../core/math/budget.ts';
import { sum } from '../core/stats.ts';
import { defaultsOf } from '../core/settings.ts';
import { grpo } from '../slots/advantage/grpo.ts';
import { sampleBatch } from '../slots/advantage/sampleBatch.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { sampleRun } from './sampleRun.ts';

/** BroRL: the steps of a batch in few large groups. */
const BROAD = {
  ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 512, 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 12 },
  ...{ 'policy.mlp.hidden': [6], 'run.seeds': 1, 'analysis.evalEvery': 0, 'objective.minibatches': 1 },
};

test('groups of 128 hardly ever agree: at a success of 2 to 98 % the chance of both outcomes is at least 0.92', () => {
  const mixed = (p: number, n: number): number => 1 - silentChance(p, n);
  expect(mixed(0.02, 128)).toBeCloseTo(1 - 0.98 ** 128 - 0.02 ** 128, 12);
  for (let p = 0.02; p <= 0.981; p += 0.01) expect(mixed(p, 128)).toBeGreaterThan(0.92);
  expect(mixed(0.02, 8)).toBeLessThan(0.16);
});

test.each([128, 512])('in a group of %i the spread of 0/1 outcomes is exact for any number of successes', (n) => {
  for (const wins of [1, 2, n / 4, n / 2, n - 1]) {
    const p = wins / n;
    const batch = sampleBatch(Array.from({ length: n }, (_, i) => ({ reward: [i < wins ? 1 : 0] })));
    const { A } = grpo.run(batch, defaultsOf(grpo.params));
    const spread = Math.sqrt((p * (1 - p) * n) / (n - 1)) + 1e-6;
    expect(A[0]).toBe(Math.fround((1 - p) / spread));
    expect(A[n - 1]).toBe(Math.fround(-p / spread));
  }
});

test('one task with 512 episodes trains: its group teaches, and its steps are charged', async () => {
  expect(checkRules(configWith({ ...BROAD, 'run.backend': 'cpu' })).filter((i) => i.severity === 'error')).toEqual([]);
  const run = await sampleRun(BROAD);
  const { envSteps, metrics } = await run.submit();
  const { batch } = await run.backend.view(0);
  expect(new Set(batch.taskIndex).size).toBe(1);
  expect(envSteps).toBe(sum(batch.length));
  expect(metrics[metricIndex.mixedOutcomeGroups]).toBe(1);
});
