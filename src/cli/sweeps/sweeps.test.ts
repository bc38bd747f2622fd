import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as node from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { trainCell, type Trained } from '../../lab/sweep/cell.ts';
import type { Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import type { Disk } from '../files.ts';
import { readFolder, SweepFolder } from './folder.ts';
import { duration, timeLeft, workLine } from './progress.ts';
import type { Trainer } from './trainer.ts';
import { train, Working } from './work.ts';

const SMALL: Description = {
  base: 'key-door',
  set: { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2, 'analysis.evalEvery': 1 },
  vary: { 'advantage.method': ['grpo', 'rloo'] },
  seeds: 2,
  updates: 2,
};
let sweep: Sweep;
const known = new Map<string, Trained>();
beforeAll(async () => {
  sweep = (await expand(SMALL, defaultConfig())) as Sweep;
  for (const cell of sweep.cells) known.set(cell.address, await trainCell(cell, () => Promise.resolve()));
});

const folder = (): string => mkdtempSync(join(tmpdir(), 'horizon-sweep-'));
/** Hands out what was trained once. */
const remembering: Trainer = { train: (cell) => Promise.resolve(known.get(cell.address)!), end: () => undefined };

type Told = { sentences: string[]; trained: string[]; problem: string | null };

/** The work of a command on a folder. */
async function command(
  at: string,
  { disk = node as Disk, of = sweep, lanes = 2, stopAfter = Infinity } = {},
): Promise<Told> {
  const told: Told = { sentences: [], trained: [], problem: null };
  const kept = new SweepFolder(at, disk);
  told.problem = await kept.enter(of);
  if (told.problem !== null) return told;
  told.problem = await kept.open(of, (sentence) => told.sentences.push(sentence));
  if (told.problem === null) {
    const missing = of.cells.filter((cell) => !kept.resultOf(cell));
    told.problem = await train(missing, new Working(missing.length), {
      trainers: Array.from({ length: lanes }, () => remembering),
      keep: (cell, finished) => kept.keep(cell, finished),
      now: () => 0,
      isAsked: () => told.trained.length >= stopAfter,
      ended: ({ name }, outcome) => void (typeof outcome === 'string' ? told.sentences : told.trained).push(name),
    });
    await kept.summarize(of);
  }
  await kept.leave();
  return told;
}

const contents = (at: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(at, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [
        join(parentPath, name).slice(at.length),
        readFileSync(join(parentPath, name), 'utf8'),
      ])
      .sort(([a], [b]) => (a! < b! ? -1 : 1)),
  );

async function whole(): Promise<Record<string, string>> {
  const at = folder();
  await command(at);
  return contents(at);
}

test('a sweep leaves one pair of files for each cell, a table of all, and what it consists of', async () => {
  const files = await whole();
  const pairs = sweep.cells.flatMap(({ address }) => [`/cells/${address}.csv`, `/cells/${address}.json`]);
  expect(Object.keys(files).sort()).toEqual(['/cells.csv', '/plan.json', ...pairs].sort());
  const [head, ...rows] = files['/cells.csv']!.trim().split('\n');
  expect(head).toBe('group,seed,updates,envSteps,score,evalSuccess,diverged,digest,cell');
  expect(rows.map((row) => row.split(',').slice(0, 3))).toEqual([
    ['"GRPO"', '1', '2'],
    ['"RLOO"', '1', '2'],
    ['"GRPO"', '2', '2'],
    ['"RLOO"', '2', '2'],
  ]);
});

/** A disk of a machine that goes down at its n-th act: this one and all later ones fail, and nobody cleans up. */
function dying(n: number): { readonly disk: Disk; readonly acts: () => number } {
  let acts = 0;
  const act = (): void => {
    if (acts++ >= n) throw Object.assign(new Error('EIO'), { code: 'EIO' });
  };
  const open: Disk['open'] = async (path, flags) => {
    act();
    const file = await node.open(path, flags);
    const write = file.writeFile.bind(file);
    file.writeFile = async (text) => {
      if (acts >= n) await write((text as string).slice(0, 40)); // half of a file
      act();
      await write(text);
    };
    return file;
  };
  const rename: Disk['rename'] = async (from, to) => (act(), node.rename(from, to));
  const rm: Disk['rm'] = async (path, options) => (act(), node.rm(path, options));
  const link: Disk['link'] = async (from, to) => (act(), node.link(from, to));
  return { disk: { ...node, link, open, rename, rm }, acts: () => acts };
}

test('a machine that goes down at any moment loses no finished cell, and the same command ends with the same files', async () => {
  const of = (await expand({ ...SMALL, seeds: 1 }, defaultConfig())) as Sweep;
  const { disk, acts } = dying(Infinity);
  const smooth = folder();
  await command(smooth, { disk, of, lanes: 1 });
  const [expected, all] = [contents(smooth), acts()];
  expect(all).toBeGreaterThan(30);
  for (let n = 0; n < all; n++) {
    const at = folder();
    const first = await command(at, { disk: dying(n).disk, of, lanes: 1 }).catch(() => null);
    rmSync(join(at, 'lock.json'), { force: true }); // its owner, this process, is still there
    const second = await command(at, { of });
    expect(second.problem).toBeNull();
    expect(contents(at)).toEqual(expected);
    // what was said to be finished is not trained again
    for (const name of first?.trained ?? []) expect(second.trained).not.toContain(name);
    rmSync(at, { recursive: true });
  }
});

test('work that is stopped goes on where it stopped', async () => {
  const at = folder();
  const first = await command(at, { stopAfter: 1, lanes: 1 });
  const second = await command(at);
  expect([first.trained, second.trained.length]).toEqual([['GRPO, seed 1'], 3]);
  expect((await command(at)).trained).toEqual([]);
  expect(contents(at)).toEqual(await whole());
});

test('more seeds take the cells that are there', async () => {
  const at = folder();
  await command(at);
  const more = (await expand({ ...SMALL, seeds: 3 }, defaultConfig())) as Sweep;
  for (const cell of more.cells) known.set(cell.address, await trainCell(cell, () => Promise.resolve()));
  expect((await command(at, { of: more, lanes: 1 })).trained).toEqual(['GRPO, seed 3', 'RLOO, seed 3']);
});

test.each<[string, (text: string) => string]>([
  ['cut', (text) => text.slice(0, text.length / 2)],
  ['empty', () => ''],
  ['one digit changed', (text) => text.replace(/"score":[\d.]+/, '"score":0.77')],
  ['a field more', (text) => text.replace('{', '{"x":1,')],
])('a cell file that is damaged (%s) is trained again, with one sentence', async (_how, damage) => {
  const at = folder();
  await command(at);
  const [cell] = sweep.cells;
  const path = join(at, 'cells', `${cell!.address}.json`);
  writeFileSync(path, damage(readFileSync(path, 'utf8')));
  expect(await readFolder(at)).toBe(`“${path}” is damaged; run the sweep again to repair it.`);
  expect(await command(at)).toEqual({
    sentences: [`“${path}” is damaged; the cell GRPO, seed 1 trains again.`],
    trained: ['GRPO, seed 1'],
    problem: null,
  });
  expect(contents(at)).toEqual(await whole());
});

test('metrics that were changed or lost are found, and so is the result of another cell or revision', async () => {
  const at = folder();
  await command(at);
  const [a, b, c, d] = sweep.cells.map(({ address }) => join(at, 'cells', address));
  writeFileSync(`${a}.csv`, 'update\n');
  rmSync(`${b}.csv`);
  renameSync(`${d}.json`, `${c}.json`);
  const { sentences, trained } = await command(at);
  expect(sentences.map((sentence) => sentence.replace(/^“[^”]*” /, ''))).toEqual([
    'has lost its metrics or they were changed; the cell GRPO, seed 1 trains again.',
    'has lost its metrics or they were changed; the cell RLOO, seed 1 trains again.',
    'belongs to another cell; the cell GRPO, seed 2 trains again.',
  ]);
  expect(trained).toHaveLength(4);
  expect(contents(at)).toEqual(await whole());
});

test('files that are not ours are never overwritten', async () => {
  const at = folder();
  await command(at);
  const path = join(at, 'cells', `${sweep.cells[0]!.address}.json`);
  writeFileSync(path, '{"mine":true}');
  expect((await command(at)).problem).toBe(
    `“${path}” was not written by a sweep; move it away or choose another --out.`,
  );
  expect(readFileSync(path, 'utf8')).toBe('{"mine":true}');
  const other = folder();
  writeFileSync(join(other, 'plan.json'), '{"base":"key-door"}');
  expect((await command(other)).problem).toMatch(
    /plan\.json” was not written by a sweep of this version; choose another --out\.$/,
  );
  expect(contents(other)).toEqual({ '/plan.json': '{"base":"key-door"}' });
});

test('one command at a time works in a folder; the lock of one that has ended is taken over', async () => {
  const at = folder();
  const first = new SweepFolder(at);
  expect(await first.enter(sweep)).toBeNull();
  expect((await command(at)).problem).toBe(
    `In “${at}” process ${process.pid} on ${hostname()} is at work; wait for it, or delete lock.json there if it has ended.`,
  );
  await first.leave();
  expect((await command(at)).problem).toBeNull();
  // no process has this number
  writeFileSync(join(at, 'lock.json'), JSON.stringify({ pid: 2 ** 30, host: hostname() }));
  expect((await command(at)).problem).toBeNull();
  // nobody can say whether it lives
  for (const lock of ['', JSON.stringify({ pid: 2 ** 30, host: 'elsewhere' })]) {
    writeFileSync(join(at, 'lock.json'), lock);
    expect((await command(at)).problem).toContain('is at work');
  }
});

/** A disk on which something happens to the lock, and on one without hard links. */
const withLock = (happens: (path: string) => Promise<void>, hasLinks: boolean): Disk => ({
  ...node,
  link: hasLinks
    ? node.link
    : () => Promise.reject(Object.assign(new Error('EPERM: no hard links here'), { code: 'EPERM' })),
  open: async (path, flags) => {
    const file = await node.open(path, flags);
    const write = file.writeFile.bind(file);
    file.writeFile = async (text) => {
      if (String(text).startsWith('{"host"')) await happens(String(path));
      await write(text);
    };
    return file;
  },
});

test.each([true, false])('a lock that cannot be written locks nobody out (hard links: %s)', async (hasLinks) => {
  const at = folder();
  const full = (): Promise<void> =>
    Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }));
  expect((await command(at, { disk: withLock(full, hasLinks) })).problem).toBe(
    `“${at}” could not be locked: ENOSPC: no space left.`,
  );
  expect((await command(at)).problem).toBeNull();
});

