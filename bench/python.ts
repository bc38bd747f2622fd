import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECK_UPDATES, CHECKED, isLearned, RATES, UPDATE } from './cases/update.ts';
import { ONE_THREAD } from './cases/measure.ts';
import { STEP_TOLERANCE } from './cases/step.ts';
import source from './python/bench.py?raw';
import { expectedStep } from './ours/stepCpu.ts';
import { labRun } from './ours/runs.ts';
import { CHECK_STEPS, joined, stepProblem, tensorsOf } from './problem.ts';
import { distance, judge, timingOf } from './stats.ts';
import type { Row } from './types.ts';
import { tableWorld } from './world.ts';

/** Lists of numbers by kind of work, size and name. */
type Lists = Readonly<Record<string, Record<string, Record<string, number[]>>>>;
/** Milliseconds of single runs, and what is compared with everyone else's result. */
export type Found = { readonly python: string; readonly rows: Lists; readonly checks: Lists };

type Place = {
  /** as bench.py calls the work */
  readonly kind: string;
  /** the number in the row's shape that tells its size */
  readonly size: RegExp;
  /** what is wrong with a result of this size; null: nothing */
  readonly wrong: (result: readonly number[], size: number) => string | null;
};

/** The row that a time belongs to: work on a graphics card beside ours on WebGPU, all else beside our CPU path. */
function rowOf(kind: string, name: string, threads: Threads): string {
  return `${kind} ${name.endsWith('cuda') ? 'webgpu' : threads === 1 ? `cpu${ONE_THREAD}` : 'cpu'}`;
}

/** Threads that the libraries of Python may use; one means no graphics card either, which has been measured by then. */
type Threads = 1 | 'all';
const LIMITS = ['OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'VECLIB_MAXIMUM_THREADS'];
const environment = (threads: Threads): Record<string, string> =>
  threads === 'all' ? {} : { ...Object.fromEntries(LIMITS.map((name) => [name, '1'])), CUDA_VISIBLE_DEVICES: '' };

const PLACES: readonly Place[] = [
  {
    kind: 'training step',
    size: /batch (\d+)$/,
    wrong(theta, rows) {
      const off = distance(theta, expectedStep(stepProblem(rows)));
      return off <= STEP_TOLERANCE ? null : `its result is off by ${off.toExponential(1)}`;
    },
  },
  {
    kind: 'full update',
    size: /(\d+)×8 episodes/,
    wrong: ([share]) => (isLearned(share!) ? null : `success after ${CHECK_UPDATES} updates is ${share}`),
  },
];

/** Text that a program printed; null where it cannot be started or fails. */
function output(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code === 0 ? text : null));
  });
}

/** Sizes of each kind of work that some row has, in the order of PLACES. */
const sizesIn = (rows: readonly Row[], threads: Threads): number[][] =>
  PLACES.map(({ kind, size }) => {
    const names = [rowOf(kind, 'numpy', threads), rowOf(kind, 'torch cuda', threads)];
    return [...new Set(rows.filter((r) => names.includes(r.name)).map((r) => Number(size.exec(r.shape)?.[1])))];
  });

/**
 * The same work in NumPy (and PyTorch) on this machine, as peers of the CPU rows: with all threads, and with one beside the
 * rows of one. They run after the page has closed, so that nobody shares the cores. Returns the rows with those times, and a
 * sentence about what ran.
 */
export async function withPython(
  rows: readonly Row[],
  quick: boolean,
): Promise<{ rows: readonly Row[]; about: string }> {
  const passes = (['all', 1] as const)
    .map((threads) => ({ threads, sizes: sizesIn(rows, threads) }))
    .filter(({ sizes }) => sizes.some((list) => list.length > 0));
  if (passes.length === 0) return { rows, about: '' };
  if ((await output('python3', ['-c', 'import numpy'])) === null)
    return { rows, about: 'There is no Python with NumPy here, so its rows are left out.' };
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const step = stepProblem(Math.max(0, ...passes.flatMap(({ sizes }) => sizes[0]!)));
  await writeFile(join(folder, 'x.f32'), step.X);
  await writeFile(join(folder, 'theta.f32'), joined(tensorsOf(step)));
  const run = await labRun(null, { ...UPDATE, ...CHECKED });
  const { states, actions, T, looks, next, reward, start } = tableWorld(run);
  run.dispose();
  const lists = { looks: [...looks], next: [...next], reward: [...reward], theta: [...joined(tensorsOf(start))] };
  const script = join(folder, 'bench.py');
  await writeFile(script, source);
  let [withTimes, about] = [rows, ''];
  for (const { threads, sizes } of passes) {
    const [batches, groups] = sizes;
    const config = {
      ...{ batches, groups, seconds: quick ? 0.5 : 3, checkSteps: CHECK_STEPS },
      check: { groups: CHECKED['rollout.tasksPerBatch'], updates: CHECK_UPDATES, rate: RATES.learning },
      world: { ...{ states, actions, T, hidden: start.hidden }, ...lists },
    };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    const text = await output('python3', [script, folder], environment(threads));
    const found = text === null ? null : (JSON.parse(text) as Found);
    about = found ? `On the same machine: ${found.python}.` : 'The Python form failed, so its rows are left out.';
    if (!found) break;
    withTimes = withTimes.map((row) => withFound(row, found, threads));
  }
  await rm(folder, { recursive: true });
  return { rows: withTimes, about };
}

/** A row with the times of Python among its peers; who came to another result is left out and named. */
export function withFound(row: Row, found: Found, threads: Threads = 'all'): Row {
  const timings = { ...row.timings };
  const peers = { ...row.peers };
  const notes = row.note ? [row.note] : [];
  for (const { kind, size: sizeIn, wrong } of PLACES) {
    const size = sizeIn.exec(row.shape)?.[1] ?? '';
    for (const [name, times] of Object.entries(found.rows[kind]?.[size] ?? {})) {
      if (row.name !== rowOf(kind, name, threads)) continue;
      const why = wrong(found.checks[kind]?.[size]?.[name] ?? [], Number(size));
      if (why !== null) {
        notes.push(`${name} left out: ${why}`);
        continue;
      }
      timings[name] = timingOf(times, 1);
      peers[name] = timings[name].ms;
    }
  }
  return { ...row, peers, ...judge(row.oursMs, peers), timings, note: notes.join('; ') };
}
