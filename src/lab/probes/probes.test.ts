import { describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { prepareTask } from '../../config/level.ts';
import { replicasOf, thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { makePlan } from '../../engine/plan.ts';
import { initialState } from '../../engine/state.ts';
import { bestWalks } from './decoded.ts';
import { measureProbes, type ProbesResult } from './probes.ts';
import type { ProbeRow } from './scores.ts';

const ROOM = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.grid.random': true },
  ...{ 'task.levels': 0, 'task.grid.maxSteps': 12, 'run.seeds': 1, 'rollout.groupSize': 4 },
};
const MLP = { ...ROOM, 'policy.method': 'mlp', 'policy.mlp.hidden': [24] };

async function measured(changes: Readonly<Record<string, unknown>>, levels = 300): Promise<ProbesResult | string> {
  const config = configWith(changes);
  await prepareTask(config);
  const plan = must(makePlan(config));
  const theta = thetaOf(replicasOf(initialState(plan), plan.S, 0, 1));
  const before = theta.slice();
  const steps = measureProbes(plan, 0, { theta }, theta, levels);
  let next = steps.next();
  for (; !next.done; next = steps.next()) expect(next.value).toBeGreaterThan(0);
  expect(theta).toEqual(before);
  return next.value;
}

const rowOf = ({ rows }: ProbesResult, what: ProbeRow['what'], k = 0): ProbeRow | undefined =>
  rows.find((row) => row.what === what && row.k === k);

describe('what can be read inside a policy', () => {
  test('of a whole map in view: everything is seen, the observation tells the agent, other answers tell nothing', async () => {
    const found = (await measured(MLP)) as ProbesResult;
    expect([found.learned, found.asked, found.width]).toEqual([240, 60, 24]);
    expect(rowOf(found, 'earlier')).toBeUndefined();
    expect(rowOf(found, 'never')).toBeUndefined();
    const agent = rowOf(found, 'agent')!;
    expect(agent.observation).toBeGreaterThan(0.95);
    expect(agent.shuffled).toBeLessThan(0.25);
    for (const { policy, low, high } of found.rows) {
      expect(low).toBeLessThanOrEqual(policy);
      expect(high).toBeGreaterThanOrEqual(policy);
    }
    // both are the network of the start
    for (const { policy, untrained } of found.rows) expect(policy).toBe(untrained);
    expect(await measured(MLP)).toEqual(found);
  });

  test('with a window: what was seen earlier is told by a memory, even by one that never learned, and not by the observation', async () => {
    const WINDOW = { 'task.grid.view': 'ego', 'task.grid.window': 3, 'policy.method': 'gru', 'policy.gru.hidden': 48 };
    const found = (await measured({ ...ROOM, ...WINDOW, 'task.grid.maxSteps': 8 }, 1024)) as ProbesResult;
    const [seen, earlier, agent] = [rowOf(found, 'seen')!, rowOf(found, 'earlier')!, rowOf(found, 'agent')!];
    expect(earlier.n).toBeGreaterThan(200);
    expect(rowOf(found, 'never')!.n).toBeGreaterThan(200);
    expect(seen.policy).toBeGreaterThan(seen.shuffled);
    expect(earlier.policy).toBeGreaterThan(earlier.observation);
    expect(agent.policy).toBeGreaterThan(agent.shuffled);
  });

  test('a table, one level and maps of other sizes are refused in one sentence', async () => {
    expect(await measured({ ...ROOM, 'policy.method': 'tabular' })).toMatch(/no hidden layer/);
    expect(await measured({ ...MLP, 'task.levels': 1 })).toMatch(/one level only/);
  });
});

test('best directions on a map: by hand', () => {
  // ..#    the goal below right, a wall above it
  // ..G
  const map = ['floor', 'floor', 'wall', 'floor', 'floor', 'goal'];
  expect(bestWalks(map, 3, 0)).toEqual([0, 1]);
  expect(bestWalks(map, 3, 1)).toEqual([1]);
  expect(bestWalks(map, 3, 4)).toEqual([0]);
  expect(bestWalks(map, 3, 5)).toEqual([]);
  expect(bestWalks(['floor', 'wall', 'goal'], 3, 0)).toEqual([]);
});