test('a lock is whole from its first moment on: nobody who is killed while making it leaves one behind', async () => {
  const at = folder();
  let before: boolean | null = null;
  const look = (): Promise<void> => {
    before = existsSync(join(at, 'lock.json'));
    return Promise.resolve();
  };
  expect(await new SweepFolder(at, withLock(look, true)).enter(sweep)).toBeNull();
  expect(before).toBe(false);
  expect(JSON.parse(readFileSync(join(at, 'lock.json'), 'utf8'))).toEqual({ host: hostname(), pid: process.pid });
  expect(readdirSync(at).sort()).toEqual(['cells', 'lock.json']);
});

test('where a disk has no hard links, an empty lock that nobody has written for half a minute counts for nothing', async () => {
  const at = folder();
  const noLinks = withLock(() => Promise.resolve(), false);
  expect((await command(at, { disk: noLinks })).problem).toBeNull();
  const path = join(at, 'lock.json');
  writeFileSync(path, '');
  expect((await command(at, { disk: noLinks })).problem).toContain('another command is at work');
  utimesSync(path, 1000, 1000);
  expect((await command(at, { disk: noLinks })).problem).toBeNull();
  expect(readdirSync(at)).not.toContain('lock.json');
});

test('of two commands that find the lock of a dead one, one works', async () => {
  const at = folder();
  await command(at);
  writeFileSync(join(at, 'lock.json'), JSON.stringify({ pid: 2 ** 30, host: hostname() }));
  const both = await Promise.all([new SweepFolder(at), new SweepFolder(at)].map((kept) => kept.enter(sweep)));
  expect(both.filter((problem) => problem === null)).toHaveLength(1);
});

