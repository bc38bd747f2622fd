import { machineHas } from '../config/memoryCap.ts';
import { problemLine } from '../config/problems.ts';
import { iqm, mean } from '../core/stats.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { CHECKED_SLOTS, type MakeBackend, type UpdateRecord } from '../engine/backend.ts';
import { gpuProblem } from '../engine/gpu/errors.ts';
import { stopLines, stopsOfSeeds } from './checkpoints.ts';
import { curveFile } from './curveFile.ts';
import { outcomeOf, outcomeWords } from '../engine/outcome.ts';
import { createRun, type Run } from '../engine/run.ts';
import { helped, readArgs } from './args.ts';
import { coresAsked, helpRun, isThread, onCores } from './cores.ts';
import { BUNDLE_USAGE, bundleCommand, keepBundle, packOptions } from './bundles/bundle.ts';
import { VERIFY_USAGE, verifyCommand } from './bundles/verify.ts';
import { CREDIT_USAGE, creditCommand } from './logs/credit.ts';
import { CHECK_USAGE, checkCommand } from './deviceCheck.ts';
import { experimentOf } from './experiment.ts';
import { LESSON_USAGE, lessonCommand } from './lessons/lesson.ts';
import { LOOKAHEAD_USAGE, lookaheadCommand } from './lookahead.ts';
import { askedToStop, exitCodeOf, listenForSignals } from './interrupt.ts';
import { memoryOfMachine } from './machine.ts';
import { nodeBackend } from './node.ts';
import { Results } from './results.ts';
import { TimeLeft } from './timeLeft.ts';
import { WORKER_USAGE, workerCommand } from './queue/worker.ts';
import { COMPARE_USAGE, compareCommand } from './sweeps/compare.ts';
import { SWEEP_USAGE, sweepCommand } from './sweeps/sweep.ts';
import { CHILD, trainForParent } from './sweeps/trainer.ts';

const RUN_USAGE = `npm run lab -- run <preset | config.json | link> [--updates N] [--seeds S] [--seed N] [--backend cpu|webgpu] [--cores N|auto] [--set path=value] [--out DIR] [--aliases] [--bundle] [--parquet] [--formula FILE] [--checkpoints]
npm run lab -- run [preset | config.json | link] --from <verl.yaml | trl.yaml | script.sh> [the options above]
  --set takes values as config.json holds them: rewards in thousandths, 1000 for the 1.0 of the page
  --checkpoints plays 256 more episodes of each seed at the end and tells in summary.json which checkpoints they pass
  --formula takes the credit of each step from a text: see docs/credit-formulas.md`;
const USAGE = `${RUN_USAGE}
${SWEEP_USAGE}
${WORKER_USAGE}
${COMPARE_USAGE}
${BUNDLE_USAGE}
${VERIFY_USAGE}
${CREDIT_USAGE}
${LESSON_USAGE}
${LOOKAHEAD_USAGE}
${CHECK_USAGE}`;

const overSeeds = (run: Run, metric: number): number =>
  mean(Array.from({ length: run.plan.S }, (_, s) => run.series.last(s, metric)));

/**
 * Trains to the end, two updates in flight on a GPU, and keeps what is there so far from time to time. A signal ends it
 * between two updates and is handed back; throws the sentence of a number that was not finite.
 */
async function train(run: Run, results: Results | null): Promise<NodeJS.Signals | null> {
  const time = new TimeLeft(performance.now());
  const inFlight: Promise<UpdateRecord>[] = [];
  let signal: NodeJS.Signals | null = null;
  let complaint: string | null = null;
  const isOver = (): boolean => signal !== null || run.update === run.updates;
  while (!isOver() || inFlight.length > 0) {
    if (!isOver()) inFlight.push(run.submit());
    if (inFlight.length < run.depth && !isOver()) continue;
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
    signal ??= await askedToStop();
    const left = isOver() ? null : time.tick(performance.now(), run.updates - record.update - 1);
    if (left !== null) console.log(left);
    if (!isOver() && results?.isDue(performance.now())) {
      const problem = await results.keepSoFar(run, (await run.digest()).all);
      if (problem !== null && complaint === null) say(`${problem} Training continues.`);
      complaint = problem;
    }
  }
  return signal;
}

