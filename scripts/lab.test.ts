import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCli } from './lib/cli.mjs';
import { ROOT } from './lib/process.mjs';

const folder = (): string => mkdtempSync(join(tmpdir(), 'horizon-lab-'));

// bundled once, as bundling takes several times as long as what is run here; inside the project, where the rest is found
const cache = join(ROOT, '.cache');
mkdirSync(cache, { recursive: true });
const home = mkdtempSync(join(cache, 'lab-test-'));
const waiting = join(home, 'waiting.mjs');
let bundle = '';

beforeAll(async () => {
  bundle = (await bundleCli('lab', join(home, 'bundle'))) as string;
  const attend = JSON.stringify(pathToFileURL(join(ROOT, 'scripts/lib/attend.mjs')).href);
  writeFileSync(
    waiting,
    `import { attend } from ${attend};\nprocess.exitCode = await attend(process.execPath, process.argv.slice(2), {});\n`,
  );
});
afterAll(() => rmSync(home, { recursive: true }));

type Ended = { code: number | null; signal: string | null; out: string; errors: string };
type Started = { child: ChildProcess; trains: Promise<void>; ended: Promise<Ended> };

/** Starts a command; `trains` resolves once it has said so, `ended` once nobody holds its output any more. */
function start(program: string, args: readonly string[]): Started {
  const child = spawn(program, [...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said = { out: '', errors: '' };
  let tell = (): void => undefined;
  const trains = new Promise<void>((resolve) => (tell = resolve));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
    if (said.out.includes(': training ')) tell();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (said.errors += text));
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => {
      resolve({ code, signal, ...said });
      tell();
    }),
  );
  return { child, trains, ended };
}

/** The whole command, which bundles the program for itself. */
const whole = (...words: string[]): Started => start(process.execPath, ['scripts/lab.mjs', 'run', ...words]);
/** The bundled program behind the process that waits for it, as the command runs it. */
const lab = (...words: string[]): Started => start(process.execPath, [waiting, bundle, 'run', ...words]);
/** Longer than any test waits. */
const ENDLESS = ['key-door', '--updates', '20000', '--backend', 'cpu', '--set', 'policy.method=tabular'];

type Process = { readonly pid: number; readonly parent: number; readonly state: string };

function processes(): Process[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/) as [string, string, string];
    return { pid: Number(pid), parent: Number(parent), state };
  });
}

/** Processes below one, as they are now. */
function below(pid: number, all = processes()): number[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid, all)]);
}

/** Waits until none of them runs; one that has ended and that nobody asks for its exit code is a zombie, state Z. */
async function areOver(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  const left = (): number[] =>
    processes().flatMap(({ pid, state }) => (pids.includes(pid) && !state.startsWith('Z') ? [pid] : []));
  await expect.poll(left, { timeout: 120_000 }).toEqual([]);
}

const summaryIn = (at: string): { partial?: boolean; update: number } =>
  JSON.parse(readFileSync(join(at, 'summary.partial.json'), 'utf8')) as { update: number };

