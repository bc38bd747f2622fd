import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { log } from '../../core/fmath.ts';
import { must } from '../../core/problem.ts';
import { sum } from '../../core/stats.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { gspo } from '../../slots/objective/gspo.ts';
import { ppoClip } from '../../slots/objective/ppoClip.ts';
import type { Objective, UnitSet } from '../../slots/types.ts';
import { Run } from '../run.ts';
import { minibatchesOf } from '../minibatch.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { Snapshots } from '../../lab/snapshot.ts';
import { walkUpdate } from '../../lab/stepThrough.ts';
import { makeCpuBackend } from './cpuBackend.ts';

/** Every step is paid, so that credit differs from the first update on. */
const SMALL = {
  'task.grid.level': 'bonusRoom',
  'reward.grid.step': -7,
  'reward.grid.invalid': -31,
  'run.seeds': 1,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'optimizer.learningRate': 0.02,
};
const words = {
  'task.method': 'textmaze',
  'policy.method': 'transformer',
  'policy.transformer.width': 16,
  'policy.transformer.layers': 1,
};
const SURVEYED = [
  'gspo',
  'luspo',
  'vespo',
  'gmpo',
  'clipCov',
  'klCov',
  'stableReinforce',
  'decoupled',
  'vcpo',
  'dpo',
  'cpl',
  'alol',
  'rlPlus',
  'rolloutCorrection',
  'rejection',
  'capo',
];

function planOf(changes: Record<string, unknown>): Plan {
  return must(makePlan(configWith({ ...SMALL, ...changes })));
}

async function train(plan: Plan, updates: number): Promise<{ run: Run; last: Float64Array }> {
  const run = await Run.create(plan, makeCpuBackend);
  let last = new Float64Array(METRICS);
  for (let u = 0; u < updates; u++) last = (await run.submit()).metrics as typeof last;
  return { run, last };
}

/** Runs with an objective that keeps every set it is shown. */
async function watched(changes: Record<string, unknown>, updates = 1, reads: Partial<Objective> = {}) {
  const sets: UnitSet[] = [];
  const plan = planOf({ 'objective.method': 'ppoClip', ...changes });
  const objective: Objective = {
    ...(ppoClip as Objective),
    ...reads,
    survey: (set, _params, mark) => {
      sets.push(set);
      mark.fill(7);
    },
  };
  const { run } = await train({ ...plan, objective }, updates);
  return { sets, run, plan };
}

test('looking changes nothing: PPO clip with a survey that only watches trains to the same parameters', async () => {
  for (const changes of [{}, words, { ...words, 'objective.ratioLevel': 'step' }]) {
    const more = { ...changes, 'objective.epochs': 2, 'objective.minibatches': 2 };
    const plain = await train(planOf({ 'objective.method': 'ppoClip', ...more }), 2);
    const { run } = await watched(more, 2);
    expect(thetaOf(await run.backend.save())).toEqual(thetaOf(await plain.run.backend.save()));
  }
});

test('the sets are the units of each minibatch, on policy at first and moved afterwards', async () => {
  const { sets } = await watched({ 'objective.epochs': 2, 'objective.minibatches': 2 });
  // 2 epochs of 2 minibatches and the look at the end
  expect(sets.length).toBe(5);
  const [first, second, third, fourth, end] = sets as [UnitSet, UnitSet, UnitSet, UnitSet, UnitSet];
  expect(Math.max(...first.delta.map(Math.abs))).toBeLessThan(1e-5);
  expect(Math.max(...third.delta.map(Math.abs))).toBeGreaterThan(1e-3);
  expect(first.A.length + second.A.length).toBe(end.A.length);
  expect(third.A.length + fourth.A.length).toBe(end.A.length);
  for (const { trajectory, logp } of sets) {
    expect([...trajectory]).toEqual([...trajectory].sort((a, b) => a - b));
    expect(logp.every((x) => x <= 0)).toBe(true);
  }
  // draws differ between units and between minibatches, and lie in [0, 1)
  const draws = [first.draw(0), first.draw(1), third.draw(0)];
  expect(new Set(draws).size).toBe(3);
  expect(draws.every((x) => x >= 0 && x < 1)).toBe(true);
});

