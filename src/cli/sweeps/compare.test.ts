import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { trainCell } from '../../lab/sweep/cell.ts';
import type { Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { compareCommand } from './compare.ts';
import { SweepFolder } from './folder.ts';

const SMALL: Description = {
  base: 'key-door',
  set: { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2, 'analysis.evalEvery': 1 },
  vary: { 'advantage.method': ['grpo', 'rloo'] },
  seeds: 3,
  updates: 2,
};

let told: string[] = [];
beforeEach(() => {
  told = [];
  for (const way of ['log', 'error'] as const)
    vi.spyOn(console, way).mockImplementation((text: string) => void told.push(text));
});
afterEach(() => vi.restoreAllMocks());

/** A folder with the finished cells of a sweep, but for the last few. */
async function folderOf(changes: Partial<Description> = {}, without = 0): Promise<string> {
  const at = mkdtempSync(join(tmpdir(), 'horizon-compare-'));
  const sweep = (await expand({ ...SMALL, ...changes }, defaultConfig())) as Sweep;
  const kept = new SweepFolder(at);
  expect(await kept.enter(sweep)).toBeNull();
  expect(await kept.open(sweep, () => undefined)).toBeNull();
  for (const cell of sweep.cells.slice(0, sweep.cells.length - without)) {
    const trained = await trainCell(cell, () => Promise.resolve());
    if ('problem' in trained) throw new Error(trained.problem);
    expect(await kept.keep(cell, trained.result, trained.csv)).toBeNull();
  }
  await kept.leave();
  return at;
}

const compare = (words: readonly string[], options: Record<string, string> = {}): Promise<number> =>
  compareCommand({ words: ['compare', ...words], options, sets: [] });

/** Group and n of the lines of the table. */
const lines = (): string[][] =>
  told[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name, n]) => [name!, n!]);

test('a table is printed and kept with its figures, and is the same every time', async () => {
  const at = await folderOf();
  expect(await compare([at])).toBe(0);
  expect(lines()).toEqual([
    ['GRPO', '3'],
    ['RLOO', '3'],
  ]);
  const files = ['comparison.csv', 'comparison.md', 'curves.svg', 'improvement.svg', 'profiles.svg'];
  expect(readdirSync(join(at, 'comparison')).sort()).toEqual(files);
  const texts = files.map((name) => readFileSync(join(at, 'comparison', name), 'utf8'));
  expect(texts[1]).toBe(told[0]);
  const elsewhere = join(at, 'elsewhere');
  expect(await compare([at], { out: elsewhere })).toBe(0);
  expect(files.map((name) => readFileSync(join(elsewhere, name), 'utf8'))).toEqual(texts);
});

test('groups of several sweeps that are equal but for the seed are one; others of one name are told apart', async () => {
  const more = await folderOf({ vary: { 'advantage.method': ['grpo'] }, seeds: [2, 9] });
  const longer = await folderOf({ vary: { 'advantage.method': ['rloo', 'gigpo'] }, updates: 3 });
  // a sweep of one group names it “base”
  expect(await compare([await folderOf(), more, longer])).toBe(0);
  expect(lines()).toEqual([
    ['GRPO', '4'],
    [expect.stringMatching(/^RLOO \(.+\)$/), '3'],
    [`RLOO (${longer.split('/').at(-1)})`, '3'],
    ['GiGPO', '3'],
  ]);
});

test('cells that are not finished are named and not counted', async () => {
  expect(await compare([await folderOf({}, 2)])).toBe(0);
  expect(told[0]).toContain('Not finished and not counted, 2: GRPO, seed 3; RLOO, seed 3.');
  expect(told[0]).toContain('(too few seeds)');
  expect(lines().map(([, n]) => n)).toEqual(['2', '2']);
});

test('what cannot be compared is refused in one sentence', async () => {
  const nothing = mkdtempSync(join(tmpdir(), 'horizon-compare-'));
  const at = await folderOf();
  for (const [words, options, sentence] of [
    [[nothing], {}, /is not the folder of a sweep: it has no plan\.json\.$/],
    [[await folderOf({}, 6)], {}, /^No cell of these sweeps is finished yet\.$/],
    [[at], { threshold: '2' }, /^--threshold takes a success between 0 and 1\.$/],
    [[at], { out: '/proc/x' }, /cannot be kept/],
  ] as const) {
    told = [];
    expect(await compare(words, options)).toBe(1);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(sentence);
  }
  rmSync(nothing, { recursive: true });
});
