import { describe, expect, test } from 'vitest';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { sampleRun, train } from './sampleRun.ts';

/**
 * The start tells the side, four steps before the junction, and there is no time to turn back. Entropy keeps both arms in
 * play until the cue is connected with them.
 */
const T_MAZE = {
  'task.levels': 0,
  'task.grid.level': 'tMaze',
  'task.grid.n': 4,
  'task.grid.view': 'ego',
  'task.grid.window': 3,
  'task.grid.maskActions': true,
  'rollout.tasksPerBatch': 16,
  'rollout.groupSize': 8,
  'run.seeds': 3,
  'objective.entropyCoef': 0.3,
  'optimizer.learningRate': 0.01,
};
/** Segments of four steps: at the junction the cue is in the stored memory, which no gradient reaches. */
const GTRXL = {
  'policy.method': 'gtrxl',
  'policy.gtrxl.width': 16,
  'policy.gtrxl.hidden': 16,
  'policy.gtrxl.memory': 8,
  'policy.gtrxl.segment': 4,
  'rollout.tasksPerBatch': 8,
};
/**
 * Segments of four steps: at the junction only their summary tells of the cue, and the gradient goes through it. That takes
 * longer than to look back, so entropy counts for more, and the rate falls to 0 so that what was found stays.
 */
const MEMO = {
  'policy.method': 'memo',
  'policy.memo.width': 16,
  'policy.memo.hidden': 16,
  'policy.memo.segment': 4,
  'objective.entropyCoef': 0.5,
  'optimizer.schedule': 'linear',
  'run.updates': 50,
};

/** Success of each of three seeds in the last `count` updates. */
async function successOf(
  changes: Readonly<Record<string, unknown>>,
  updates: number,
  count: number,
): Promise<number[]> {
  const run = await sampleRun({ ...T_MAZE, ...changes });
  const last = (await train(run, updates)).slice(-count);
  run.dispose();
  return [0, 1, 2].map((s) => last.reduce((sum, r) => sum + r.metrics[s * METRICS + metricIndex.success]! / count, 0));
}

describe('a T-maze is solved on three of three seeds', () => {
  test.each([
    ['by GTrXL', GTRXL, 60],
    ['by summaries (Memo)', MEMO, 50],
    ['by a recurrent network', { 'policy.method': 'gru', 'policy.gru.hidden': 16 }, 80],
  ])('%s', async (_who, changes, updates) => {
    for (const success of await successOf(changes, updates, 5)) expect(success).toBeGreaterThan(0.9);
  });
});

describe('one of two arms is all that is left to chance', () => {
  test.each([
    ['without a memory', { 'policy.method': 'mlp', 'policy.mlp.hidden': [16] }, 35],
    // with a memory it is nearly always solved after as many
    ['where the cue is out of reach of GTrXL', { ...GTRXL, 'policy.gtrxl.memory': 0 }, 50],
  ])('%s', async (_who, changes, updates) => {
    // the way to the junction is learned, and of at least 120 levels about half have the goal on the other side
    for (const success of await successOf(changes, updates, 15)) {
      expect(success).toBeGreaterThan(0.2);
      expect(success).toBeLessThan(0.62);
    }
  });
});
