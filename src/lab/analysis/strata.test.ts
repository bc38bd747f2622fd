import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { profilesFigure } from './comparisonFigures.ts';
import { compareGroups, profilesOf } from './comparison.ts';
import { comparisonCells, comparisonCsv, comparisonNotes } from './comparisonTable.ts';
import { commonTasks, scoredBy, type Member, type MemberGroup } from './strata.ts';
import { usualScore } from './usualScore.ts';

/** Scores by task and seed; a run's curve rises from 0 to its score. */
function group(name: string, scores: Readonly<Record<string, readonly number[]>>, firstSeed = 1): MemberGroup {
  const members = Object.entries(scores).flatMap(([task, list]) =>
    list.map((score, k): Member => {
      const evaluations = { steps: [0, 10], success: [0, score] };
      return { seed: firstSeed + k, score, envSteps: 10, evaluations, task };
    }),
  );
  return { name, members };
}

const average = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0) / x.length;

test('seeds are drawn inside each task: an easy and a hard one do not make a sure method look unsure', () => {
  const { rows, tasks } = compareGroups([group('a', { easy: [1, 1, 1, 1], hard: [0, 0, 0, 0] })], 0.5);
  expect(tasks).toEqual(['easy', 'hard']);
  // drawn from all eight, the mean would vary between 0 and 1
  expect(rows[0]).toMatchObject({ n: 8, mean: 0.5, meanInterval: [0.5, 0.5], medianOfTasks: 0.5, gap: 0.5 });
  // the middle four of 0 0 0 0 1 1 1 1
  expect(rows[0]).toMatchObject({ iqm: 0.5, interval: [0.5, 0.5] });
});

test('the interval of the mean over two tasks is that of independent draws in each', () => {
  const even = Array.from({ length: 30 }, (_, k) => k / 29);
  const narrow = even.map((x) => 0.4 + 0.2 * x);
  const { rows } = compareGroups([group('a', { wide: even, narrow })], 0.5);
  // population variance of 0, 1/29 … 1: (30² − 1) / 12 / 29²
  const variance = (30 ** 2 - 1) / 12 / 29 ** 2;
  const se = Math.sqrt((variance + 0.04 * variance) / 30) / 2;
  const [low, high] = rows[0]!.meanInterval!;
  expect(Math.abs(low - (0.5 - 1.96 * se))).toBeLessThan(0.15 * se);
  expect(Math.abs(high - (0.5 + 1.96 * se))).toBeLessThan(0.15 * se);
});

test('paired over several tasks: seeds are flipped as a whole, and every pattern is looked at', () => {
  const [x, y] = [
    { one: [0.5, 0.7, 0.9, 0.4], two: [0.2, 0.1, 0.6, 0.3] },
    { one: [0.4, 0.5, 0.5, 0.5], two: [0.3, 0.1, 0.2, 0.1] },
  ];
  const { rows } = compareGroups([group('y', y), group('x', x)], 0.5);
  const differences = x.one.map((_, j) => (x.one[j]! - y.one[j]! + x.two[j]! - y.two[j]!) / 2);
  let extreme = 0;
  for (const a of [1, -1])
    for (const b of [1, -1])
      for (const c of [1, -1])
        for (const d of [1, -1]) {
          const flipped = [a, b, c, d].reduce((sum, sign, j) => sum + sign * differences[j]!, 0);
          if (Math.abs(flipped) >= Math.abs(differences.reduce((p, q) => p + q, 0)) - 1e-9) extreme++;
        }
  const found = rows[1]!.against!;
  expect(found).toMatchObject({ paired: 4, p: extreme / 16 });
  expect(found.difference).toBeCloseTo(average(differences), 12);
  expect(found.perTask[0]).toBeCloseTo(average(x.one) - average(y.one), 12);
  expect(found.perTask[1]).toBeCloseTo(average(x.two) - average(y.two), 12);
  const squares = differences.map((d) => (d - average(differences)) ** 2);
  expect(found.se).toBeCloseTo(Math.sqrt(squares.reduce((p, q) => p + q, 0) / 3 / 4), 12);
});

test('unpaired over several tasks: whole seeds change sides, and every split is looked at', () => {
  const x = { one: [0.9, 0.8, 0.3], two: [0.8, 0.4, 0.7] };
  const y = { one: [0.1, 0.5, 0.2], two: [0.2, 0.6, 0.1] };
  const { rows } = compareGroups([group('y', y), group('x', x, 50)], 0.5);
  const means = [x, y].flatMap(({ one, two }) => one.map((score, j) => (score + two[j]!) / 2));
  const gap = (side: readonly number[]): number =>
    Math.abs(average(side.map((k) => means[k]!)) - average(means.filter((_, k) => !side.includes(k))));
  const sides: number[][] = [];
  for (let a = 0; a < 6; a++) for (let b = a + 1; b < 6; b++) for (let c = b + 1; c < 6; c++) sides.push([a, b, c]);
  const extreme = sides.filter((side) => gap(side) >= gap([0, 1, 2]) - 1e-9).length;
  const found = rows[1]!.against!;
  expect(found.paired).toBeNull();
  expect(found.p).toBeCloseTo(extreme / 20, 12);
  // of nine pairs on each task: 8 won on the first, 8 on the second
  expect(found.improvement).toBeCloseTo((8 / 9 + 8 / 9) / 2, 12);
  expect(found.difference).toBeCloseTo(average([...x.one, ...x.two]) - average([...y.one, ...y.two]), 12);
});

