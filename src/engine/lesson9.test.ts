import { beforeAll, expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { backwardInduction } from '../core/dp.ts';
import { must } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import type { BatchView } from './backend.ts';
import { Grounds } from '../lab/creditGround.ts';
import { createRun } from './run.ts';

const SEEDS = 4;
const UPDATES = 100;

/** Worst of all updates of a seed, but for the KL that is usual and the success in the end. */
type Worst = {
  /** k3 from the policy that sampled the batch, and its mean over all updates */
  readonly kl: number;
  readonly usualKl: number;
  /** share of ratios outside 0.8 … 1.2 at the end of an update, whatever the bounds of the clip */
  readonly outside: number;
  /** effective sample size of steps */
  readonly ess: number;
  /** how far the exact success of the policy has ever been below its best */
  readonly drop: number;
  readonly success: number;
};

/**
 * Lesson 9 on the table of logits: GRPO, 8 epochs a batch, rate 1.5. Recorded on 20 seeds: mean ± half a 95 % interval
 * (Student) of the worst of 100 updates.
 */
const RECORDED = {
  none: {
    kl: [1.5, 0.23],
    usualKl: [0.0316, 0.0052],
    outside: [0.855, 0.025],
    ess: [0.21, 0.053],
    drop: [0.032, 0.039],
  },
  clip: {
    kl: [0.069, 0.019],
    usualKl: [0.0047, 0.0005],
    outside: [0.534, 0.035],
    ess: [0.871, 0.04],
    drop: [0.019, 0.01],
  },
  stop: {
    kl: [0.056, 0.01],
    usualKl: [0.0039, 0.0004],
    outside: [0.53, 0.028],
    ess: [0.906, 0.012],
    drop: [0.012, 0.008],
  },
} as const;
type Arm = keyof typeof RECORDED;
/** 20 seeds: half an interval is 0.468 standard deviations of a seed; this is three standard errors of a mean of SEEDS. */
const THREE_ERRORS = 3 / Math.sqrt(SEEDS) / 0.468;

const ARMS: Readonly<Record<Arm, Record<string, unknown>>> = {
  none: { 'objective.ppoClip.epsLow': 1, 'objective.ppoClip.epsHigh': 10 },
  clip: {},
  stop: { 'control.klStop.on': true, 'control.klStop.limit': 0.02 },
};

async function worst(arm: Arm): Promise<Worst> {
  const common = { 'run.backend': 'cpu', 'run.seeds': SEEDS, 'run.updates': UPDATES, 'analysis.evalEvery': 0 };
  const steep = { 'objective.method': 'ppoClip', 'objective.epochs': 8, 'optimizer.learningRate': 1.5 };
  const run = must(
    await createRun(configWith({ ...common, ...steep, ...ARMS[arm] }, presetConfig(presetById('lesson-grpo')!))),
  );
  const grounds = new Grounds(run.plan);
  const seeds = Array.from({ length: SEEDS }, () => ({ outside: 0, drop: 0, best: 0, success: 0 }));
  while (run.update < UPDATES) {
    await run.submit();
    for (const [s, seed] of seeds.entries()) {
      const view = await run.backend.view(s);
      seed.outside = Math.max(seed.outside, outsideOf(view));
      seed.success = successOf(grounds, view);
      seed.best = Math.max(seed.best, seed.success);
      seed.drop = Math.max(seed.drop, seed.best - seed.success);
    }
  }
  const of = (id: MetricId, s: number): number[] =>
    Array.from({ length: UPDATES }, (_, u) => run.series.at(u, s, metricIndex[id]));
  const over = (each: (seed: (typeof seeds)[number], s: number) => number): number => mean(seeds.map(each));
  return {
    kl: over((_, s) => Math.max(...of('approxKL', s))),
    usualKl: over((_, s) => mean(of('approxKL', s))),
    outside: over((seed) => seed.outside),
    ess: over((_, s) => Math.min(...of('essStep', s))),
    drop: over((seed) => seed.drop),
    success: over((seed) => seed.success),
  };
}

function outsideOf({ batch, delta }: BatchView): number {
  let [steps, outside] = [0, 0];
  for (let i = 0; i < batch.B; i++) {
    for (let k = i * batch.T; k < i * batch.T + batch.length[i]!; k++) {
      const ratio = Math.exp(delta[k]!);
      steps++;
      if (ratio < 0.8 || ratio > 1.2) outside++;
    }
  }
  return outside / steps;
}

/** Success probability of the policy after an update, by backward induction. */
function successOf(grounds: Grounds, { levelSeeds, after, restriction }: BatchView): number {
  const level = levelSeeds[0]!;
  const { seen } = grounds.of(level)!;
  const probs = grounds.policyOf(level, seen!, after, restriction);
  return backwardInduction(seen!.model, probs, grounds.plan.T, 1, 'success').V[0]!;
}

let found: Record<Arm, Worst>;
beforeAll(async () => {
  found = { none: await worst('none'), clip: await worst('clip'), stop: await worst('stop') };
});

test.each(Object.keys(RECORDED) as Arm[])('%s: the recorded values, within three standard errors', (arm) => {
  for (const [name, [value, half]] of Object.entries(RECORDED[arm])) {
    const now = found[arm][name as keyof Worst];
    expect(Math.abs(now - value), `${name} ${now}`).toBeLessThan(THREE_ERRORS * half);
  }
});

test('clipping brings the largest KL down by more than ten times; a KL stop makes updates smaller still', () => {
  const { none, clip, stop } = found;
  expect(none.kl).toBeGreaterThan(0.8);
  expect(clip.kl).toBeLessThan(0.13);
  expect(clip.kl).toBeGreaterThan(0.04);
  // the largest of all updates is one number a seed; the usual size is steadier
  expect(stop.usualKl).toBeLessThan(0.95 * clip.usualKl);
  expect(stop.kl).toBeLessThan(0.13);
});

test('without a limit four of five ratios leave 0.8 … 1.2 in some update, with one about half', () => {
  const { none, clip, stop } = found;
  expect(none.outside).toBeGreaterThan(0.75);
  for (const { outside } of [clip, stop]) {
    expect(outside).toBeGreaterThan(0.4);
    expect(outside).toBeLessThan(0.65);
  }
});

test('steps keep counting alike: the lowest effective sample size rises from below a half to above 0.8', () => {
  const { none, clip, stop } = found;
  expect(none.ess).toBeLessThan(0.5);
  expect(clip.ess).toBeGreaterThan(0.8);
  expect(stop.ess).toBeGreaterThan(clip.ess);
});

test('on this easy task nothing much is lost on the way, with or without a limit, and the end is the same', () => {
  const { none, clip, stop } = found;
  expect(none.drop).toBeLessThan(0.15);
  for (const { drop } of [clip, stop]) expect(drop).toBeLessThan(0.05);
  for (const { success } of [none, clip, stop]) expect(success).toBeGreaterThan(0.99);
});
