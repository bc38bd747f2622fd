import { expect, test } from 'vitest';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { bootstrapInterval, probabilityOfImprovement } from '../../core/seeds.ts';
import { iqm, mean } from '../../core/stats.ts';
import { bootstrapBand, bootstrapTwo, groupCurve } from './bands.ts';
import { compareGroups, doCross, profilesOf } from './comparison.ts';
import { curvesFigure, improvementFigure, profilesFigure } from './comparisonFigures.ts';
import { Plot, ticksOf } from './plot.ts';
import type { Member, MemberGroup } from './strata.ts';

const member = (seed: number, score: number, success = [0, score, score]): Member => ({
  ...{ seed, score, envSteps: 30 },
  evaluations: { steps: success.map((_, k) => 10 * k), success },
});
const group = (name: string, scores: readonly number[], firstSeed = 1): MemberGroup => ({
  name,
  members: scores.map((score, k) => member(firstSeed + k, score)),
});

test('the golden values of the statistics over runs hold', () => {
  const entries = goldenObjective('ablation');
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});

test('a band is the interval of each of its points', () => {
  const runs = [
    [0.1, 0.5],
    [0.3, 0.9],
    [0.2, 0.4],
    [0.8, 0.6],
  ];
  const band = bootstrapBand([4], (seeds) => [0, 1].map((k) => iqm(Array.from(seeds, (s) => runs[s]![k]!))))!;
  for (const k of [0, 1])
    expect([band.low[k], band.high[k]]).toEqual(bootstrapInterval([runs.map((run) => run[k]!)], iqm));
  expect(bootstrapBand([2], () => [0])).toBeNull();
});

test('the interval of two methods: none under three seeds, sure where every run of one is better', () => {
  const improvement = (x: number[], y: number[]) => bootstrapTwo([x], [y], probabilityOfImprovement);
  expect(improvement([1, 2], [0, 0, 0])).toBeNull();
  expect(improvement([5, 6, 7], [1, 2, 3])).toEqual([1, 1]);
  expect(improvement([1, 1, 1], [1, 1, 1])).toEqual([0.5, 0.5]);
  // drawn apart from each other: the same numbers do not stay level with themselves
  const [low, high] = improvement([1, 2, 3, 4], [1, 2, 3, 4])!;
  expect(low).toBeLessThan(0.3);
  expect(high).toBeGreaterThan(0.7);
});

test('an interval of a difference covers the true one about as often as it says', () => {
  // 60 pairs of groups of 20 whose true means differ by 0.25, from a fixed sequence
  let state = 7;
  const draw = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
  let covered = 0;
  for (let k = 0; k < 60; k++) {
    const x = Array.from({ length: 20 }, () => draw() + 0.25);
    const y = Array.from({ length: 20 }, draw);
    const [low, high] = bootstrapTwo([x], [y], (a, b) => mean(a[0]!) - mean(b[0]!))!;
    if (low <= 0.25 && 0.25 <= high) covered++;
  }
  expect(covered).toBeGreaterThanOrEqual(52);
  expect(covered).toBeLessThan(60);
});

test('a curve of a group ends with its shortest run and is straight between evaluations', () => {
  const curve = groupCurve(
    [
      { steps: [0, 10, 40], success: [0, 1, 1] },
      { steps: [0, 20], success: [0, 1] },
    ],
    5,
  );
  expect(curve.steps).toEqual([0, 5, 10, 15, 20]);
  expect(curve.iqm).toEqual([0, 0.375, 0.75, 0.875, 1]);
  expect(curve.band).toBeNull();
});

test('a run that diverged counts as 0 after its end, and does not shorten the curve of its group', () => {
  const whole = { steps: [0, 40], success: [0, 1] };
  const fell = { steps: [0, 10], success: [1, 0] };
  expect(groupCurve([whole, fell], 3)).toMatchObject({ steps: [0, 5, 10], iqm: [0.5, 0.3125, 0.125] });
  const counted = groupCurve([whole, { ...fell, diverged: 3 }], 3);
  expect(counted).toMatchObject({ steps: [0, 20, 40], iqm: [0.5, 0.25, 0.5] });
  expect(groupCurve([{ ...fell, diverged: 3 }], 2).steps).toEqual([0, 10]);
});

test('groups with the same seeds are compared seed by seed, and Holm counts all of the table', () => {
  const groups = [group('a', [0.1, 0.2, 0.3]), group('b', [0.2, 0.4, 0.6]), group('c', [0.1, 0.2, 0.3])];
  const { rows } = compareGroups(groups, 0.4);
  expect(rows[0]).toMatchObject({ name: 'a', n: 3, against: null });
  expect(rows[0]!.mean).toBeCloseTo(0.2, 12);
  const b = rows[1]!.against!;
  expect(b).toMatchObject({ paired: 3, p: 0.5 }); // 2 of 8 patterns, twice for two comparisons
  expect(b.difference).toBeCloseTo(0.2, 12);
  expect(b.correlation).toBeCloseTo(1, 12);
  // of nine pairs seven are won, and one is even
  expect(b.improvement).toBeCloseTo(7.5 / 9, 12);
  expect(rows[2]!.against).toMatchObject({ p: 1, difference: 0, improvement: 0.5 });
});