/** What there is of a run that ended early, and where it is kept. */
async function tellPartial(name: string, run: Run, results: Results | null): Promise<void> {
  const { all: digest } = await run.digest();
  console.log(`${name}: stopped after ${run.series.length} of ${run.updates} updates`);
  console.log(`digest so far ${digest}`);
  if (results === null) return;
  const problem = await results.keepPartial(run, digest);
  if (problem === null) console.log(`The results so far are in ${results.folder}, in files named partial.`);
  else say(problem);
}

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  const args = readArgs(argv);
  if (typeof args === 'string') return say(args);
  if (args.words[0] === 'sweep') return sweepCommand(args);
  if (args.words[0] === 'worker') return workerCommand(args);
  if (args.words[0] === 'compare') return compareCommand(args);
  if (args.words[0] === 'bundle') return bundleCommand(args);
  if (args.words[0] === 'verify') return verifyCommand(args);
  if (args.words[0] === 'credit') return creditCommand(args);
  if (args.words[0] === 'lesson') return lessonCommand(args);
  if (args.words[0] === 'lookahead') return lookaheadCommand(args);
  if (args.words[0] === 'check') return checkCommand(args);
  const isWhole = args.words.length === 2 || (args.words.length === 1 && 'from' in args.options);
  if (args.words[0] !== 'run' || !isWhole) return say(`Usage: ${USAGE}`);
  const experiment = await experimentOf(args.words[1], args);
  if (typeof experiment === 'string') return say(experiment);
  const { name, config } = experiment;
  const out = args.options['out'];
  if ('bundle' in args.options && out === undefined) return say('A bundle needs --out: the folder that it goes into.');
  const results = out === undefined ? null : new Results(out, config, args.options['aliases'] !== undefined);
  const refused = await results?.prepare(config.run['updates'] as number, config.run['seeds'] as number);
  if (refused) return say(refused);
  const cores = coresAsked(args.options['cores']);
  if (typeof cores === 'string') return say(cores);
  let makeBackend: MakeBackend = onCores(cores);
  if (config.run['backend'] === 'webgpu') {
    const gpu = await nodeBackend();
    if (typeof gpu === 'string') return say(gpu);
    makeBackend = gpu;
  }
  listenForSignals();
  let run: Run | null = null;
  try {
    const made = await createRun(config, makeBackend, curveFile(say));
    if (!made.ok) return say(problemLine(made.problem));
    run = made.value;
    const from = performance.now();
    console.log(`${name}: training ${run.updates} updates on ${run.backend.description}`);
    const signal = await train(run, results);
    if (signal !== null) {
      await tellPartial(name, run, results);
      return exitCodeOf(signal);
    }
    const seconds = (performance.now() - from) / 1000;
    const code = await tellWhole(name, run, { results, seconds, stops: 'checkpoints' in args.options });
    if (code !== 0 || out === undefined || !('bundle' in args.options)) return code;
    const problem = await keepBundle(
      run,
      { folder: out, title: args.options['title'] ?? name, seconds },
      packOptions(args),
    );
    return problem === null ? 0 : say(problem);
  } catch (error) {
    const problem = gpuProblem(error);
    say(problem ? problemLine(problem) : error instanceof Error ? error.message : String(error));
    if (run !== null && run.series.length > 0) await tellPartial(name, run, results);
    return 1;
  } finally {
    run?.dispose();
  }
}

/** Says how a run ended and keeps it; the digest is said before anything is written. */
type Told = { readonly results: Results | null; readonly seconds: number; readonly stops: boolean };
async function tellWhole(name: string, run: Run, { results, seconds, stops }: Told): Promise<number> {
  const outcome = outcomeOf(run.series);
  const { all: digest } = await run.digest();
  const summary = {
    preset: name,
    backend: run.backend.kind,
    seeds: run.plan.S,
    updates: run.series.length,
    trainingSuccess: outcome.training,
    evaluationSuccess: outcome.evaluation,
    bestEvaluation: outcome.best,
    // one number for a table: mean of the last tenth of the evaluations of each seed
    score: outcome.scores && { mean: mean(outcome.scores), iqm: iqm(outcome.scores), n: outcome.scores.length },
    entropy: overSeeds(run, metricIndex.entropy),
    ess: overSeeds(run, metricIndex.ess),
    stepsPerSecond: (run.series.envSteps(run.series.length - 1) * run.plan.S) / seconds,
    digest,
    ...(stops ? { checkpoints: await stopsOfSeeds(run) } : {}),
  };
  console.log(
    `${summary.preset}: ${summary.updates} updates, ${summary.seeds} seeds on ${run.backend.description}, ` +
      `${Math.round(summary.stepsPerSecond).toLocaleString('en')} steps/s`,
  );
  console.log(outcomeWords(outcome, run.plan.S));
  for (const line of stopLines(summary.checkpoints ?? [])) console.log(line);
  console.log(`digest ${digest}`);
  const problem = (await results?.keepWhole(run, summary)) ?? null;
  return problem === null ? 0 : say(problem);
}

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

machineHas(memoryOfMachine());
const words = process.argv.slice(2);
if (isThread()) helpRun();
else if (words[0] === CHILD) trainForParent();
else {
  process.exitCode = await main(words);
  // a client of a queue that looks for its server cannot be told to stop, and would keep the process for as long
  if (words[0] === 'worker' || words[0] === 'sweep') process.exit();
}