test('only tasks that all groups have are compared, and the rest is counted', () => {
  const groups = [group('a', { one: [0.1, 0.2, 0.3], two: [1, 1, 1] }), group('b', { one: [0.2, 0.3, 0.4] })];
  expect(commonTasks(groups)).toEqual(['one']);
  const comparison = compareGroups(groups, 0.5);
  expect(comparison.leftOut).toBe(3);
  expect(comparison.rows[0]!.mean).toBeCloseTo(0.2, 12);
  expect(comparisonNotes(comparison).join(' ')).toContain('Runs on tasks that some group lacks are not counted: 3.');
  expect(commonTasks([group('a', { one: [1] }), group('b', { two: [1] })])).toEqual([]);
});

test('seeds that a group lacks on some task are not paired; two of a task have no interval', () => {
  const a = group('a', { one: [0.1, 0.2, 0.3], two: [0.1, 0.2] });
  const b = group('b', { one: [0.3, 0.4, 0.5], two: [0.3, 0.4, 0.5] });
  const { rows } = compareGroups([a, b], 0.5);
  expect(rows[1]!.against!.paired).toBe(2);
  expect(rows[0]!.interval).toBeNull();
  expect(rows[1]!.interval).not.toBeNull();
  expect(profilesOf([a, b], [0.2]).map(({ band }) => band === null)).toEqual([true, false]);
  expect(profilesFigure([a, b])).toContain('a (5 runs on 2 tasks, too few for a band)');
});

test('a method that ran with no seed on all tasks has no p, and Holm counts those that have one', () => {
  const lone: MemberGroup = {
    name: 'lone',
    members: [...group('', { one: [0.5, 0.6, 0.7] }).members, ...group('', { two: [0.5, 0.6, 0.7] }, 70).members],
  };
  const both = { one: [0.1, 0.2, 0.3], two: [0.1, 0.2, 0.3] };
  const { rows } = compareGroups([group('a', both), lone, group('c', both, 90)], 0.5);
  expect(rows[1]!.against!.p).toBeNull();
  // six seeds in two equal halves: every split is as extreme, and this is the only test
  expect(rows[2]!.against!.p).toBe(1);
  expect(
    comparisonCells({ rows, threshold: 0.5, tasks: ['one', 'two'], limits: [10, 10], leftOut: 0 }).rows[1]![8],
  ).toBe('–');
});

test('runs can be judged by their last or best evaluation, or by the area under their curve', () => {
  const curve = (success: readonly number[]): MemberGroup => ({
    name: 'a',
    members: [{ seed: 1, score: 0.6, envSteps: 20, evaluations: { steps: [0, 10, 20], success } }],
  });
  const score = (kind: Parameters<typeof scoredBy>[1]): number =>
    scoredBy([curve([0, 1, 0.5])], kind)[0]!.members[0]!.score;
  expect([score('lastTenth'), score('final'), score('best')]).toEqual([0.6, 0.5, 1]);
  // (0 + 1)/2 over the first half, (1 + 0.5)/2 over the second
  expect(score('area')).toBeCloseTo(0.625, 12);
});

test('at equal steps: the end of a long run does not count, and a run that diverged has 0', () => {
  const member = (envSteps: number, steps: number[], success: number[]): Member => ({
    ...{ seed: 1, score: success.at(-1)!, envSteps, evaluations: { steps, success } },
  });
  const groups = [
    // 100 steps are what all have taken: the evaluations from 90 on count
    { name: 'short', members: [member(100, [0, 50, 91, 99], [0, 0.2, 0.4, 0.6])] },
    { name: 'long', members: [member(900, [0, 95, 100, 101, 890], [0, 0.1, 0.3, 0.9, 1])] },
    // none in the last tenth: the last one before it
    { name: 'seldom', members: [member(400, [0, 40, 300], [0, 0.5, 1])] },
    { name: 'lost', members: [{ ...member(20, [0, 20], [0, 0]), diverged: 7 }] },
  ];
  const scores = scoredBy(groups, 'equalSteps').map(({ members }) => members[0]!.score);
  expect(scores).toEqual([0.5, 0.2, 0.5, 0]);
  const notes = (kind: Parameters<typeof scoredBy>[1]) =>
    comparisonNotes(compareGroups(scoredBy(groups, kind), 0.5), kind).join(' ');
  expect(notes('equalSteps')).toContain('all of them are charged');
  expect(notes('lastTenth')).not.toContain('charged');
});

test('equal steps are usual where updates differ in cost', () => {
  const of = (...changes: Record<string, unknown>[]) => usualScore(changes.map((one) => configWith(one)));
  expect(of({}, { 'advantage.method': 'rloo' })).toBe('lastTenth');
  expect(of({}, { 'rollout.method': 'arpo' })).toBe('equalSteps');
  expect(of({ 'source.method': 'omniReset' })).toBe('equalSteps');
});

test('the table as text has every number in full, and none where there is none', () => {
  const comparison = compareGroups([group('a "b"', { one: [0.1, 0.2] }), group('c', { one: [0.3, 0.5] })], 0.9);
  const [head, first, second] = comparisonCsv(comparison)
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  expect(first![0]).toBe('"a ""b"""');
  expect([first, second].map((line) => line!.length)).toEqual([head!.length, head!.length]);
  const at = (name: string, line: readonly string[]): string => line[head!.indexOf(name)]!;
  expect(at('iqmLow', second!)).toBe('');
  expect(at('medianSteps', second!)).toBe('Infinity');
  expect(Number(at('difference', second!))).toBeCloseTo(0.25, 12);
  expect(at('difference', first!)).toBe('');
});
