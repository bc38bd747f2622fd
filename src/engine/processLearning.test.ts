import { beforeAll, describe, expect, test } from 'vitest';
import { defaultsOf } from '../core/settings.ts';
import { configWith } from '../config/schema.ts';
import { stepsOf } from '../core/batch.ts';
import { must } from '../core/problem.ts';
import { grpo } from '../slots/advantage/grpo.ts';
import { preferenceLoss } from '../slots/advantage/oprl/preference.ts';
import { creditCorr } from '../core/fidelity.ts';
import { createRun } from './run.ts';
import { Snapshots } from '../lab/snapshot.ts';

const SEEDS = 3;
const UPDATES = 60;
/** Updates before φ has met a few pairs are left out; exact credit is compared on every fifth of the others. */
const FROM = 10;
const EVERY = 5;

type Told = { pairs: number; ranked: number; ours: number[]; outcome: number[] };
const told: Told[] = Array.from({ length: SEEDS }, () => ({ pairs: 0, ranked: 0, ours: [], outcome: [] }));

const mean = (x: readonly number[]): number => x.reduce((sum, v) => sum + v, 0) / x.length;

// Key and door, the default policy and optimizer. The scale of rewards is that of a small network: with the paper's 0.05
// the scores of trajectories need log-ratios of tens of nats before the preference loss is content.
beforeAll(async () => {
  const run = must(
    await createRun(
      configWith({
        'run.backend': 'cpu',
        'analysis.evalEvery': 0,
        'run.seed': 101,
        'run.seeds': SEEDS,
        'run.updates': UPDATES,
        'rollout.groupSize': 16,
        'advantage.method': 'oprl',
        'advantage.oprl.beta': 0.5,
      }),
    ),
  );
  const snapshots = new Snapshots();
  const everything = Array.from({ length: run.plan.B }, (_, i) => i);
  for (let u = 0; u < UPDATES; u++) {
    await run.submit();
    if (u < FROM) continue;
    for (let s = 0; s < SEEDS; s++) {
      const { batch, A } = await run.backend.view(s);
      const { pairs, accuracy } = preferenceLoss(batch, 0.5, 'sum');
      told[s]!.pairs += pairs;
      told[s]!.ranked += pairs * accuracy;
      if (u % EVERY !== 0 || pairs === 0) continue;
      const { exact } = await snapshots.make(run, s);
      const steps = stepsOf(batch, everything);
      const plain = grpo.run(batch, defaultsOf(grpo.params)).A;
      const truth = steps.map((k) => exact![k]!);
      const against = (credit: Float32Array): number =>
        creditCorr(
          steps.map((k) => credit[k]!),
          truth,
        )!;
      told[s]!.ours.push(against(A));
      told[s]!.outcome.push(against(plain));
    }
  }
});

describe('OPRL on key and door', () => {
  test('its process model ranks at least nine of ten pairs it was not trained on', () => {
    const accuracy = told.map(({ pairs, ranked }) => ranked / pairs);
    expect(Math.min(...told.map((t) => t.pairs))).toBeGreaterThan(1000);
    expect(Math.min(...accuracy), accuracy.join(' ')).toBeGreaterThanOrEqual(0.9);
  });

  test('its credit correlates with the exact credit better than the outcome of the episode does, on nearly every batch', () => {
    for (const { ours, outcome } of told) {
      const better = ours.filter((c, k) => c > outcome[k]!).length;
      expect(ours.length).toBeGreaterThanOrEqual(5);
      expect(better / ours.length).toBeGreaterThanOrEqual(0.9);
      expect(mean(ours), `outcome ${mean(outcome)}`).toBeGreaterThan(mean(outcome) + 0.1);
    }
  });
});
