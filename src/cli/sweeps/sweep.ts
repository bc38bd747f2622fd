import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { withLaterSettings } from '../../config/migrations.ts';
import { problemLine } from '../../config/problems.ts';
import { parseConfig } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { digits } from '../../core/digits.ts';
import { readDescription, type Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import type { Args } from '../args.ts';
import { source } from '../experiment.ts';
import { exitCodeOf, onSignal } from '../interrupt.ts';
import { SweepFolder } from './folder.ts';
import { duration, timeLeft, workLine } from './progress.ts';
import { childTrainer } from './trainer.ts';
import { train, Working } from './work.ts';

export const SWEEP_USAGE = `npm run lab -- sweep <sweep.json> --out DIR [--jobs N]
  trains every cell of the sweep on the CPU path, N at a time; the same command continues where it stopped`;

const MOST_JOBS = 256;
/** Milliseconds between two lines on the cells at work. */
const EVERY_MS = 10_000;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

/** The sweep that a file describes; a text is the sentence of what is wrong with it. */
export async function sweepOf(file: string): Promise<Sweep | string> {
  let raw: unknown;
  try {
    raw = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    return `The file ${file} could not be read as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const description = readDescription(raw);
  if (typeof description === 'string') return description;
  const base = await baseOf(description, dirname(file));
  return typeof base === 'string' ? base : expand(description, base);
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
  const jobs = Number(options['jobs'] ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MOST_JOBS)
    return say(`--jobs takes a whole number between 1 and ${MOST_JOBS}.`);
  const sweep = await sweepOf(file);
  if (typeof sweep === 'string') return say(sweep);
  const folder = new SweepFolder(out);
  const refused = await folder.enter(sweep);
  if (refused !== null) return say(refused);
  try {
    const problem = await folder.open(sweep, console.error);
    return problem === null ? await work(sweep, folder, jobs) : say(problem);
  } catch (error) {
    return say(error instanceof Error ? error.message : String(error));
  } finally {
    await folder.leave();
  }
}

async function work(sweep: Sweep, folder: SweepFolder, jobs: number): Promise<number> {
  const { cells, groups, mostSteps } = sweep;
  const missing = cells.filter((cell) => !folder.resultOf(cell));
  console.log(
    `${groups.length} groups, ${cells.length} cells, at most ${mostSteps.toLocaleString('en')} environment steps; ` +
      `${cells.length - missing.length} cells are finished, ${missing.length} train now, ${Math.min(jobs, Math.max(1, missing.length))} at a time`,
  );
  let asked: NodeJS.Signals | null = null;
  let drop = (): void => undefined;
  const dropped = new Promise<'dropped'>((resolve) => (drop = () => resolve('dropped')));
  onSignal((signal) => {
    if (asked === null && signal === 'SIGINT' && working.at(0).length > 0)
      console.log('Stopping when the cells at hand are finished; Ctrl+C again drops them.');
    // whoever sends another signal, or has ended, does not wait
    if (signal !== 'SIGINT') drop();
    asked ??= signal;
  });
  const working = new Working(missing.length);
  const failed: string[] = [];
  const now = (): number => performance.now() / 1000;
  const trainers = missing.slice(0, jobs).map(childTrainer);
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
  const trained = train(missing, working, {
    trainers,
    keep: (cell, result, csv) => folder.keep(cell, result, csv),
    now,
    isAsked: () => asked !== null,
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
  for (const trainer of trainers) trainer.end();
  const unwritten = await folder.summarize(sweep);
  if (problem !== null && problem !== 'dropped')
    return say(`${problem} ${done} of ${cells.length} cells are kept; the same command continues from there.`);
  if (unwritten !== null) return say(unwritten);
  console.log(`${done} of ${cells.length} cells are in ${folder.path}`);
  if (failed.length > 0) return say(`Without a result: ${failed.join('; ')}.`);
  return asked !== null && done < cells.length ? exitCodeOf(asked) : 0;
}