test('with commands a unit is a word, or the whole command when the ratio is per step', async () => {
  const perWord = (await watched(words)).sets[0]!;
  const perStep = (await watched({ ...words, 'objective.ratioLevel': 'step' })).sets[0]!;
  expect(perStep.A.length).toBeLessThan(perWord.A.length);
  const sum = (x: Float64Array): number => x.reduce((a, b) => a + b, 0);
  expect(sum(perStep.logp)).toBeCloseTo(sum(perWord.logp), 9);
  // of the mean, a step of two words has half of each
  const mean = (await watched({ ...words, 'objective.ratioLevel': 'stepMean' })).sets[0]!;
  expect(mean.logp.length).toBe(perStep.logp.length);
  const counts = [...mean.logp].map((x, k) => perStep.logp[k]! / x);
  expect(counts.every((n) => Math.abs(n - Math.round(n)) < 1e-6)).toBe(true);
  expect(counts.reduce((a, n) => a + Math.round(n), 0)).toBe(perWord.logp.length);
});

test('ages are counted from the start of the update, entropies are those of the policy that sampled', async () => {
  const reads = { readsAges: true, readsEntropy: true };
  const { sets, plan } = await watched({ 'rollout.staleness': 2, 'objective.epochs': 2 }, 4, reads);
  const at = (update: number): UnitSet => sets[3 * update + 2]!;
  for (const [update, age] of [0, 1, 2, 2].entries())
    expect([...new Set(at(update).ages!)], `update ${update}`).toEqual([age]);
  // versions 0, 0, 0 and 1 play: the first three sample with the same weights, which start near the uniform policy
  const most = log(plan.actions);
  for (const H of at(2).entropy!) expect(H).toBeGreaterThan(0.5 * most);
  expect(Math.max(...at(2).entropy!)).toBeLessThanOrEqual(most + 1e-6);
  expect(at(2).entropy!.length).toBe(at(2).A.length);
  expect(planOf({ 'objective.method': 'aepo' }).objective.survey).toBeUndefined();
  expect(planOf({ 'objective.method': 'aepo', 'objective.aepo.gate': 0.5 }).objective.survey).toBeDefined();
  expect(planOf({ 'objective.method': 'decoupled' }).objective.readsProx).toBe(true);
  expect(planOf({ 'objective.method': 'decoupled', 'objective.decoupled.prox': 'loglinear' }).objective.readsProx).toBe(
    undefined,
  );
});

test.each(SURVEYED)('%s: three seeds side by side are three single runs, and a walk equals the run', async (method) => {
  const changes = { 'objective.method': method, 'objective.epochs': 2, 'objective.minibatches': 2, 'run.seed': 5 };
  const together = await train(planOf({ ...changes, 'run.seeds': 3 }), 3);
  const state = await together.run.backend.save();
  const size = together.run.plan.layout.size;
  for (const r of [0, 2]) {
    const alone = await train(planOf({ ...changes, 'run.seed': 5 + r, 'run.seeds': 1 }), 3);
    expect(thetaOf(await alone.run.backend.save())).toEqual(thetaOf(state).slice(r * size, (r + 1) * size));
  }
  const { theta } = await walkUpdate(together.run.plan, state, 1);
  await together.run.submit();
  expect(theta).toEqual(thetaOf(await together.run.backend.save()).slice(size, 2 * size));
});

test('at one epoch on fresh data GSPO trains like REINFORCE, up to rounding', async () => {
  const of = async (method: string): Promise<Float32Array> =>
    thetaOf(
      await (await train(planOf({ 'objective.method': method, 'optimizer.method': 'sgd' }), 1)).run.backend.save(),
    );
  const [a, b] = [await of('gspo'), await of('reinforce')];
  expect(Math.max(...a.map((x, k) => Math.abs(x - b[k]!)))).toBeLessThan(1e-6);
  expect(gspo.survey).toBeDefined();
});

test('the length of a score is that of Σ ∂log π/∂θ: on a table, Σ over states of the summed rows', async () => {
  const plan = planOf({ 'policy.method': 'tabular', 'objective.method': 'ppoClip' });
  let norms = new Float64Array(0);
  const objective: Objective = {
    ...(ppoClip as Objective),
    readsScores: () => 'all',
    survey: (set) => void (norms = set.scoreNorms(Array.from({ length: plan.B }, (_, i) => i)) as typeof norms),
  };
  const { run } = await train({ ...plan, objective }, 0);
  await run.backend.rollout(makeTasks(plan, 0, 'train'), 'train');
  await run.backend.credit();
  const { batch, probs } = await run.backend.view(0);
  await run.backend.optimize(0, plan.live);
  for (let i = 0; i < plan.B; i++) {
    const rows = new Map<string, number[]>();
    for (let t = 0; t < batch.length[i]!; t++) {
      const k = i * plan.T + t;
      const key = `${batch.stateKey[2 * k]} ${batch.stateKey[2 * k + 1]}`;
      const row = rows.get(key) ?? new Array<number>(plan.actions).fill(0);
      rows.set(
        key,
        row.map((g, b) => g + (b === batch.action[k] ? 1 : 0) - probs[k * plan.actions + b]!),
      );
    }
    const want = [...rows.values()].flat().reduce((sum, g) => sum + g * g, 0);
    // the last look of an update is at θ after its step; a table moves little in one
    expect(Math.abs(norms[i]! - want)).toBeLessThan(0.05 * want);
  }
});

