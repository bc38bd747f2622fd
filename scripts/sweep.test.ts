import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { below as belowOf, PURPOSE, random } from '../src/core/random.ts';
import { bundleCli } from './lib/cli.mjs';

const folder = (): string => mkdtempSync(join(tmpdir(), 'horizon-sweep-'));
const home = folder();
const description = join(home, 'sweep.json');
let program = '';
let expected: Record<string, string>;

beforeAll(async () => {
  program = (await bundleCli('lab', join(home, 'bundle'))) as string;
  const set = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'analysis.evalEvery': 4 };
  const vary = { 'advantage.method': ['gigpo', 'grpo'] };
  const measure = { method: 'creditFidelity', moments: [0, 1], judges: 'own' };
  writeFileSync(description, JSON.stringify({ base: 'key-door', set, vary, seeds: 3, updates: 40, measure }));
  const out = join(home, 'whole');
  const { code, errors } = await sweep(out, 1).ended;
  if (code !== 0) throw new Error(errors);
  expected = contents(out);
});
afterAll(() => rmSync(home, { recursive: true }));

type Ended = { code: number | null; signal: string | null; out: string; errors: string };
type Started = { child: ChildProcess; ended: Promise<Ended>; said: (lines: number) => Promise<void> };

/** Starts the command; `said` resolves once it has said so many lines, or has ended. */
function sweep(out: string, jobs: number): Started {
  const child = spawn(process.execPath, [program, 'sweep', description, '--jobs', `${jobs}`, '--out', out], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const text = { out: '', errors: '' };
  const waiting: (() => void)[] = [];
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text.out += more;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (more: string) => void (text.errors += more));
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => {
      isOver = true;
      for (const look of waiting) look();
      resolve({ code, signal, ...text });
    }),
  );
  const said = (lines: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isOver || text.out.split('\n').length > lines) resolve();
      };
      waiting.push(look);
      look();
    });
  return { child, ended, said };
}

const contents = (at: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(at, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(at.length), readFileSync(path, 'utf8')]),
  );

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state!.startsWith('Z'))
    .map(([own]) => Number(own));

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('killed at random moments and started again, a sweep ends with the files of one that nobody disturbed', async () => {
  const out = join(home, 'killed');
  for (let kill = 0; kill < 3; kill++) {
    const draw = (k: number, n: number): number => belowOf(random(1, PURPOSE.permutation, 1, kill, k), n);
    const { child, ended, said } = sweep(out, 2);
    await said(1 + draw(0, 3));
    // a moment more: as long as it takes to look into the folder so many times
    for (let k = draw(1, 40); k > 0; k--) readdirSync(join(out, 'cells'));
    const trainers = childrenOf(child.pid!);
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    // nobody goes on training for a command that is gone
    await expect.poll(() => trainers.filter(isThere), { timeout: 120_000 }).toEqual([]);
  }
  expect(await sweep(out, 2).ended).toMatchObject({ code: 0, errors: '' });
  expect(contents(out)).toEqual(expected);
});

test('Ctrl+C ends after the cells at hand, with everything written, and the same command goes on', async () => {
  const out = join(home, 'interrupted');
  const { child, ended, said } = sweep(out, 1);
  await said(2);
  process.kill(-child.pid!, 'SIGINT'); // as a terminal does: to the whole group
  const end = await ended;
  expect(end).toMatchObject({ code: 130, errors: '' });
  expect(end.out).toContain('Stopping when the cells at hand are finished; Ctrl+C again drops them.');
  const rows = readFileSync(join(out, 'cells.csv'), 'utf8').trim().split('\n').slice(1);
  expect(readdirSync(join(out, 'cells'))).toHaveLength(3 * rows.length);
  expect(readdirSync(out).sort()).toEqual(['cells', 'cells.csv', 'plan.json']);
  const second = await sweep(out, 2).ended;
  expect(second.out).toContain(`${rows.length} cells are finished, ${6 - rows.length} train now`);
  expect(contents(out)).toEqual(expected);
});

test('SIGTERM drops the cells at hand; a second command in the same folder is told who is at work', async () => {
  const out = join(home, 'terminated');
  const { child, ended, said } = sweep(out, 1);
  await said(1);
  const other = await sweep(out, 1).ended;
  expect(other).toMatchObject({ code: 1, out: '' });
  expect(other.errors).toMatch(/^In “.+” process \d+ on .+ is at work; wait for it, or delete lock\.json there/);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 143, errors: '' });
  expect(readdirSync(out)).not.toContain('lock.json');
});

test('when a process that trains is killed, its cell has no result and the others do; the same command mends it', async () => {
  const out = join(home, 'lost');
  const { child, ended, said } = sweep(out, 1);
  await said(2);
  const [trainer] = childrenOf(child.pid!);
  process.kill(trainer!, 'SIGKILL');
  const end = await ended;
  expect(end.code).toBe(1);
  expect(end.errors).toMatch(
    /^.+ failed: The process that trained it was ended by SIGKILL\.\nWithout a result: .+\.\n$/,
  );
  expect(end.out).toContain('5 of 6 cells are in');
  expect(await sweep(out, 1).ended).toMatchObject({ code: 0, errors: '' });
  expect(contents(out)).toEqual(expected);
});

test('an impossible description is refused in one sentence before anything is made', async () => {
  const bad = join(home, 'bad.json');
  const out = join(home, 'nothing');
  writeFileSync(bad, JSON.stringify({ base: 'key-door', vary: { 'rollout.groupSize': [8, 1] }, seeds: 1 }));
  for (const words of [
    ['sweep', bad, '--out', out],
    ['sweep', join(home, 'none.json'), '--out', out],
    ['sweep', bad],
  ]) {
    const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => void (errors += more));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(1);
    expect(errors).not.toMatch(/^\s+at /m);
  }
  expect(readdirSync(home)).not.toContain('nothing');
});