describe('npm run lab', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'when npm gets %s, the process that trains ends with it and keeps what there is',
    async (signal) => {
      const out = folder();
      const npm = process.env['npm_execpath'];
      const words = ['run', '--silent', 'lab', '--', 'run', ...ENDLESS, '--out', out];
      const { child, trains, ended } = start(npm ? process.execPath : 'npm', npm ? [npm, ...words] : words);
      await trains;
      const all = below(child.pid!);
      expect(all.length).toBeGreaterThan(1);
      process.kill(child.pid!, signal);
      expect((await ended).signal).toBe(signal);
      await areOver(all);
      expect(summaryIn(out)).toMatchObject({ partial: true });
      expect(summaryIn(out).update).toBeGreaterThan(0);
      expect(existsSync(join(out, 'summary.json'))).toBe(false);
    },
  );

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('a command that gets %s ends with %i after saying its digest so far', async (signal, code) => {
    const out = folder();
    const { child, trains, ended } = lab(...ENDLESS, '--out', out);
    await trains;
    const all = below(child.pid!);
    process.kill(child.pid!, signal);
    const end = await ended;
    expect([end.code, end.signal, end.errors]).toEqual([code, null, '']);
    expect(end.out).toMatch(/stopped after \d+ of 20000 updates\ndigest so far [0-9a-f]{64}\n/);
    await areOver(all);
    expect(readdirSync(out).sort()).toEqual(['config.partial.json', 'metrics.partial.csv', 'summary.partial.json']);
  });

  test('when the process that waits for it is killed, the one that trains stops, too', async () => {
    const out = folder();
    const { child, trains, ended } = lab(...ENDLESS, '--out', out);
    await trains;
    const all = below(child.pid!);
    process.kill(child.pid!, 'SIGKILL');
    await ended;
    await areOver(all);
    expect(summaryIn(out)).toMatchObject({ partial: true });
  });

  test('a folder that is lost in mid-run costs neither digest nor results', async () => {
    const out = join(folder(), 'out');
    const { child, trains, ended } = lab(...ENDLESS, '--out', out);
    await trains;
    renameSync(out, `${out}-elsewhere`);
    writeFileSync(out, 'mine');
    process.kill(child.pid!, 'SIGINT');
    const end = await ended;
    expect(end.code).toBe(130);
    expect(end.out).toMatch(/digest so far [0-9a-f]{64}\n/);
    expect(end.errors).toMatch(
      /^“.+” could not be written: something that is not a folder is in the way\. The results/,
    );
    const refuge = /The results are in “([^”]+)” instead\.\n$/.exec(end.errors)![1]!;
    expect(summaryIn(refuge)).toMatchObject({ partial: true });
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });

  test('a run that stops at a number that is not finite keeps what it had', async () => {
    const out = folder();
    const end = await lab('alarm-non-finite', '--seeds', '1', '--backend', 'cpu', '--out', out).ended;
    expect(end.code).toBe(1);
    expect(end.errors).toMatch(/not finite|not a number/);
    expect(end.errors).not.toMatch(/^\s+at /m);
    expect(summaryIn(out).update).toBeGreaterThan(0);
  });

  test('an --out that cannot be written is refused in one sentence before anything is trained', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, 'mine');
    const ends = await Promise.all(
      ['', file, '/proc/x'].map((out) => lab('key-door', '--updates', '1', '--out', out).ended),
    );
    for (const { code, out, errors } of ends) {
      expect([code, out]).toEqual([1, '']);
      expect(errors).toMatch(/^[^\n]+\.\n$/);
      expect(errors).not.toMatch(/^\s+at /m);
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

test('commands at the same time do not take each other’s program away, and threads of one seed give the digest of one core', async () => {
  const onCores = (command: typeof lab, n: number | 'auto'): Started =>
    command('key-door', '--updates', '1', '--backend', 'cpu', '--seeds', '1', '--cores', `${n}`);
  const ends = await Promise.all(
    [onCores(whole, 1), onCores(lab, 2), onCores(whole, 8), onCores(whole, 'auto')].map(({ ended }) => ended),
  );
  expect(ends.map(({ code, errors }) => [code, errors])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  // one second is too short to try others
  expect(ends.map(({ out }) => /on CPU \(SIMD\)(, \d cores)?\n/.exec(out)![1])).toEqual([
    undefined,
    ', 2 cores',
    ', 8 cores',
    undefined,
  ]);
  expect(new Set(ends.map(({ out }) => /digest (\w+)/.exec(out)![1])).size).toBe(1);
});

test('an experiment that asks for WebGPU where there is no graphics device is refused in one sentence with the way out', async () => {
  const words = ['scripts/lab.mjs', 'run', 'key-door', '--updates', '1', '--set', 'run.backend=webgpu'];
  const { ended } = start('env', ['VK_ICD_FILENAMES=/nonexistent', process.execPath, ...words]);
  const { code, errors } = await ended;
  expect(code).toBe(1);
  expect(errors).toMatch(/WebGPU.*use --backend cpu\.\n$/);
  expect(errors).not.toContain('Running on the CPU');
});
