import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { createRun } from '../engine/run.ts';

const SEEDS = 3;
const UPDATES = 60;

test.each(['dpo', 'cpl', 'alol'])('%s: success with key and door rises on every seed', async (method) => {
  const made = must(
    await createRun(
      configWith({
        ...{ 'run.backend': 'cpu', 'run.seeds': SEEDS, 'run.updates': UPDATES, 'analysis.evalEvery': 0 },
        ...{ 'task.grid.level': 'keyDoor', 'policy.method': 'tabular', 'optimizer.learningRate': 0.2 },
        ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 8 },
        ...{ 'objective.method': method, 'objective.aggregate': 'seqMeanUnitSum' },
      }),
    ),
  );
  while (made.update < UPDATES) await made.submit();
  for (let s = 0; s < SEEDS; s++) {
    const over = (from: number): number => {
      let sum = 0;
      for (let u = from; u < from + 5; u++) sum += made.series.at(u, s, metricIndex.success) / 5;
      return sum;
    };
    const [first, last] = [over(0), over(UPDATES - 5)];
    expect(last - first, `seed ${s}: ${first} to ${last}`).toBeGreaterThan(0.3);
  }
});
