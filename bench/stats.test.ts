import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBenchArgs } from './args.ts';
import { keeper, readReports } from './report.ts';
import { compare, distance, judge, quantile, race, rowOf, timingOf } from './stats.ts';
import { jsonOf, markdownTable, peerWins, short, wrongReport } from './table.ts';
import { withFound, type Found } from './python.ts';
import type { Contender, Report } from './types.ts';

const timing = (ms: number) => timingOf([ms], 1);
const row = rowOf('step', '2×2', { ours: timing(2), 'ours ts': timing(4), a: timing(6), b: timing(1) });
const device = { adapter: 'x', software: true, engine: 'y', cores: 2 };
const contender = (name: string, result: number, log: string[] = []): Contender => ({
  name,
  run: async (times) => void log.push(`${name}${times}`),
  check: async () => Float32Array.of(result),
  dispose: () => void log.push(`${name} gone`),
});
const effort = { rounds: 4, blockMs: 0, budgetMs: 1000, until: Infinity };

test('quantiles lie between the two nearest numbers', () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5); // between 2 and 3
  expect(quantile([5], 0.25)).toBe(5);
  expect(timingOf([3, 1, 2, 5, 4], 7)).toEqual({ ms: 3, low: 2, high: 4, n: 5, times: 7 });
});

test('a result that is not finite, or of another length, agrees with nothing', () => {
  expect(distance([1, 2], [1, 2])).toBe(0);
  expect(distance([3, 0], [0, 4])).toBe(1.25); // √(9 + 16) / 4
  expect(distance([NaN], [NaN])).toBe(Infinity);
  expect(distance([1], [1, 2])).toBe(Infinity);
});

test('a row compares the fastest of our forms with the best peer', () => {
  expect(row).toMatchObject({ oursMs: 2, peers: { a: 6, b: 1 }, bestPeer: 'b', ratio: 0.5 });
  expect(judge(2, {})).toEqual({ bestPeer: null, ratio: null });
  expect(peerWins([row])).toEqual(['b is 2 times as fast as ours in step, 2×2.']);
});

test('contenders run in turn and each round starts with the next one', async () => {
  const log: string[] = [];
  const timings = await race([contender('a', 1, log), contender('b', 1, log)], effort);
  // a warm-up and a first guess of the time, then four rounds
  const rounds = log.filter((line) => line !== 'a2' && line !== 'b2').slice(2);
  expect(rounds.map((line) => line[0]).join('')).toBe('abbaabba');
  expect(timings['a']!.n).toBe(4);
});

test('a peer that is wrong or throws is left out by name; ours fails the row', async () => {
  const make = (name: string, result: number) => ({ name, make: async () => contender(name, result) });
  const broken = { name: 'c', make: () => Promise.reject(new Error('no device')) };
  const off = (result: Float32Array): number => distance(result, [1]);
  const { timings, note } = await compare([make('ours', 1), make('b', 2), broken], off, 0.1, effort);
  expect(Object.keys(timings)).toEqual(['ours']);
  expect(note).toBe('b left out: its result is off by 1.0e+0; c left out: no device');
  await expect(compare([make('ours', 2)], off, 0.1, effort)).rejects.toThrow('ours: its result is off');
});

test('a peer that breaks while it is timed is left out; a work of ours under another name fails the row', async () => {
  const once = (name: string): Contender => {
    let runs = 0;
    const run = (): Promise<void> => (runs++ < 3 ? Promise.resolve() : Promise.reject(new Error('out of memory')));
    return { ...contender(name, 1), run, dispose: () => Promise.reject(new Error('gone')) };
  };
  const ours = { name: 'ours', make: async () => contender('ours', 1) };
  const tired = { name: 'b', make: async () => once('b') };
  const off = (result: Float32Array): number => distance(result, [1]);
  const { timings, note } = await compare([ours, tired], off, 0.1, effort);
  expect(Object.keys(timings)).toEqual(['ours']);
  expect(timings['ours']!.n).toBe(4);
  expect(note).toBe('b left out: out of memory');
  const single = { name: 'single runs', isOurs: true, make: async () => contender('single runs', 2) };
  await expect(compare([ours, single], off, 0.1, effort)).rejects.toThrow('single runs: its result is off');
});

test('when time is over peers are left out and a round is enough', async () => {
  const make = (name: string) => ({ name, make: async () => contender(name, 1) });
  const over = { ...effort, until: 0 };
  const { timings, note } = await compare([make('ours'), make('b')], () => 0, 0, over);
  expect(timings['ours']!.n).toBe(1);
  expect(note).toBe('b left out: a quick look had no time for it');
});

