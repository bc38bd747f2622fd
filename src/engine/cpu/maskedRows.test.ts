import { expect, test } from 'vitest';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { measureNoise } from '../../lab/noise.ts';
import { sampleRun, train } from '../sampleRun.ts';

/** One step in a corridor where some groups agree, so that LOOP leaves trajectories out. */
async function firstNorms(changes: Record<string, unknown>) {
  const run = await sampleRun({
    ...{ 'task.grid.level': 'corridor', 'task.grid.maxSteps': 20, 'policy.mlp.hidden': [5], 'run.seeds': 1 },
    ...{ 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 3, 'advantage.method': 'loop', 'run.seed': 3 },
    ...{ 'objective.aggregate': 'constant', 'optimizer.method': 'sgd', ...changes },
  });
  const state = await run.backend.save();
  const [record] = await train(run, 1);
  const { batch, A } = await run.backend.view(0);
  const kept = Array.from(batch.length).filter((_, i) => Math.abs(A[i * batch.T]!) >= 0.01).length;
  const steps = measureNoise({ plan: run.plan, state });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return { norm: record!.metrics[metricIndex.gradNorm]!, noise: step.value.gradNorm, kept, B: batch.B };
}

test('episodes that are left out divide the constant average where they count, and do not by default', async () => {
  const skip = await firstNorms({});
  const count = await firstNorms({ 'objective.maskedRows': 'count' });
  expect(skip.kept).toBeGreaterThan(0);
  expect(skip.kept).toBeLessThan(skip.B);
  expect(count.norm / skip.norm).toBeCloseTo(skip.kept / skip.B, 5);
  // the measured gradient is the one that trains
  expect(skip.noise / skip.norm).toBeCloseTo(1, 5);
  expect(count.noise / count.norm).toBeCloseTo(1, 5);
});

test('with another average they never count', async () => {
  for (const aggregate of ['unitMean', 'seqMeanUnitSum']) {
    const of = (maskedRows: string) =>
      firstNorms({ 'objective.aggregate': aggregate, 'objective.maskedRows': maskedRows });
    expect((await of('count')).norm).toBe((await of('skip')).norm);
  }
});

test.each([true, false])('a batch in which every episode was cut moves no weight (in statistics: %s)', async (keep) => {
  const changes = {
    ...{ 'task.grid.level': 'keyDoor', 'task.grid.maxSteps': 3, 'run.seeds': 1, 'advantage.method': 'reinforcePP' },
    ...{ 'reward.countBonus.on': true, 'objective.entropyCoef': 0.1 },
  };
  const moved = async (more: Record<string, unknown>): Promise<boolean> => {
    const run = await sampleRun({ ...changes, ...more });
    const before = (await run.backend.save()).tensors['theta']!.slice();
    await train(run, 1);
    return (await run.backend.save()).tensors['theta']!.some((w, k) => w !== before[k]);
  };
  expect(await moved({})).toBe(true);
  expect(await moved({ 'advantage.cutRows': 'filter', 'advantage.keepInStatistics': keep })).toBe(false);
});
