import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import source from './python/bench.py?raw';
import { labRun } from './ours/runs.ts';
import { judge, timingOf } from './stats.ts';
import type { Row } from './types.ts';
import { tableWorld } from './world.ts';

type Found = {
  readonly python: string;
  readonly rows: Readonly<Record<string, Record<string, Record<string, number[]>>>>;
};

/** The CPU row that a Python time belongs to, and the number in its shape that tells its size. */
const PLACES: readonly { readonly kind: string; readonly row: string; readonly size: RegExp }[] = [
  { kind: 'training step', row: 'training step cpu', size: /batch (\d+)$/ },
  { kind: 'full update', row: 'full update cpu', size: /(\d+)×8 episodes/ },
];

/** Text that a program printed; null where it cannot be started or fails. */
function output(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code === 0 ? text : null));
  });
}

/**
 * The same work in NumPy (and PyTorch) on this machine, as peers of the CPU rows; they run after the page has closed, so
 * that nobody shares the cores. Returns the rows with those times, and a sentence about what ran.
 */
export async function withPython(
  rows: readonly Row[],
  quick: boolean,
): Promise<{ rows: readonly Row[]; about: string }> {
  const sizes = PLACES.map(({ row, size }) =>
    rows.filter((r) => r.name === row).flatMap((r) => Number(size.exec(r.shape)?.[1] ?? [])),
  );
  if (sizes.every((list) => list.length === 0)) return { rows, about: '' };
  if ((await output('python3', ['-c', 'import numpy'])) === null)
    return { rows, about: 'There is no Python with NumPy here, so its rows are left out.' };
  const run = await labRun(null, { 'rollout.tasksPerBatch': 1 });
  const { states, actions, T, looks, next, reward, start } = tableWorld(run);
  run.dispose();
  const lists = { looks: [...looks], next: [...next], reward: [...reward] };
  const world = { ...{ states, actions, T, hidden: start.hidden }, ...lists };
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const [script, config] = [join(folder, 'bench.py'), join(folder, 'config.json')];
  await writeFile(script, source);
  await writeFile(config, JSON.stringify({ batches: sizes[0], groups: sizes[1], seconds: quick ? 0.5 : 3, world }));
  const text = await output('python3', [script, config]);
  await rm(folder, { recursive: true });
  if (text === null) return { rows, about: 'The Python form failed, so its rows are left out.' };
  const found = JSON.parse(text) as Found;
  return { rows: rows.map((row) => joined(row, found)), about: `On the same machine: ${found.python}.` };
}

/** A CPU row with the times of Python among its peers. */
function joined(row: Row, found: Found): Row {
  const place = PLACES.find((p) => p.row === row.name);
  const size = place?.size.exec(row.shape)?.[1];
  const times = (place && size && found.rows[place.kind]?.[size]) || {};
  const timings = Object.fromEntries(Object.entries(times).map(([id, ms]) => [id, timingOf(ms, 1)]));
  const peers = { ...row.peers, ...Object.fromEntries(Object.entries(timings).map(([id, t]) => [id, t.ms])) };
  return { ...row, peers, ...judge(row.oursMs, peers), timings: { ...row.timings, ...timings } };
}
