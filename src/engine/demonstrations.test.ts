import { thetaOf } from '../contract/state.ts';
import { beforeAll, expect, test } from 'vitest';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { exp } from '../core/fmath.ts';
import { must } from '../core/problem.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { makeArrays } from './arrays.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makeCpuPolicy } from './cpu/policy.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { firstRows } from './plannedRows.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { Run } from './run.ts';
import { Snapshots } from '../lab/snapshot.ts';
import { initialState } from './state.ts';
import { networkOf, prepareNetwork } from '../networks/policy.ts';

// policies are made here without a run
beforeAll(async () => void (await prepareNetwork(networkOf('transformer'))));

const TWO = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'objective.method': 'rlPlus', 'run.backend': 'cpu' };
const words = { 'task.method': 'textmaze', 'policy.method': 'transformer', 'policy.transformer.width': 16 };

function planOf(changes: Record<string, unknown>): Plan {
  return must(makePlan(configWith({ ...TWO, ...changes })));
}

/** The first batch of all replicas. */
function played(plan: Plan, mode: 'train' | 'eval' = 'train') {
  const arrays = makeArrays(plan);
  const policy = makeCpuPolicy(plan);
  const theta = thetaOf(initialState(plan));
  const tasks = makeTasks(plan, 0, mode);
  for (let s = 0; s < plan.S; s++) expect(rolloutReplica(plan, arrays, { policy, theta, tasks, mode }, s)).toBe(true);
  return { arrays, tasks };
}

const slippery = {
  'task.grid.level': 'custom',
  'task.grid.text': 'slip: 1 8 1\nice: all\nmap:\nS...\n.O.O\n...O\nO..G',
};

test.each<[string, Record<string, unknown>]>([
  ['key and door', {}],
  ['three of four', { 'objective.rlPlus.demonstrations': 3 }],
  ['possible actions only', { 'task.grid.maskActions': true, 'policy.method': 'tabular' }],
  ['a new map for each task', { 'task.grid.level': 'doorKey', 'task.grid.n': 6 }],
  ['blanked observations', { 'task.obsNoise': 0.2, 'policy.method': 'mlp' }],
  ['late actions', { 'task.actionDelay': 2, 'policy.method': 'mlp' }],
  ['slippery ice', { ...slippery, 'task.grid.maxSteps': 100 }],
  ['Sokoban', { 'task.method': 'sokoban', 'policy.method': 'mlp' }],
  ['written commands', words],
  ['free words', { ...words, 'policy.transformer.grammar': false }],
])('%s: the last episodes of a group follow the solver to the goal, with the policy’s own log π', (_, changes) => {
  const plan = planOf({ 'run.seeds': 2, ...changes });
  const { B, G, T } = plan;
  const d = plan.objectiveParams['demonstrations'] as number;
  const { arrays } = played(plan);
  const free = played(planOf({ 'run.seeds': 2, ...changes, 'objective.method': 'ppoClip' })).arrays;
  let shown = 0;
  for (let row = 0; row < plan.S * B; row++) {
    const steps = [row * T, row * T + arrays.length[row]!] as const;
    if (arrays.measured[row] === 1) {
      // what the policy plays itself does not change
      expect(arrays.action.slice(...steps)).toEqual(free.action.slice(...steps));
      continue;
    }
    shown++;
    expect(row % G).toBeGreaterThanOrEqual(G - d);
    expect([arrays.success[row], arrays.terminated[row]]).toEqual([1, 1]);
    for (let at = steps[0]; at < steps[1]; at++)
      expect(exp(arrays.logp[at]!)).toBeCloseTo(arrays.probs[at * plan.actions + arrays.action[at]!]!, 5);
  }
  // ice may throw the solver into a hole as well
  const all = 2 * plan.S * d;
  if (changes['task.grid.text'] === undefined) expect(shown).toBe(all);
  else expect(shown).toBeGreaterThanOrEqual(all / 2);
});