test('Python joins the row of its device, if its result is right', () => {
  const shape = 'key and door, 16×8 episodes, T 30, hidden 64';
  const update = rowOf('full update cpu', shape, { ours: timing(2) }, {}, 'a note');
  const found = (share: number): Found => ({
    python: 'x',
    rows: { 'full update': { 16: { numpy: [4, 6, 5] }, 64: { numpy: [1] } } },
    checks: { 'full update': { 16: { numpy: [share] } } },
  });
  expect(withFound(update, found(0.9))).toMatchObject({ peers: { numpy: 5 }, ratio: 2.5, note: 'a note' });
  // what ran on one thread belongs to the rows of one thread, and to no others
  expect(withFound(update, found(0.9), 1)).toMatchObject({ peers: {}, ratio: null });
  const alone = { ...update, name: 'full update cpu, one thread' };
  expect(withFound(alone, found(0.9), 1)).toMatchObject({ peers: { numpy: 5 } });
  expect(withFound(alone, found(0.9))).toMatchObject({ peers: {} });
  const wrong = withFound(update, found(0.1));
  expect(wrong).toMatchObject({ peers: {}, ratio: null });
  expect(wrong.note).toBe('a note; numpy left out: success after 15 updates is 0.1');
  const step = (name: string) => rowOf(name, '128-128-4, batch 2', { ours: timing(2) });
  const cuda = { python: 'x', rows: { 'training step': { 2: { 'torch cuda': [1] } } }, checks: {} };
  expect(withFound(step('training step cpu'), cuda).note).toBe('');
  expect(withFound(step('training step webgpu'), cuda).note).toContain('torch cuda left out');
});

test('the JSON has the documented shape, and a wrong one is named', () => {
  const report: Report = { device, rows: [row], failures: [], skipped: [] };
  const read = JSON.parse(jsonOf(report)) as { rows: object[] };
  expect(wrongReport(read)).toBeNull();
  expect(read).not.toHaveProperty('skipped');
  expect(JSON.parse(jsonOf({ ...report, skipped: ['a, b'] }))).toMatchObject({ skipped: ['a, b'] });
  expect(wrongReport({ ...read, rows: [] })).toBe('The report has no rows.');
  expect(wrongReport({ ...read, rows: [{ ...read.rows[0], oursMs: 0 }] })).toContain('no time of ours');
  expect(wrongReport({ ...read, rows: [{ ...read.rows[0], bestPeer: 'a' }] })).toContain('wrong best peer');
  expect(wrongReport({ ...read, rows: [{ ...read.rows[0], ratio: 2 }] })).toContain('wrong ratio');
});

test('tables name who wins and stay tables', () => {
  const lines = markdownTable([{ ...row, note: 'a | b' }]).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[2]).toContain('0.5 b wins');
  expect(lines[2]).toContain('a \\| b');
  expect([short(12_345.6), short(0.123_456), short(0)]).toEqual(['12,346', '0.123', '0']);
});

test('the words of the command are read, and a wrong one gets a sentence', () => {
  expect(readBenchArgs(['matmul', '--quick', '--json', 'x.json', '--backend', 'cpu'])).toMatchObject({
    ...{ command: 'matmul', quick: true, json: 'x.json', backend: 'cpu', node: false },
  });
  expect(readBenchArgs(['all', '--gpu', '--report', 'there'])).toMatchObject({
    ...{ gpu: true, backend: 'webgpu', report: 'there' },
  });
  expect(readBenchArgs([])).toMatch(/^Usage/);
  expect(readBenchArgs(['credit', '--fast'])).toMatch(/^There is no option --fast/);
  expect(readBenchArgs(['credit', '--only'])).toBe('The option --only needs a value.');
  expect(readBenchArgs(['credit', '--backend', 'tpu'])).toMatch(/webgpu or cpu/);
});

test('reports are kept row by row, and those of one device become one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const [first, second] = [join(folder, 'a'), join(folder, 'b')];
  keeper(first, () => device)([row]);
  keeper(second, () => device)([{ ...row, note: 'again' }, rowOf('other', '1×1', { ours: timing(3) })]);
  const files = [first, second].map((one) => join(one, 'report.json'));
  const both = readReports(files);
  expect(both.device).toEqual(device);
  expect(both.rows.map(({ name, note }) => [name, note])).toEqual([
    ['step', 'again'],
    ['other', ''],
  ]);
  expect(readFileSync(join(second, 'report.md'), 'utf8')).toContain('x (software), y, 2 cores.');
  keeper(second, () => ({ ...device, adapter: 'z' }))([row]);
  expect(() => readReports(files)).toThrow('is of another device (z)');
  rmSync(folder, { recursive: true });
});
