import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { prepareTask } from '../config/level.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { reliabilityOf } from '../core/math/reliability.ts';
import { wholeTask } from '../contract/taskContext.ts';
import { allocation } from '../slots/task/knapsack/allocation.ts';
import { aheadState, keepAhead, successOf } from '../slots/task/knapsack/startValue.ts';
import type { SourceContext } from '../slots/task/types.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, type Plan } from './plan.ts';
import { Run } from './run.ts';

const SMALL = {
  ...{ 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 12, 'task.levels': 0, 'run.backend': 'cpu' },
  ...{ 'rollout.tasksPerBatch': 5, 'rollout.groupSize': 4, 'run.seeds': 2, 'optimizer.learningRate': 0.03 },
  ...{ 'advantage.method': 'gae', 'policy.mlp.hidden': [12], 'analysis.evalEvery': 0 },
  ...{ 'source.method': 'knapsack', 'source.knapsack.estimate': 'critic' },
};

async function planOf(changes: Record<string, unknown> = {}): Promise<Plan> {
  const config = configWith({ ...SMALL, ...changes });
  await prepareTask(config);
  return must(makePlan(config));
}

test.each([
  ['a dense network', {}],
  ['a memory', { 'policy.method': 'gru', 'policy.gru.hidden': 8 }],
  ['two values', { 'policy.critics': 'double' }],
  ['levels that come back', { 'task.levels': 4 }],
])('what the critic says ahead of a batch is what it says when the batch begins: %s', async (_, changes) => {
  const plan = await planOf(changes);
  const run = await Run.create(plan, makeCpuBackend);
  await run.submit();
  // nothing is known before the first update
  expect([...run.expected(0)!.success]).toEqual(Array(5).fill(NaN));
  for (let u = 1; u < 4; u++) {
    const { state } = await run.checkpoint();
    const record = await run.submit();
    for (let s = 0; s < 2; s++) {
      const { batch } = await run.backend.view(s);
      const ahead = (state.tensors['knapsack.ahead'] as Float64Array).subarray(5 * s, 5 * s + 5);
      batch.taskIndex.forEach((p, i) => expect(batch.value[i * batch.T]).toBe(Math.fround(ahead[p]!)));
      expect(new Set(ahead).size).toBeGreaterThan(1);
      const { success } = run.expected(s)!;
      expect(success.every((x) => x >= 0 && x <= 1)).toBe(true);
    }
    // what was known when the batch was chosen: the first batch that had a V is judged one later
    const loss = record.metrics[metricIndex.startLoss]!;
    if (u === 1) expect(loss).toBeNaN();
    else expect(loss).toBeGreaterThan(0);
  }
  const counted = reliabilityOf(run.expected(1)!.sums).reduce((sum, { tasks }) => sum + tasks, 0);
  expect(counted).toBe(3 * 5);
});

test('a run goes on from a checkpoint as if it had not stopped', async () => {
  const plan = await planOf();
  const [whole, first] = [await Run.create(plan, makeCpuBackend), await Run.create(plan, makeCpuBackend)];
  for (let u = 0; u < 5; u++) await whole.submit();
  for (let u = 0; u < 2; u++) await first.submit();
  const second = await Run.create(plan, makeCpuBackend, await first.checkpoint());
  for (let u = 2; u < 5; u++) await second.submit();
  expect(await second.digest()).toEqual(await whole.digest());
  expect((await second.checkpoint()).state).toEqual((await whole.checkpoint()).state);
});

test('budgets are those that these estimates are worth', async () => {
  const plan = await planOf({ 'rollout.tasksPerBatch': 8 });
  const run = await Run.create(plan, makeCpuBackend);
  for (let u = 0; u < 3; u++) await run.submit();
  const known = Array.from(run.expected(0)!.success, (rate) => ({ seen: true, rate }));
  const { batch } = await run.backend.view(0);
  const sizes = known.map((_, p) => batch.taskIndex.filter((task) => task === p).length);
  expect(sizes).toEqual(allocation(known, 4, plan.sourceParams as never));
  expect(new Set(sizes).size).toBeGreaterThan(1);
});

test('by hand: V is cut to a chance, and γ is divided out by the shortest way', () => {
  const world = (steps: number | null, gamma: number) =>
    ({
      world: { gamma, level: () => ({}), env: { shortestPath: () => steps && Array<number>(steps).fill(0) } },
    }) as unknown as SourceContext;
  expect(successOf(0.5, world(3, 1), 1)).toBe(0.5);
  // 0.36/0.9²
  expect(successOf(0.36, world(3, 0.9), 1)).toBeCloseTo(0.36 / 0.81, 12);
  expect(successOf(0.36, world(null, 0.9), 1)).toBe(0.36);
  expect([successOf(-1, world(3, 0.9), 1), successOf(0.9, world(3, 0.5), 1)]).toEqual([0, 1]);
});

test('the loss is that of what V said of the batch that was played, and there is none before it has said anything', () => {
  expect(aheadState['ahead']).toMatchObject({ per: 'task' });
  const state = { ahead: new Float64Array(2).fill(NaN), aheadLoss: new Float64Array(2) };
  const went = [0.25, 1].map((success) => ({
    ...{ task: { ...wholeTask(1, 4), expected: 0.5 }, tries: 4, success },
    ...{ returnMean: success, returnSpread: 0, creditSize: NaN, valueError: NaN },
  }));
  keepAhead(state, went, [0.2, 0.4]);
  expect([...state.aheadLoss]).toEqual([0, 0]);
  expect([...state.ahead]).toEqual([0.2, 0.4]);
  keepAhead(state, went);
  expect(state.aheadLoss[0]).toBe(1);
  expect(state.aheadLoss[1]).toBeCloseTo(Math.log(2), 12);
  expect([...state.ahead]).toEqual([NaN, NaN]);
});