test('a full disk ends the work in one sentence; what was kept stays, and the same command goes on', async () => {
  const at = folder();
  let writes = 0;
  const disk: Disk = {
    ...node,
    open: async (path, flags) => {
      const file = await node.open(path, flags);
      if (!String(path).includes('cells/.lab')) return file;
      const write = file.writeFile.bind(file);
      file.writeFile = async (text) => {
        if (++writes > 5) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        await write(text);
      };
      return file;
    },
  };
  const { problem, trained } = await command(at, { disk, lanes: 1 });
  expect(problem).toMatch(/^“.+” could not be written: the disk is full\.$/);
  expect(trained).toEqual(['GRPO, seed 1', 'RLOO, seed 1']);
  expect((await command(at)).trained).toHaveLength(2);
  expect(contents(at)).toEqual(await whole());
});

test('a cell that fails leaves the others alone', async () => {
  const failing: Trainer = {
    train: (cell, tell) =>
      cell.seed === 1 ? Promise.resolve({ problem: 'A number was not finite.' }) : remembering.train(cell, tell),
    end: () => undefined,
  };
  const ended: [string, boolean][] = [];
  const problem = await train(sweep.cells, new Working(4), {
    trainers: [failing],
    keep: () => Promise.resolve(null),
    now: () => 0,
    isAsked: () => false,
    ended: ({ name }, outcome) => void ended.push([name, typeof outcome !== 'string']),
  });
  expect(problem).toBeNull();
  expect(ended).toEqual([
    ['GRPO, seed 1', false],
    ['RLOO, seed 1', false],
    ['GRPO, seed 2', true],
    ['RLOO, seed 2', true],
  ]);
});

test('time left: of a cell by its own pace, of the whole by the cells that ended', () => {
  const cell = { name: 'GRPO, seed 1', seconds: 30, share: 0.25 };
  expect(workLine(cell)).toBe('GRPO, seed 1: 25 %, 2 min left');
  expect(workLine({ ...cell, share: 0 })).toBe('GRPO, seed 1: 0 %');
  expect(timeLeft([], [{ ...cell, share: 0 }], 3)).toBeNull();
  // two lanes, 90 s and 30 s to go, four cells of 60 s wait: 360 s of work on two lanes
  expect(timeLeft([60], [cell, { ...cell, share: 0.5 }], 4)).toBe(180);
  expect(timeLeft([60], [cell], 0)).toBe(90);
  expect([3, 200, 9000].map(duration)).toEqual(['3 s', '3 min', '2.5 h']);
});
