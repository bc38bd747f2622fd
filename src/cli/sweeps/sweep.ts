import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { differInCost } from '../../config/bySteps.ts';
import { withLaterSettings } from '../../config/migrations.ts';
import { problemLine } from '../../config/problems.ts';
import { parseConfig } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { digits } from '../../core/digits.ts';
import { readDescription, type Description } from '../../lab/sweep/description.ts';
import { expand, type Cell, type Sweep } from '../../lab/sweep/expand.ts';
import type { Limit } from '../../lab/sweep/limit.ts';
import { measureOf } from '../../lab/sweep/measures/measured.ts';
import type { Args } from '../args.ts';
import { source } from '../experiment.ts';
import { exitCodeOf, onSignal } from '../interrupt.ts';
import { CellQueue, Outage, reach } from '../queue/cellQueue.ts';
import { trainOnQueue, type QueueWork } from '../queue/onQueue.ts';
import { SweepFolder } from './folder.ts';
import { trainOnGpu } from './onGpu.ts';
import { duration, timeLeft, workLine } from './progress.ts';
import { childTrainer, type Trainer } from './trainer.ts';
import { train, Working } from './work.ts';

export const SWEEP_USAGE = `npm run lab -- sweep <sweep.json> --out DIR [--jobs N | --queue redis://HOST:PORT | --backend webgpu]
  trains every cell of the sweep on the CPU path, N at a time, or by the workers of a queue; on WebGPU cells of one kind
  train together; the same command continues where it stopped`;

const MOST_JOBS = 256;
/** Milliseconds between two lines on the cells at work. */
const EVERY_MS = 10_000;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

