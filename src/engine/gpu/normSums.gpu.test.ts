import { describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import type { Gpu } from '../../gpu/device.ts';
import { assume, REGISTERS } from '../../gpu/tune.ts';
import { metricIndex, metrics } from '../../slots/metrics/metrics.ts';
import { createRun } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();
/** The same device, taken for a card. */
const card = Object.create(gpu, { software: { value: false } }) as Gpu;
assume(card, { ...REGISTERS, ms: {}, fusedUpTo: 2 ** 20 });

const RUN = {
  ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 4, 'run.seeds': 2, 'run.updates': 3 },
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 5, 'task.grid.maxSteps': 9, 'policy.mlp.hidden': [12] },
  ...{ 'advantage.method': 'gae', 'objective.epochs': 2, 'objective.minibatches': 2, 'optimizer.method': 'sgd' },
  ...{ 'optimizer.clipNorm': 0.05, 'analysis.evalEvery': 0 },
};

type Trained = { steps: number[][]; metrics: number[][] };

/** A network so small that its gradient is made in slices, and one whose gradient is one dispatch on a card; a batch whose sums take two. */
const CHANGES = [
  { 'policy.mlp.hidden': [12], 'rollout.tasksPerBatch': 34 },
  { 'policy.mlp.hidden': [12] },
  { 'policy.mlp.hidden': [20], 'task.grid.level': 'doorKey' },
];

async function train(on: Gpu, changes: Record<string, unknown>): Promise<Trained> {
  const run = must(await createRun(configWith({ ...RUN, ...changes }), gpuBackendOn(on)));
  const start = thetaOf((await run.checkpoint()).state).slice();
  await run.submit();
  const theta = thetaOf((await run.checkpoint()).state);
  const { series } = run;
  const told = (['gradNorm', 'policyLoss', 'valueLoss'] as const).map((id) =>
    [0, 1].map((s) => series.at(0, s, metricIndex[id])),
  );
  const all = metrics.map((_, m) => [0, 1].map((s) => series.at(0, s, m)));
  run.dispose();
  return { steps: [...told, Array.from(theta, (x, k) => x - start[k]!)], metrics: all };
}

const both: { onSoftware: Trained; onCard: Trained }[] = [];
for (const changes of CHANGES) both.push({ onSoftware: await train(gpu, changes), onCard: await train(card, changes) });

describe.each(both)('network $#', ({ onSoftware, onCard }) => {
  test('an optimizer that makes the norm from sums goes the same steps as one that is given it', () => {
    const [given, summed] = [onSoftware.steps, onCard.steps];
    // the limit is below the norm, so that every step is shortened by it
    given[0]!.forEach((norm) => expect(norm).toBeGreaterThan(0.05));
    expect(Math.max(...given[3]!)).toBeGreaterThan(1e-4);
    given.forEach((row, k) =>
      row.forEach((x, j) => expect(Math.abs(summed[k]![j]! - x), `${k}, ${j}`).toBeLessThan(1e-6 + 1e-5 * Math.abs(x))),
    );
  });

  test('lanes that share the steps of a row tell the same metrics of an update as those that walk whole rows', () => {
    for (const id of ['essGroup', 'essStep', 'approxKL', 'entropyNormalised', 'anchorShare'] as const)
      expect(onSoftware.metrics[metricIndex[id]]!.every(Number.isFinite), id).toBe(true);
    metrics.forEach(({ id }, m) =>
      onSoftware.metrics[m]!.forEach((x, s) => {
        const got = onCard.metrics[m]![s]!;
        if (Number.isNaN(x)) return expect(got, id).toBeNaN();
        expect(Math.abs(got - x), `${id} of replica ${s}: ${x} and ${got}`).toBeLessThan(1e-6 + 2e-5 * Math.abs(x));
      }),
    );
  });
});