test('where the solver finds no way the policy plays, and evaluations have no demonstrations', () => {
  const closed = planOf({ 'task.grid.level': 'custom', 'task.grid.text': 'S.#G', 'task.grid.maxSteps': 9 });
  expect(firstRows(closed, closed.scheme!, makeTasks(closed, 0, 'train'), 0).some(({ actions }) => actions)).toBe(
    false,
  );
  const short = planOf({ 'task.grid.level': 'corridor', 'task.grid.n': 12, 'task.grid.maxSteps': 10 });
  expect([...played(short).arrays.origin]).toEqual(Array(24).fill(0));
  expect([...played(planOf({}), 'eval').arrays.origin]).toEqual(Array(24).fill(0));
  const without = planOf({ 'objective.method': 'ppoClip' });
  expect(without.scheme).toBeNull();
});

test('what is measured is about the episodes of the policy alone', async () => {
  const plan = planOf({ 'run.seeds': 2, 'analysis.evalEvery': 0 });
  const run = await Run.create(plan, makeCpuBackend);
  const { metrics } = await run.submit();
  for (let s = 0; s < 2; s++) {
    const { batch } = await run.backend.view(s);
    const of = (id: MetricId): number => metrics[s * METRICS + metricIndex[id]]!;
    const own = [0, 1, 2, 4, 5, 6];
    expect([...batch.measured!]).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
    const meanOf = (value: (i: number) => number): number => own.reduce((sum, i) => sum + value(i) / own.length, 0);
    expect(of('success')).toBeCloseTo(
      meanOf((i) => batch.success[i]!),
      12,
    );
    expect(of('returnMean')).toBeCloseTo(
      meanOf((i) => batch.outcome[i]!),
      6,
    );
    expect(of('lengthMean')).toBeCloseTo(
      meanOf((i) => batch.length[i]!),
      12,
    );
    const steps = own.flatMap((i) => Array.from({ length: batch.length[i]! }, (_, t) => i * plan.T + t));
    const entropy = steps.reduce((sum, k) => sum + batch.entropy[k]! / steps.length, 0);
    expect(of('entropy')).toBeCloseTo(entropy, 6);
    const even = [own.slice(0, 3), own.slice(3)].filter((g) =>
      g.every((i) => batch.outcome[i] === batch.outcome[g[0]!]),
    );
    expect(of('degenerate')).toBe(even.length / 2);
    const { maps } = await new Snapshots().make(run, s);
    const visits = maps.reduce((n, map) => n + map.visits.reduce((a, b) => a + b, 0), 0);
    expect(visits, 'visits on the maps').toBe(steps.length);
  }
  run.dispose();
});

test('a group without an episode of its own is refused with a repair, another aggregation is advised against', () => {
  const all = configWith({ ...TWO, 'objective.rlPlus.demonstrations': 4 });
  const [first] = checkRules(all);
  expect(first).toMatchObject({ severity: 'error', path: 'objective.rlPlus.demonstrations' });
  const repaired = configWith(Object.fromEntries(first!.repair!.set.map(({ path, value }) => [path, value])), all);
  expect(checkRules(repaired).filter((i) => i.severity === 'error')).toEqual([]);
  const hints = (changes: object): string[] => checkRules(configWith({ ...TWO, ...changes })).map((i) => i.path);
  expect(hints({ 'objective.aggregate': 'unitMean' })).toContain('objective.aggregate');
  expect(hints({ 'objective.aggregate': 'constant' })).not.toContain('objective.aggregate');
});

test('a run goes on from its state bit for bit', async () => {
  const plan = planOf({ 'run.seeds': 2, 'task.grid.level': 'doorKey', 'policy.method': 'mlp' });
  const whole = await Run.create(plan, makeCpuBackend);
  for (let u = 0; u < 4; u++) await whole.submit();
  const first = await Run.create(plan, makeCpuBackend);
  for (let u = 0; u < 2; u++) await first.submit();
  const second = await Run.create(plan, makeCpuBackend, await first.checkpoint());
  for (let u = 2; u < 4; u++) await second.submit();
  expect(thetaOf(await second.backend.save())).toEqual(thetaOf(await whole.backend.save()));
  for (const run of [whole, first, second]) run.dispose();
});
