import { beforeAll, describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { prepareTask } from '../../config/level.ts';
import { replicasOf, thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { makePlan } from '../../engine/plan.ts';
import { initialState } from '../../engine/state.ts';
import { bestWalks } from './decoded.ts';
import { drawsOf } from './fit.ts';
import { controlOf, shuffled } from './layout.ts';
import { measureProbes, type ProbesResult } from './probes.ts';
import type { ProbeRow } from './scores.ts';

const ROOM = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 4, 'task.grid.random': true },
  ...{ 'task.levels': 0, 'task.grid.maxSteps': 12, 'run.seeds': 1, 'rollout.groupSize': 4 },
};
/** Nine cells and two layers. */
const MLP = {
  ...ROOM,
  'task.grid.n': 3,
  'policy.method': 'mlp',
  'policy.mlp.hidden': [24, 3],
  'task.grid.maxSteps': 4,
};

async function measured(
  changes: Readonly<Record<string, unknown>>,
  levels: number,
  layer = 0,
): Promise<ProbesResult | string> {
  const config = configWith(changes);
  await prepareTask(config);
  const plan = must(makePlan(config));
  const theta = thetaOf(replicasOf(initialState(plan), plan.S, 0, 1));
  const before = theta.slice();
  const steps = measureProbes(plan, 0, { theta }, theta, { levels, layer });
  let next = steps.next();
  for (; !next.done; next = steps.next()) expect(next.value).toBeGreaterThan(0);
  expect(theta).toEqual(before);
  return next.value;
}

const rowOf = (
  found: ProbesResult,
  what: ProbeRow['what'],
  k = 0,
  form: 'linear' | 'mlp' = 'linear',
): ProbeRow | undefined => found[form].rows.find((row) => row.what === what && row.k === k);

describe('what can be read inside a policy', () => {
  let first: ProbesResult;
  beforeAll(async () => {
    first = (await measured(MLP, 200, 1)) as ProbesResult;
  });

  test('of a whole map in view: everything is seen, the observation tells the agent, other answers tell nothing', () => {
    expect([first.learned, first.asked, first.width]).toEqual([160, 40, 24]);
    expect(rowOf(first, 'earlier')).toBeUndefined();
    expect(rowOf(first, 'never')).toBeUndefined();
    const agent = rowOf(first, 'agent')!;
    expect(agent.observation).toBeGreaterThan(0.95);
    expect(agent.shuffled).toBeLessThan(0.25);
    for (const { policy, low, high, untrained } of [...first.linear.rows, ...first.mlp.rows]) {
      expect(low).toBeLessThanOrEqual(policy);
      expect(high).toBeGreaterThanOrEqual(policy);
      // both are the network of the start
      expect(policy).toBe(untrained);
    }
  });

  test('with a window: what was seen earlier is told by a memory, even by one that never learned, and not by the observation', async () => {
    const WINDOW = { 'task.grid.view': 'ego', 'task.grid.window': 3, 'policy.method': 'gru', 'policy.gru.hidden': 48 };
    const found = (await measured({ ...ROOM, ...WINDOW, 'task.grid.maxSteps': 8 }, 600)) as ProbesResult;
    const [seen, earlier, agent] = [rowOf(found, 'seen')!, rowOf(found, 'earlier')!, rowOf(found, 'agent')!];
    expect(earlier.n).toBeGreaterThan(100);
    expect(rowOf(found, 'never')!.n).toBeGreaterThan(100);
    expect(seen.policy).toBeGreaterThan(seen.shuffled);
    expect(earlier.policy).toBeGreaterThan(Math.max(earlier.observation, earlier.shuffled) + 0.05);
    // read at the step that is asked about, not at the first one, where the place is not known from the way there
    expect(agent.policy).toBeGreaterThan(6 * agent.shuffled);
    // a table of answers for each place is learned as far as the place is known
    expect(agent.control).toBeGreaterThan(2 * agent.shuffled);
    expect(rowOf(found, 'agent', 0, 'mlp')!.policy).toBeGreaterThan(0.5 * agent.policy);
  });

  test('of a policy that writes words: its stream where it decides, and what it read as words', async () => {
    const words = {
      ...{ 'policy.method': 'transformer', 'policy.transformer.width': 16, 'policy.transformer.heads': '2' },
      ...{ 'policy.transformer.layers': 1, 'policy.transformer.hidden': 16, 'task.grid.n': 3, 'task.grid.maxSteps': 6 },
    };
    const found = (await measured({ ...ROOM, ...words }, 200)) as ProbesResult;
    expect([found.width, found.learned]).toEqual([16, 160]);
    expect(rowOf(found, 'agent')!.observation).toBeGreaterThan(0.8);
  });

  test('each layer apart: the first of two is read where it is asked for, and no other number of layers is there', async () => {
    const last = (await measured(MLP, 200)) as ProbesResult;
    expect([last.layer, last.layers, last.width]).toEqual([2, 2, 3]);
    expect([first.layer, first.layers, first.width]).toEqual([1, 2, 24]);
    // three numbers tell less of the place than twenty-four
    expect(rowOf(first, 'agent')!.policy).toBeGreaterThan(rowOf(last, 'agent')!.policy);
    // whatever is read of the observation is the same, number by number, as both look at the same steps and draw from one seed
    const seen = ({ linear, mlp }: ProbesResult) =>
      [...linear.rows, ...mlp.rows].map((row) => [row.n, row.observation]);
    expect(seen(first)).toEqual(seen(last));
  });

  test('a table, one level and maps of other sizes are refused in one sentence', async () => {
    expect(await measured({ ...ROOM, 'policy.method': 'tabular' }, 60)).toMatch(/no hidden layer/);
    expect(await measured({ ...MLP, 'task.levels': 1 }, 60)).toMatch(/one level only/);
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

test('controls: other levels’ answers stay on their side of the split, and a table answers by place, as often as in truth', () => {
  const labels = Int16Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? Math.floor(k / 2) : k % 3));
  const swapped = shuffled(labels, 2, [10, 15, 20], drawsOf(1));
  const firsts = Array.from({ length: 20 }, (_, n) => swapped[2 * n]!);
  expect(firsts.slice(0, 10).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(firsts.slice(10, 15).toSorted((a, b) => a - b)).toEqual([10, 11, 12, 13, 14]);
  expect(firsts).not.toEqual(firsts.toSorted((a, b) => a - b));
  firsts.forEach((label, n) => expect(swapped[2 * n + 1]).toBe(labels[2 * label + 1]));
  const places = Array.from({ length: 20 }, (_, n) => n % 4);
  const table = controlOf(
    labels.map((label, k) => (k === 7 ? -1 : label)),
    2,
    places,
    5,
  );
  expect(table[7]).toBe(-1);
  for (let n = 4; n < 20; n++) expect(table[2 * n]).toBe(table[2 * (n % 4)]);
  expect(new Set(table.filter((_, k) => k % 2 === 0)).size).toBeGreaterThan(1);
});