test('groups with other seeds are compared as a whole, by permutations', () => {
  const { rows } = compareGroups([group('a', [0.1, 0.2, 0.3]), group('b', [0.7, 0.8, 0.9], 50)], 0.5);
  // 2 of the 20 splits are as far apart
  expect(rows[1]!.against).toMatchObject({ paired: null, correlation: null });
  expect(rows[1]!.against!.p).toBeCloseTo(0.1, 12);
  expect(rows[1]!.against!.interval![0]).toBeGreaterThan(0.4);
});

test('seeds that only one group has do not count where the others are compared seed by seed', () => {
  const { rows } = compareGroups([group('a', [0.1, 0.2, 0.3, 0.9]), group('b', [0.3, 0.4, 0.5])], 0.5);
  expect(rows[1]!.against!.paired).toBe(3);
  expect(rows[1]!.against!.difference).toBeCloseTo(0.2, 12);
});

test('two seeds have no interval anywhere', () => {
  const groups = [group('a', [0.1, 0.2]), group('b', [0.3, 0.4])];
  const { rows } = compareGroups(groups, 0.5);
  expect(rows.map(({ interval }) => interval)).toEqual([null, null]);
  expect(rows[1]!.against).toMatchObject({ interval: null, improvementInterval: null });
  expect(profilesOf(groups, [0.5]).map(({ band }) => band)).toEqual([null, null]);
});

test('runs that never reach the threshold count as infinitely long, and areas end with the shortest run', () => {
  const short = { ...member(2, 1, [1, 1, 1]), envSteps: 20 };
  const members = [member(1, 0.2), short, member(3, 0.1)];
  const { rows, limits } = compareGroups([{ name: 'a', members }], 0.9);
  expect(rows[0]!.steps).toEqual({ median: Infinity, share: 1 / 3 });
  expect(limits).toEqual([20]);
  // rises to the score within the first half
  expect(rows[0]!.area).toBeCloseTo((0.75 * 0.2 + 1 + 0.75 * 0.1) / 3, 12);
});

test('profiles cross if each is above the other somewhere', () => {
  const [a, b, c] = profilesOf([group('a', [0.5, 0.5]), group('b', [0.2, 0.8]), group('c', [0.5, 0.9])], [0.3, 0.6]);
  expect(doCross(a!, b!)).toBe(true);
  expect(doCross(a!, c!)).toBe(false);
  expect(doCross(a!, a!)).toBe(false);
});

/** Every tag is closed, and no number is missing. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  for (const [, end, name, self] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!self) open.push(name!);
  }
  expect(open).toEqual([]);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
}

test('figures show every seed, every group and its band, under its name', () => {
  const groups = [group('a < b', [0.1, 0.2, 0.3]), group('few', [0.3, 0.4])];
  const curves = curvesFigure(groups);
  expectWellFormed(curves);
  expect(curves.match(/<polyline/g)).toHaveLength(5 + 2);
  expect(curves.match(/<polygon/g)).toHaveLength(1);
  expect(curves).toContain('>a &lt; b (3 seeds)<');
  expect(curves).toContain('>few (2 seeds, too few for a band)<');
  const profiles = profilesFigure(groups);
  expectWellFormed(profiles);
  expect(profiles.match(/<polyline/g)).toHaveLength(2);
  const improvement = improvementFigure(compareGroups(groups, 0.5));
  expectWellFormed(improvement);
  expect(improvement.match(/<circle/g)).toHaveLength(1);
});

test('many groups stay apart: behind the colors come dashes', () => {
  const frame = { title: '', x: { from: 0, to: 1, label: '' }, y: { from: 0, to: 1, label: '' }, legend: [] };
  const drawn = Array.from({ length: 32 }, (_, k) => {
    const plot = new Plot(frame);
    plot.line(k, [0, 1], [0, 1]);
    return plot.svg();
  });
  expect(new Set(drawn).size).toBe(32);
});

test('ticks are round and inside the axis', () => {
  expect(ticksOf({ from: 0, to: 1, label: '' })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticksOf({ from: 0, to: 43_210, label: '' })).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
  expect(ticksOf({ from: 3, to: 3, label: '' })).toEqual([3]);
});

test('in a range the mean has as many points as over the whole curve, with the same values; after the shortest run it has none', () => {
  const curves = [0.2, 0.4, 0.6].map((y) => ({ steps: [0, 10], success: [0, y] }));
  const [all, part] = [groupCurve(curves, 11), groupCurve(curves, 3, [3], [4, 6])];
  expect(part.steps).toEqual([4, 5, 6]);
  part.iqm.forEach((y, k) => expect(y).toBeCloseTo(all.iqm[4 + k]!, 12));
  part.band!.low.forEach((y, k) => expect(y).toBeCloseTo(all.band!.low[4 + k]!, 12));
  expect(groupCurve(curves, 3, [3], [8, 99]).steps).toEqual([8, 9, 10]);
  expect(groupCurve(curves, 3, [3], [11, 99])).toEqual({ steps: [], iqm: [], band: null });
});
