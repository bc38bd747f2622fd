import { ceilings } from './cases/ceilings.ts';
import { checks } from './cases/checks.ts';
import { convolutionStep } from './cases/conv.ts';
import { creditCost } from './cases/credit.ts';
import { matmul } from './cases/matmul.ts';
import { scaling } from './cases/rollout.ts';
import { trainingStep } from './cases/step.ts';
import { fullUpdate } from './cases/update.ts';
import type { Bench, Command } from './types.ts';

type Case = (bench: Bench) => Promise<void>;

/** The cases of each command, in order. Ceilings come first where rates are read against them. */
const CASES: Readonly<Record<Command, readonly Case[]>> = {
  checks: [checks],
  ceilings: [ceilings],
  matmul: [matmul],
  update: [trainingStep, convolutionStep, fullUpdate],
  rollout: [scaling],
  credit: [creditCost],
  sweep: [], // in Node: bench/sweep.ts
};

/** Everyone uses all cores where that is possible; what they make of it is seen by measuring again with one thread for all. */
const againWithoutThreads = (run: Case, quick: boolean): boolean =>
  run === trainingStep || (!quick && (run === matmul || run === convolutionStep || run === fullUpdate));

/** Runs the cases of a command one after the other. */
export async function runCases(bench: Bench): Promise<void> {
  const { command, threads, quick } = bench.options;
  if (command !== 'ceilings' && command !== 'checks' && command !== 'all' && threads) await ceilings(bench);
  for (const [name, cases] of Object.entries(CASES)) {
    if (command !== 'all' && command !== name) continue;
    for (const run of cases) if (threads || againWithoutThreads(run, quick)) await run(bench);
  }
}
