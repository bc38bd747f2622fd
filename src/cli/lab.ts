import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemLine } from '../config/problems.ts';
import { iqm, mean } from '../core/stats.ts';
import { metricIndex } from '../methods/analysis/metrics.ts';
import { CHECKED_SLOTS, type MakeBackend, type UpdateRecord } from '../train/backend.ts';
import { makeCpuBackend } from '../train/cpu/cpuBackend.ts';
import { gpuProblem } from '../train/gpu/errors.ts';
import { createRun, type Run } from '../train/run.ts';
import { helped, readArgs } from './args.ts';
import { experimentOf } from './experiment.ts';
import { nodeBackend } from './node.ts';

const USAGE = `npm run lab -- run <preset | config.json | link> [--updates N] [--seeds S] [--seed N] [--backend cpu|webgpu] [--set path=value] [--out DIR] [--aliases]`;

/** Per seed: mean of the last tenth of its evaluations, or the last training batch where nothing was evaluated. */
function scores(run: Run): number[] {
  const { series } = run;
  return Array.from({ length: run.plan.S }, (_, s) => {
    const evaluated: number[] = [];
    for (let u = 0; u < series.length; u++) {
      const value = series.at(u, s, metricIndex.evalSuccess);
      if (!Number.isNaN(value)) evaluated.push(value);
    }
    if (evaluated.length === 0) return series.last(s, metricIndex.success);
    return mean(evaluated.slice(-Math.max(1, Math.floor(evaluated.length / 10))));
  });
}

const overSeeds = (run: Run, metric: number): number =>
  mean(Array.from({ length: run.plan.S }, (_, s) => run.series.last(s, metric)));

/** Trains to the end, two updates in flight on a GPU; throws the sentence of a number that was not finite. */
async function train(run: Run): Promise<void> {
  const inFlight: Promise<UpdateRecord>[] = [];
  while (run.update < run.updates || inFlight.length > 0) {
    if (run.update < run.updates) inFlight.push(run.submit());
    if (inFlight.length < run.backend.depth && run.update < run.updates) continue;
    const record = await inFlight.shift()!;
    const bad = record.bad.find((slot) => slot !== 0);
    if (bad !== undefined) {
      throw new Error(
        problemLine({
          kind: 'nonFinite',
          slot: CHECKED_SLOTS[bad - 1]!,
          update: record.update,
          lastGood: record.update,
        }),
      );
    }
  }
}

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  const args = readArgs(argv);
  if (typeof args === 'string') return say(args);
  if (args.words[0] !== 'run' || args.words.length !== 2) return say(`Usage: ${USAGE}`);
  const experiment = await experimentOf(args.words[1]!, args);
  if (typeof experiment === 'string') return say(experiment);
  let makeBackend: MakeBackend = makeCpuBackend;
  if (experiment.config.run['backend'] === 'webgpu') {
    const gpu = await nodeBackend();
    if (typeof gpu === 'string') return say(gpu);
    makeBackend = gpu;
  }
  let run: Run;
  let from: number;
  try {
    const made = await createRun(experiment.config, makeBackend);
    if (!made.ok) return say(problemLine(made.problem));
    run = made.value;
    from = performance.now();
    await train(run);
  } catch (error) {
    const problem = gpuProblem(error);
    return say(problem ? problemLine(problem) : error instanceof Error ? error.message : String(error));
  }
  const seconds = (performance.now() - from) / 1000;
  const final = scores(run);
  const { all: digest } = await run.digest();
  const summary = {
    preset: experiment.name,
    backend: run.backend.kind,
    seeds: run.plan.S,
    updates: run.series.length,
    success: { mean: mean(final), iqm: iqm(final), n: final.length },
    entropy: overSeeds(run, metricIndex.entropy),
    ess: overSeeds(run, metricIndex.ess),
    stepsPerSecond: (run.series.envSteps(run.series.length - 1) * run.plan.S) / seconds,
    digest,
  };
  const out = args.options['out'];
  if (out !== undefined) {
    await mkdir(out, { recursive: true });
    await writeFile(join(out, 'metrics.csv'), run.csv(args.options['aliases'] !== undefined));
    await writeFile(join(out, 'config.json'), JSON.stringify(experiment.config, null, 1) + '\n');
    await writeFile(join(out, 'summary.json'), JSON.stringify(summary, null, 1) + '\n');
  }
  run.dispose();
  console.log(
    `${summary.preset}: ${summary.updates} updates, ${summary.seeds} seeds on ${run.backend.description}; success ${summary.success.mean.toFixed(3)}, ` +
      `${Math.round(summary.stepsPerSecond).toLocaleString('en')} steps/s`,
  );
  console.log(`digest ${digest}`);
  return 0;
}

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
