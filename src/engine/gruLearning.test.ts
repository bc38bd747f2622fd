import { expect, test } from 'vitest';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { sampleRun, train } from './sampleRun.ts';

/** Two side roads that look alike from where the agent stands; only the second leads to the goal, and there is time for one. */
const ROADS = {
  'task.grid.level': 'custom',
  'task.grid.text': 'S.....\n#.#.##\n#.#G##',
  'task.grid.maxSteps': 6,
  'task.grid.view': 'ego',
  'task.grid.window': 3,
  'rollout.tasksPerBatch': 8,
  'rollout.groupSize': 32,
  'run.seeds': 3,
  'optimizer.learningRate': 0.01,
};

/** Success of each of three seeds in the last five of 60 updates. */
async function successOf(changes: Readonly<Record<string, unknown>>): Promise<number[]> {
  const run = await sampleRun({ ...ROADS, ...changes });
  const last = (await train(run, 60)).slice(-5);
  run.dispose();
  return [0, 1, 2].map((s) => last.reduce((sum, r) => sum + r.metrics[s * METRICS + metricIndex.success]! / 5, 0));
}

test('a recurrent network tells two places apart that look alike, on every seed', async () => {
  for (const success of await successOf({ 'policy.method': 'gru', 'policy.gru.hidden': 16 }))
    expect(success).toBeGreaterThan(0.9);
});

test('without a memory the better half of a coin is all there is: one side road is taken as often as the other', async () => {
  for (const success of await successOf({ 'policy.method': 'mlp', 'policy.mlp.hidden': [16] }))
    expect(success).toBeLessThan(0.5);
});
