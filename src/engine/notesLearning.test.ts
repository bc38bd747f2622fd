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
  'policy.method': 'mlp',
  'policy.mlp.hidden': [16],
  'rollout.tasksPerBatch': 8,
  'rollout.groupSize': 16,
  'run.seeds': 5,
  'objective.entropyCoef': 0.03,
  'optimizer.learningRate': 0.03,
};

/** Success of each of five seeds in the last five of so many updates. */
async function successOf(changes: Readonly<Record<string, unknown>>, updates: number): Promise<number[]> {
  const run = await sampleRun({ ...ROADS, ...changes });
  const last = (await train(run, updates)).slice(-5);
  run.dispose();
  return [0, 1, 2, 3, 4].map((s) =>
    last.reduce((sum, r) => sum + r.metrics[s * METRICS + metricIndex.success]! / 5, 0),
  );
}

test('a network without a memory that writes one symbol before every step tells places apart, on every seed', async () => {
  const written = { 'task.notes.on': true, 'task.notes.symbols': 1, 'task.notes.alphabet': 4 };
  for (const success of await successOf(written, 90)) expect(success).toBeGreaterThan(0.9);
});

test('without notes the better half of a coin is all there is', async () => {
  for (const success of await successOf({}, 60)) expect(success).toBeLessThan(0.5);
});