test('VCPO keeps task groups together and shortens the step by its factor', async () => {
  const changes = { 'objective.method': 'vcpo', 'objective.aggregate': 'seqMeanUnitMean', 'rollout.staleness': 4 };
  const plan = planOf({ ...changes, 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 3, 'objective.minibatches': 2 });
  const parts = minibatchesOf(plan, 0, 7, 0);
  expect([...parts[0]!, ...parts[1]!].sort((x, y) => x - y)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  for (const part of parts) part.forEach((i, k) => expect(i % 3).toBe(k % 3));
  // plain gradient steps: the way that θ goes is the factor times the way it would go at full size
  const moved = async (rule: string): Promise<Float32Array> => {
    const sgd = { 'optimizer.method': 'sgd', 'optimizer.learningRate': 0.03, 'optimizer.clipNorm': 0 };
    const warm = await train(planOf({ ...changes, ...sgd, 'objective.vcpo.rule': 'off' }), 3);
    const state = await warm.run.backend.save();
    const run = await Run.create(planOf({ ...changes, ...sgd, 'objective.vcpo.rule': rule }), makeCpuBackend, {
      state,
      chain: [],
    });
    await run.submit();
    return thetaOf(await run.backend.save()).map((x, k) => x - thetaOf(state)[k]!);
  };
  const [whole, short] = [await moved('off'), await moved('sqrt')];
  const at = whole.reduce((best, x, k) => (Math.abs(x) > Math.abs(whole[best]!) ? k : best), 0);
  const factor = short[at]! / whole[at]!;
  expect(factor).toBeGreaterThan(0.1);
  expect(factor).toBeLessThan(0.99999);
  whole.forEach((x, k) => expect(Math.abs(short[k]! - factor * x)).toBeLessThan(1e-6));
});

test('GSPO clips whole episodes: the clipped share is one of whole episodes', async () => {
  const eps = { 'objective.gspo.epsLow': 0.0001, 'objective.gspo.epsHigh': 0.0001 };
  const more = { 'advantage.method': 'grpo', 'objective.epochs': 4 };
  const plan = planOf({ 'objective.method': 'gspo', ...eps, ...more });
  const { run, last } = await train(plan, 1);
  const { batch, A } = await run.backend.view(0);
  const share = last[metricIndex.clipFraction]!;
  const steps = batch.length.reduce((a, b) => a + b, 0);
  const wholes = new Set([0]);
  for (const n of batch.length) for (const x of [...wholes]) wholes.add(x + n);
  expect(share).toBeGreaterThan(0);
  expect(wholes.has(Math.round(share * steps))).toBe(true);
  expect(A.some((x) => x !== 0)).toBe(true);
});

test('behavior weights of the shown batch: every decision of that seed once, the ends and the share that the series tell; null elsewhere', async () => {
  const changes = {
    'run.seeds': 2,
    'rollout.staleness': 2,
    'objective.minibatches': 2,
    'objective.decoupled.cap': 1.01,
  };
  const { run, last } = await train(planOf({ ...changes, 'objective.method': 'decoupled' }), 4);
  for (const s of [0, 1]) {
    const { weights, length } = await new Snapshots().make(run, s);
    const of = (id: MetricId): number => last[s * METRICS + metricIndex[id]]!;
    expect(sum(weights!.units)).toBe(sum(length));
    expect(weights!.capped).toBe(of('behaviourCapped'));
    expect(weights!.low).toBeLessThanOrEqual(of('behaviourLow'));
    expect(weights!.high).toBeGreaterThanOrEqual(of('behaviourHigh'));
    expect(weights!.capped).toBeGreaterThan(0);
  }
  const { run: other } = await train(planOf(changes), 1);
  expect((await new Snapshots().make(other, 0)).weights).toBeNull();
});
