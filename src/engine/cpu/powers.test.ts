import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { capo } from '../../slots/objective/capo.ts';
import type { Objective, UnitSet } from '../../slots/types.ts';
import { checkRules } from '../../config/rules.ts';
import { makePlan, type Plan } from '../plan.ts';
import { Run } from '../run.ts';
import { weightsOf } from '../unitSet.ts';
import { makeCpuBackend } from './cpuBackend.ts';
import { makeCpuPolicy } from './policy.ts';

const planOf = (changes: Record<string, unknown> = {}): Plan =>
  must(
    makePlan(
      configWith({
        ...{ 'task.grid.level': 'bonusRoom', 'task.grid.maskActions': true, 'reward.grid.step': -7, 'run.seeds': 1 },
        ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'objective.method': 'capo', 'analysis.evalEvery': 0 },
        ...{ 'optimizer.learningRate': 0, ...changes },
      }),
    ),
  );

async function watched(changes: Record<string, unknown>, updates: number) {
  const plan = planOf(changes);
  const sets: UnitSet[] = [];
  const objective: Objective = {
    ...(capo as unknown as Objective),
    survey: (set, params, mark) => (sets.push(set), capo.survey!(set, params as never, mark)),
  };
  const run = await Run.create({ ...plan, objective }, makeCpuBackend);
  let told = NaN;
  for (let u = 0; u < updates; u++) told = (await run.submit()).metrics[metricIndex.rejectedShare]!;
  return { plan, run, sets, told };
}

test('the survey sees Σπ² and Σπ³ of the policy: with a step of 0 those of the one that played', async () => {
  const { plan, run, sets } = await watched({ 'optimizer.learningRate': 1e-12 }, 1);
  const { batch, state, theta, levelSeeds } = await run.backend.view(0);
  const policy = makeCpuPolicy(plan);
  const { actions, env, T } = plan;
  const set = sets.at(-1)!;
  let u = 0;
  for (let i = 0; i < plan.B; i++) {
    const level = plan.level(levelSeeds[i]!);
    for (let t = 0; t < batch.length[i]!; t++, u++) {
      const obs = new Uint32Array(plan.obsWords);
      const at = (i * (T + 1) + t) * env.words;
      env.observe(level, state, at, obs, 0);
      const p = new Float32Array(actions);
      policy.probsOf(theta, obs, Uint32Array.of(env.legal(level, state, at)), 1, p);
      const power = (k: number): number => [...p].reduce((sum, x) => sum + x ** k, 0);
      expect(set.powers!.squares[u]).toBeCloseTo(power(2), 6);
      expect(set.powers!.cubes[u]).toBeCloseTo(power(3), 6);
      expect(set.weight![u]).toBeCloseTo(1, 12);
    }
  }
  expect(u).toBe(set.A.length);
});

test('the rejected share is told in every update and never exceeds its bound', async () => {
  const tight = { 'objective.capo.shift': 0.001, 'objective.capo.loss': 0.001, 'objective.capo.most': 0.05 };
  const { told } = await watched({ ...tight, 'optimizer.learningRate': 0.01 }, 2);
  expect(told).toBeGreaterThan(0);
  expect(told).toBeLessThanOrEqual(0.05);
  expect((await watched({ ...tight, 'objective.capo.step': 0 }, 1)).told).toBe(0);
});

test('weights of the loss average count as multiples of the mean one: long episodes less where episodes count alike', () => {
  expect([...weightsOf('unitMean', [0, 0, 0, 1])]).toEqual([1, 1, 1, 1]);
  // 1/6, 1/6, 1/6 and 1/2 with a mean of 1/4
  [2 / 3, 2 / 3, 2 / 3, 2].forEach((w, u) => expect(weightsOf('seqMeanUnitMean', [0, 0, 0, 1])[u]).toBeCloseTo(w, 12));
});

test('a policy that writes words is refused with a repair', () => {
  const config = configWith({ 'objective.method': 'capo', 'task.method': 'textmaze', 'policy.method': 'transformer' });
  const [issue] = checkRules(config).filter(({ path }) => path === 'objective.method');
  expect(issue).toMatchObject({ severity: 'error', message: 'needs a policy that chooses whole actions' });
});
