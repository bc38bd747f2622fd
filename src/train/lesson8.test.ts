import { beforeAll, expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { gaussian } from '../core/fmath.ts';
import { must } from '../core/problem.ts';
import { randomPair, uniform } from '../core/random.ts';
import { essFromLogWeights } from '../methods/analysis/ess.ts';
import { metricIndex, type MetricId } from '../methods/analysis/metrics.ts';
import { createRun, type Run } from './run.ts';

const SEEDS = 4;
const UPDATES = 120;

/**
 * Lesson 8 on the table of logits: GiGPO with matched size, rate 0.05, no correction of ratios. Recorded on 8 seeds for
 * staleness 0, 1, 4, 8, 16, 32: mean ESS/N 1.000, 0.999, 0.986, 0.953, 0.861, 0.717 (lowest of any update 0.27 at 32),
 * evaluation success over the last ten updates 0.89, 0.89, 0.87, 0.86, 0.82, 0.70.
 */
async function train(staleness: number, changes: Record<string, unknown> = {}): Promise<Run> {
  const common = { 'run.backend': 'cpu', 'run.seeds': SEEDS, 'run.updates': UPDATES, 'analysis.evalEvery': 4 };
  const config = configWith(
    { ...common, 'rollout.staleness': staleness, ...changes },
    presetConfig(presetById('lesson-gigpo-matched')!),
  );
  const run = must(await createRun(config));
  while (run.update < UPDATES) await run.submit();
  return run;
}

/** Mean of a metric over seeds and the updates from … to, where it was measured. */
function over(run: Run, id: MetricId, from = 0): number {
  const all: number[] = [];
  for (let u = from; u < UPDATES; u++) for (let s = 0; s < SEEDS; s++) all.push(run.series.at(u, s, metricIndex[id]));
  const measured = all.filter(Number.isFinite);
  return measured.reduce((a, b) => a + b, 0) / measured.length;
}

const AGES = [0, 8, 32];
const runs: Run[] = [];
beforeAll(async () => {
  for (const k of AGES) runs.push(await train(k));
});

test('the effective sample size falls smoothly with staleness, to the recorded values', () => {
  const ess = runs.map((run) => over(run, 'essStart'));
  [1, 0.953, 0.717].forEach((recorded, k) =>
    expect(Math.abs(ess[k]! - recorded), `k = ${AGES[k]}: ${ess[k]}`).toBeLessThan(0.03),
  );
});

test('and success with it', () => {
  const [fresh, , old] = runs.map((run) => over(run, 'evalSuccess', UPDATES - 20));
  expect(fresh).toBeGreaterThan(0.8);
  expect(old! - fresh!, `${fresh} fresh, ${old} old`).toBeLessThan(-0.08);
});

test('VCPO, weights of whole episodes and a step scaled by the sample size, recovers at least half of the loss', async () => {
  const scaled = await train(32, { 'objective.method': 'vcpo', 'objective.vcpo.credit': 'advantage' });
  const [fresh, , old] = runs.map((run) => over(run, 'evalSuccess', UPDATES - 20));
  const success = over(scaled, 'evalSuccess', UPDATES - 20);
  expect(success, `${fresh} fresh, ${old} old, ${success} scaled`).toBeGreaterThan(old! + 0.5 * (fresh! - old!));
});

test.each([0.05, 0.1, 0.15])('independent Gaussian log-ratios of sd %s over 50 steps: ESS/N is exp(−Tσ²)', (sigma) => {
  const n = 40_000;
  // a sum of 50 such log-ratios is one of sd σ√50
  const logWeights = Float64Array.from({ length: n }, (_, k) => {
    const [a, b] = randomPair(8, 1, k, 0, 0);
    return sigma * Math.sqrt(50) * gaussian(uniform(a), uniform(b));
  });
  const want = Math.exp(-50 * sigma * sigma);
  expect(Math.abs(essFromLogWeights(logWeights) / want - 1)).toBeLessThan(0.08);
});
