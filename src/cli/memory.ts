import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import { createRun } from '../engine/run.ts';
import { helped } from './args.ts';

const USAGE = 'node scripts/memory.mjs: heap and curves of a long run on the CPU path, as in docs/benchmarks.md';

/** A corridor with 6 episodes a batch: little beside the run itself that could hold memory. */
const CORRIDOR = {
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 3,
  'run.backend': 'cpu',
  'run.seeds': 1,
  'run.updates': 10_000,
  'policy.mlp.hidden': [4],
  'task.grid.level': 'corridor',
  'task.grid.n': 5,
  'task.grid.maxSteps': 9,
  'analysis.evalEvery': 0,
};
const AT = [1000, 10_000];

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const run = must(await createRun(configWith(CORRIDOR)));
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  while (run.update < run.updates) {
    await run.submit();
    if (!AT.includes(run.update)) continue;
    collect();
    const curves = run.series.length * run.plan.S * CURVES * Float32Array.BYTES_PER_ELEMENT;
    console.log(`${run.update} updates: heap ${mb(process.memoryUsage().heapUsed)}, curves ${mb(curves)}`);
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
