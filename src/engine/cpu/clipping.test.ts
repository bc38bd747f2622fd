import { expect, test } from 'vitest';
import { sum } from '../../core/stats.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { clipFractions } from '../../slots/metrics/ratio.ts';
import { NEVER } from '../../core/math/clip.ts';
import type { Coefficient, Objective } from '../../slots/types.ts';
import { Run } from '../run.ts';
import { sampleRun } from '../sampleRun.ts';
import { makeCpuBackend } from './cpuBackend.ts';

/** Long strides over the same batch, paid at every step. */
const SMALL = {
  'task.grid.level': 'bonusRoom',
  'reward.grid.step': -7,
  'reward.grid.invalid': -31,
  'run.seeds': 1,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'optimizer.learningRate': 0.1,
  'objective.epochs': 4,
};

/** The last of some updates: its record, clip codes and Δ of the units at its end, and their A. */
async function trained(changes: Record<string, unknown>, updates = 1) {
  const codes: number[] = [];
  const { plan } = await sampleRun({ ...SMALL, ...changes });
  const objective: Objective = {
    ...plan.objective,
    coefficient: (unit, params, out: Coefficient) => {
      plan.objective.coefficient(unit, params, out);
      codes.push(out.clip);
    },
  };
  const run = await Run.create({ ...plan, objective }, makeCpuBackend);
  let metrics = new Float64Array(METRICS);
  for (let u = 0; u < updates; u++) metrics = (await run.submit()).metrics as typeof metrics;
  const { batch, A, delta } = await run.backend.view(0);
  const steps: number[] = [];
  batch.length.forEach((n, i) => {
    for (let t = 0; t < n; t++) steps.push(i * batch.T + t);
  });
  const units = sum(batch.length);
  return {
    of: (id: MetricId): number => metrics[metricIndex[id]]!,
    units,
    codes: codes.slice(-units),
    A: steps.map((k) => A[k]!),
    delta: steps.map((k) => delta![k]!),
  };
}

const kinds = (of: (id: MetricId) => number) => ({
  clipHigh: of('clipHigh'),
  clipLow: of('clipLow'),
  clipDual: of('clipDual'),
  outside: of('clipOutside'),
});

test.each(['reinforce', 'cispo', 'sapo', 'dro', 'klCov', 'vcpo', 'vespo', 'mhpo'])(
  '%s has no clip: it is told what 0.8 and 1.28 would clip',
  async (method) => {
    const { of, A, delta } = await trained({ 'objective.method': method });
    expect(kinds(of)).toEqual(clipFractions(delta, A, 0.8, 1.28, NEVER));
    expect(of('clipFraction')).toBeGreaterThan(0);
    expect(of('clipFraction')).toBeCloseTo(of('clipHigh') + of('clipLow'), 12);
  },
);

test('a narrow clip has its own bounds: more is outside than is clipped, and both are those of the definition', async () => {
  const eps = { 'objective.ppoClip.epsLow': 0.03, 'objective.ppoClip.epsHigh': 0.03 };
  const { of, A, delta } = await trained(eps);
  expect(kinds(of)).toEqual(clipFractions(delta, A, 1 - 0.03, 1 + 0.03, NEVER));
  expect(of('clipFraction')).toBeGreaterThan(0);
  expect(of('clipOutside')).toBeGreaterThan(of('clipFraction'));
  expect(clipFractions(delta, A, 0.8, 1.28, NEVER).outside).toBeLessThan(of('clipOutside'));
});

test.each([
  ['gspo', {}],
  ['decoupled', { 'rollout.staleness': 3, 'objective.decoupled.beyond': 'mask', 'objective.decoupled.cap': 1.5 }],
  ['stableReinforce', {}],
  ['rover', { 'objective.rover.clip': 0.5, 'objective.rover.tau': 2 }],
  ['aepo', {}],
  ['gmpo', { 'objective.gmpo.epsHigh': 0.1, 'objective.gmpo.epsLow': 0.1 }],
  ['dppo', {}],
  ['dppo', { 'objective.dppo.form': 'kl' }],
])('%s: nothing that is clipped lies within its bounds', async (method, changes) => {
  const { of } = await trained({ 'objective.method': method, ...changes }, 'rollout.staleness' in changes ? 4 : 1);
  expect(of('clipFraction')).toBeGreaterThan(0);
  expect(of('clipOutside')).toBeGreaterThanOrEqual(of('clipFraction'));
});

test('what is left out is not clipped: the mask of HisPO on old data, the share of Clip-Cov', async () => {
  const old = await trained({ 'objective.method': 'hispo', 'rollout.staleness': 3 }, 5);
  const share = (code: number): number => old.codes.filter((c) => c === code).length / old.units;
  expect(share(5)).toBeGreaterThan(0.3);
  expect(old.of('clipFraction')).toBeCloseTo(share(1) + share(2) + share(3), 12);
  const wide = { 'objective.clipCov.epsHigh': 10, 'objective.clipCov.epsLow': 1 };
  const cov = await trained({ 'objective.method': 'clipCov', 'optimizer.learningRate': 0.02, ...wide }, 1);
  expect(cov.codes.filter((c) => c === 5)).toHaveLength(Math.max(1, Math.floor(0.02 * cov.units)));
  expect(cov.of('clipFraction')).toBe(0);
});
