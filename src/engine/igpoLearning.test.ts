import { expect, test } from 'vitest';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { sampleRun, train } from './sampleRun.ts';

const SEEDS = [0, 1, 2];

/** A corridor with three signs in one place; who reads them knows which of four answers is true. */
const QUESTION = {
  ...{ 'task.question.on': true, 'task.grid.level': 'custom', 'task.grid.maxSteps': 8, 'task.grid.maskActions': true },
  ...{ 'advantage.method': 'igpo', 'rollout.commonNoise': true, 'rollout.tasksPerBatch': 8 },
  ...{ 'rollout.groupSize': 16, 'optimizer.learningRate': 0.01, 'objective.entropyCoef': 0.03 },
  ...{ 'task.grid.text': 'S.G', 'run.seeds': SEEDS.length },
};

/** Success and steps of each seed, mean of the last ten of some updates. */
async function last(changes: Record<string, unknown>, updates: number): Promise<{ success: number; steps: number }[]> {
  const records = await train(await sampleRun({ ...QUESTION, ...changes }), updates);
  return SEEDS.map((s) => {
    const mean = (id: 'success' | 'lengthMean'): number =>
      records.slice(-10).reduce((sum, r) => sum + r.metrics[s * METRICS + metricIndex[id]]!, 0) / 10;
    return { success: mean('success'), steps: mean('lengthMean') };
  });
}

test.each(['joint', 'separate'])('signs one step away: three seeds read them and answer right (%s)', async (credit) => {
  for (const { success, steps } of await last({ 'advantage.igpo.credit': credit }, 120)) {
    expect(success).toBeGreaterThan(0.95);
    expect(steps).toBeCloseTo(2, 1);
  }
});

// every step that finds nothing is below the mean of gains and outcomes, so walking costs more than it may bring
test('signs two steps away: jointly normalized, answering at once is all that is learned; apart, they are read', async () => {
  const far = { 'task.grid.text': 'S..G', 'task.question.signs': 3 };
  for (const { success, steps } of await last({ ...far, 'advantage.igpo.credit': 'joint' }, 60)) {
    expect(steps).toBeLessThan(1.2);
    expect(success).toBeLessThan(0.45);
  }
  for (const { success } of await last({ ...far, 'advantage.igpo.credit': 'separate' }, 120))
    expect(success).toBeGreaterThan(0.8);
});
