import { matmul } from './cases/matmul.ts';
import { trainingStep } from './cases/step.ts';
import { fullUpdate } from './cases/update.ts';
import type { Bench, Command } from './types.ts';

const CASES: Readonly<Record<Command, readonly ((bench: Bench) => Promise<void>)[]>> = {
  matmul: [matmul],
  update: [trainingStep, fullUpdate],
  rollout: [],
  credit: [],
  ceilings: [],
};

/** Runs the cases of a command one after the other. */
export async function runCases(bench: Bench): Promise<void> {
  const { command } = bench.options;
  for (const [name, cases] of Object.entries(CASES)) {
    if (command !== 'all' && command !== name) continue;
    for (const run of cases) await run(bench);
  }
}
