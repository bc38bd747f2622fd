import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { presetById, presetConfig } from '../../config/presets.ts';
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
    expect(await kept.keep(cell, trained)).toBeNull();
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
  expect(told[0]).toContain('Without a result and not counted, 2: GRPO, seed 3; RLOO, seed 3.');
  expect(told[0]).toContain('(too few seeds)');
  expect(lines().map(([, n]) => n)).toEqual(['2', '2']);
});

test('a run that diverged counts with score 0, and the table says how many did', async () => {
  const at = mkdtempSync(join(tmpdir(), 'horizon-compare-'));
  const base = presetConfig(presetById('alarm-non-finite')!);
  const calm = { 'optimizer.learningRate': 0.001 };
  const sweep = await expand(
    {
      base: 'alarm-non-finite',
      cells: [
        { name: 'calm', set: calm },
        { name: 'wild', set: {} },
      ],
      seeds: 3,
      updates: 6,
    },
    base,
  );
  if (typeof sweep === 'string') throw new Error(sweep);
  const kept = new SweepFolder(at);
  await kept.enter(sweep);
  await kept.open(sweep, () => undefined);
  const diverged: string[] = [];
  for (const cell of sweep.cells) {
    const trained = await trainCell(cell, () => Promise.resolve());
    if ('problem' in trained) throw new Error(trained.problem);
    if (trained.result.diverged !== undefined) diverged.push(cell.name);
    await kept.keep(cell, trained);
  }
  await kept.leave();
  expect(diverged).toEqual(['wild, seed 1', 'wild, seed 2', 'wild, seed 3']);
  expect(await compare([at])).toBe(0);
  expect(lines()).toEqual([
    ['calm', '3'],
    ['wild', '3, 3 diverged'],
  ]);
  expect(told[0]).toContain('A run that diverged counts: its score is 0');
  const [, calmRow, wildRow] = readFileSync(join(at, 'comparison', 'comparison.csv'), 'utf8').split('\n');
  expect([calmRow, wildRow].map((row) => row!.split(',').slice(0, 4).join())).toMatchObject([
    expect.stringMatching(/^"calm",3,0,/),
    '"wild",3,3,0',
  ]);
});

test('what cannot be compared is refused in one sentence', async () => {
  const nothing = mkdtempSync(join(tmpdir(), 'horizon-compare-'));
  const at = await folderOf();
  for (const [words, options, sentence] of [
    [[nothing], {}, /is not the folder of a sweep: it has no plan\.json\.$/],
    [[await folderOf({}, 6)], {}, /^No cell of these sweeps is finished yet\.$/],
    [[at], { score: 'luck' }, /^--score is one of lastTenth, equalSteps, final, best, area\.$/],
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

test('groups that are equal but for their task become one, with the tasks as strata; another score is another table', async () => {
  const at = await folderOf({ vary: { 'advantage.method': ['grpo', 'rloo'], 'task.levels': [1, 2] } });
  expect(await compare([at])).toBe(0);
  expect(lines()).toHaveLength(4);
  told = [];
  expect(await compare([at], { tasks: 'true', score: 'best' })).toBe(0);
  expect(lines()).toEqual([
    ['GRPO', '6'],
    ['RLOO', '6'],
  ]);
  expect(told[0]).toContain('Several tasks (2): seeds are drawn inside each');
  expect(told[0]).toContain('the score of a run is the best evaluation, which is optimistic');
});