/** The sweep that a file describes, on this backend where one is given; a text is the sentence of what is wrong with it. */
export async function sweepOf(file: string, backend?: string): Promise<Sweep | string> {
  let raw: unknown;
  try {
    raw = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    return `The file ${file} could not be read as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const asked = backend !== undefined && typeof raw === 'object' ? { ...raw, backend } : raw;
  const description = readDescription(asked);
  if (typeof description === 'string') return description;
  const base = await baseOf(description, dirname(file));
  return typeof base === 'string' ? base : expand(description, base, measureOf);
}

/** The config that a description starts from; files are looked for beside it. */
async function baseOf({ base }: Description, folder: string): Promise<Config | string> {
  if (typeof base === 'string') {
    const found = await source(base.endsWith('.json') && !isAbsolute(base) ? join(folder, base) : base);
    return typeof found === 'string' ? `The base: ${found}` : found.config;
  }
  const parsed = parseConfig(withLaterSettings(base));
  return parsed.ok ? parsed.value : `The base: ${problemLine(parsed.problem)}`;
}

/** Trains what is missing of a sweep. Resolves with the exit code. */
export async function sweepCommand({ words, options }: Args): Promise<number> {
  const [, file] = words;
  const out = options['out'];
  if (file === undefined || words.length !== 2 || out === undefined) return say(`Usage: ${SWEEP_USAGE}`);
  const sweep = await sweepOf(file, options['backend']);
  if (typeof sweep === 'string') return say(sweep);
  const crew = await crewOf(sweep, options);
  if (typeof crew === 'string') return say(crew);
  const folder = new SweepFolder(out);
  try {
    const refused = await folder.enter(sweep);
    if (refused !== null) return say(refused);
    try {
      const problem = await folder.open(sweep, console.error);
      return problem === null ? await work(sweep, folder, crew) : say(problem);
    } catch (error) {
      return say(error instanceof Error ? error.message : String(error));
    } finally {
      await folder.leave();
    }
  } finally {
    await crew.end();
  }
}

type Options = Args['options'];

/** Who trains the cells. */
type Crew = {
  /** for the end of the line that begins the work */
  readonly where: (cells: number) => string;
  readonly train: (cells: readonly Cell[], working: Working, work: QueueWork) => Promise<string | null>;
  readonly end: () => void | Promise<void>;
};

function crewOf({ cells }: Sweep, options: Options): Crew | string | Promise<Crew | string> {
  if (cells[0]!.config.run['backend'] === 'webgpu') return gpuCrew(options);
  return options['queue'] === undefined ? hereCrew(options) : queueCrew(options);
}

/** The graphics device of this machine. */
async function gpuCrew(options: Options): Promise<Crew | string> {
  if (options['queue'] !== undefined) return 'Workers of a queue train on the CPU path: leave out --queue or WebGPU.';
  if (options['jobs'] !== undefined) return '--jobs counts cells on the CPU path: leave it out with WebGPU.';
  const { nodeGpu } = await import('../node.ts');
  const gpu = await nodeGpu();
  if (typeof gpu === 'string') return gpu;
  const { gpuBackendOn } = await import('../../engine/gpu/gpuBackend.ts');
  return {
    where: (cells) => `${cells} train now on ${gpu.name}`,
    train(cells, working, { asked, ...rest }) {
      let isAsked = false;
      void asked.then(() => (isAsked = true));
      return trainOnGpu(cells, working, { ...rest, isAsked: () => isAsked }, gpuBackendOn(gpu));
    },
    end: () => undefined,
  };
}

/** Processes of this machine. */
function hereCrew(options: Options): Crew | string {
  const jobs = Number(options['jobs'] ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MOST_JOBS)
    return `--jobs takes a whole number between 1 and ${MOST_JOBS}.`;
  let trainers: readonly Trainer[] = [];
  return {
    where: (cells) =>
      cells === 0 ? 'none is left to train' : `${cells} train now, ${Math.min(jobs, cells)} at a time`,
    train(cells, working, { asked, ...rest }) {
      let isAsked = false;
      void asked.then(() => (isAsked = true));
      trainers = cells.slice(0, jobs).map(childTrainer);
      return train(cells, working, { ...rest, trainers, isAsked: () => isAsked });
    },
    end: () => trainers.forEach((trainer) => trainer.end()),
  };
}

/** Workers of a queue, wherever they are. */
async function queueCrew(options: Options): Promise<Crew | string> {
  if (options['jobs'] !== undefined)
    return '--jobs counts cells of this machine; with --queue, each worker has its own --jobs.';
  const reached = await reach(options['queue']!);
  if (typeof reached === 'string') return reached;
  const outage = new Outage(reached.server.name, console.error);
  const queue = new CellQueue(reached, outage);
  return {
    where: (cells) => `${cells} wait for workers at ${queue.name}`,
    async train(cells, working, work) {
      if (cells.length > 0 && (await queue.workers()) === 0)
        console.log(`No worker is there yet: npm run lab -- worker --queue ${queue.name}`);
      return trainOnQueue(cells, working, { queue, outage, work });
    },
    end: () => queue.close(),
  };
}

/** How long the cells of a sweep train. */
const lengthWords = (mostSteps: number | null, limit: Limit | null): string =>
  mostSteps === null ? `${limit!.amount} s each` : `at most ${mostSteps.toLocaleString('en')} environment steps`;

const UNEQUAL =
  'Their updates cost different numbers of environment steps, all of which are charged: "match": "environmentSteps" with "steps" in place of "updates" gives each equally many, and “compare” judges these at equal steps.';

async function work(sweep: Sweep, folder: SweepFolder, crew: Crew): Promise<number> {
  const { cells, groups, mostSteps } = sweep;
  const missing = cells.filter((cell) => !folder.resultOf(cell));
  console.log(
    `${groups.length} groups, ${cells.length} cells, ${lengthWords(mostSteps, cells[0]!.limit)}; ` +
      `${cells.length - missing.length} cells are finished, ${crew.where(missing.length)}`,
  );
  if (cells[0]!.limit === null && differInCost(groups.map(({ config }) => config))) console.log(UNEQUAL);
  let asked: NodeJS.Signals | null = null;
  let drop = (): void => undefined;
  const dropped = new Promise<'dropped'>((resolve) => (drop = () => resolve('dropped')));
  let ask = (): void => undefined;
  const asking = new Promise<void>((resolve) => (ask = resolve));
  onSignal((signal) => {
    if (asked === null && signal === 'SIGINT' && working.at(0).length > 0)
      console.log('Stopping when the cells at hand are finished; Ctrl+C again drops them.');
    // whoever sends another signal, or has ended, does not wait
    if (signal !== 'SIGINT') drop();
    asked ??= signal;
    ask();
  });
  const working = new Working(missing.length);
  const failed: string[] = [];
  const now = (): number => performance.now() / 1000;
  const rest = (): string => {
    const seconds = timeLeft(working.took, working.at(now()), working.waiting);
    return seconds === null || (working.waiting === 0 && working.at(0).length === 0)
      ? ''
      : `, about ${duration(seconds)} left`;
  };
  const ticking = setInterval(() => {
    for (const cell of working.at(now())) console.log(`  ${workLine(cell)}`);
  }, EVERY_MS);
  let done = cells.length - missing.length;
  const trained = crew.train(missing, working, {
    keep: (cell, finished) => folder.keep(cell, finished),
    now,
    asked: asking,
    ended(cell, outcome, seconds) {
      if (typeof outcome === 'string') {
        failed.push(cell.name);
        console.error(`${cell.name} failed: ${outcome}`);
        return;
      }
      done++;
      console.log(
        `${done}/${cells.length} ${cell.name}: score ${digits(outcome.score)}, ${duration(seconds)}${rest()}`,
      );
    },
  });
  const problem = await Promise.race([trained, dropped]);
  clearInterval(ticking);
  await crew.end();
  const unwritten = await folder.summarize(sweep);
  if (problem !== null && problem !== 'dropped')
    return say(`${problem} ${done} of ${cells.length} cells are kept; the same command continues from there.`);
  if (unwritten !== null) return say(unwritten);
  console.log(`${done} of ${cells.length} cells are in ${folder.path}`);
  if (failed.length > 0) return say(`Without a result: ${failed.join('; ')}.`);
  return asked !== null && done < cells.length ? exitCodeOf(asked) : 0;
}
