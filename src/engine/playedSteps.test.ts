import { startsOf, statesOf, stateSizes } from './stateTable.ts';
import { StateStore } from '../contract/stateStore.ts';
import { type Tensors } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { mean, sum } from '../core/stats.ts';
import { metricIndex, METRICS } from '../slots/metrics/metrics.ts';
import { unitVersions } from './ages.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, type Plan } from './plan.ts';
import { PlayedSteps } from './playedSteps.ts';
import { Run } from './run.ts';

const planOf = (changes: Record<string, unknown>): Plan =>
  must(
    makePlan(
      configWith({
        ...{ 'task.grid.level': 'bonusRoom', 'run.seeds': 2, 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4 },
        ...{ 'optimizer.learningRate': 0.02, 'analysis.evalEvery': 0, 'rollout.generators': 4, ...changes },
      }),
    ),
  );

/** `ageSteps` of replica 1 in every update, and its batches. */
async function watch(run: Run, updates: number) {
  const age: number[] = [];
  const batches = [];
  for (let u = 0; u < updates; u++) {
    age.push((await run.submit()).metrics[METRICS + metricIndex.ageSteps]!);
    batches.push((await run.backend.view(1)).batch);
  }
  return { age, batches };
}

test.each([
  ['fixed', 'grpo'],
  ['fixed', 'remax'],
  ['mixed', 'grpo'],
  ['interrupted', 'grpo'],
  ['queue', 'grpo'],
])(
  '%s ages, %s: steps between the version that played and now, and the same after a pause or alone',
  async (ages, method) => {
    const changes = { 'rollout.staleness': 3, 'rollout.ages': ages, 'advantage.method': method };
    const plan = planOf(changes);
    const whole = await Run.create(plan, makeCpuBackend);
    const { age, batches } = await watch(whole, 4);
    const middle = await whole.checkpoint();
    const rest = await watch(whole, 4);
    const again = await Run.create(planOf(changes), makeCpuBackend, middle);
    expect((await watch(again, 4)).age).toEqual(rest.age);
    const alonePlan = planOf({ ...changes, 'run.seeds': 1, 'run.seed': plan.seeds[1]! });
    const alone = await Run.create(alonePlan, makeCpuBackend);
    const own: number[] = [];
    const begun: number[] = [];
    let before = 0;
    for (let u = 0; u < 8; u++) {
      const { metrics, envSteps } = await alone.submit();
      own.push(metrics[metricIndex.ageSteps]!);
      begun.push(before);
      before += envSteps;
    }
    expect(own).toEqual([...age, ...rest.age]);
    // greedy episodes are steps too: where the run is alone, its counter of steps says how many there were
    const want = [...batches, ...rest.batches].map((batch, u) =>
      mean(unitVersions(plan, batch, u, 1, () => 1).map((v) => begun[u]! - begun[v]!)),
    );
    want.forEach((x, u) => expect(own[u]).toBeCloseTo(x, 9));
    expect(own[0]).toBe(0);
    expect(own[7]).toBeGreaterThan(0);
    if (method === 'grpo') expect(begun[1]).toBe(sum(batches[0]!.length));
    else expect(begun[1]).toBeGreaterThan(sum(batches[0]!.length));
  },
);

test('counts begin anew with the versions; where old versions came without them there is no age until they are gone', () => {
  const plan = planOf({ 'rollout.staleness': 2 });
  const of = (tensors: Tensors): number[] => {
    const store = new StateStore(statesOf(plan), stateSizes(plan), startsOf(plan));
    store.load({ update: 7, steps: 0, tensors: { theta: new Float32Array(2 * plan.layout.size), ...tensors } });
    const played = new PlayedSteps(store.of('played', 'f64'), plan.S);
    return [7, 8, 9, 10].map((u) => {
      const age = played.age(1, u, u - 2);
      played.add(1, u, u);
      return age;
    });
  };
  expect(of({})).toEqual([0, 7, 15, 17]);
  expect(of({ 'past.0': new Float32Array(1) })).toEqual([NaN, NaN, 15, 17]);
  // versions 5, 6, 7 in slots 2, 0, 1
  expect(of({ played: Float64Array.of(0, 0, 0, 40, 50, 20) })).toEqual([30, 17, 15, 17]);
});
