import { interval95 } from '../../core/seeds.ts';
import { drawsOf } from './fit.ts';
import type { Layout } from './layout.ts';
import { AHEAD, type Moment } from './sample.ts';

export type ProbeRow = {
  readonly what: 'seen' | 'earlier' | 'never' | 'agent' | 'near' | 'goal' | 'goalNear' | 'action';
  /** steps ahead, of an action */
  readonly k: number;
  /** answers that were asked for */
  readonly n: number;
  /** balanced accuracy of cells, share of right answers of all else, with the 95 % bootstrap interval over levels */
  readonly policy: number;
  readonly low: number;
  readonly high: number;
  readonly untrained: number;
  readonly observation: number;
  readonly shuffled: number;
};

const DRAWS = 400;
const NEAR = 1;

export type Answers = Readonly<Record<'policy' | 'untrained' | 'observation' | 'shuffled', Int16Array>>;
/** Right answers and questions of one level, by class: a class is the answer that is true. */
type Tally = ReadonlyMap<number, readonly [right: number, asked: number]>;

/** Mean over the classes of the share of right answers; over everything that was asked where `isPlain`. */
function accuracyOf(tallies: readonly Tally[], isPlain: boolean): number {
  const sums = new Map<number, [number, number]>();
  for (const tally of tallies)
    for (const [label, [right, asked]] of tally) {
      const sum = sums.get(isPlain ? 0 : label) ?? [0, 0];
      sums.set(isPlain ? 0 : label, [sum[0] + right, sum[1] + asked]);
    }
  const shares = [...sums.values()].map(([right, asked]) => right / asked);
  return shares.reduce((sum, x) => sum + x, 0) / shares.length;
}

export function rowsOf(
  { cells, width, hasGoal, heads }: Layout,
  moments: readonly Moment[],
  truth: Int16Array,
  answers: Answers,
  seed: number,
): ProbeRow[] {
  const H = heads.length;
  /** What one level says about the heads that count there, and how an answer is judged. */
  const tally = (
    said: Int16Array,
    n: number,
    heads: readonly number[],
    isRight: (said: number, label: number) => boolean,
  ): Tally => {
    const found = new Map<number, [number, number]>();
    for (const h of heads) {
      const label = truth[n * H + h]!;
      if (label < 0) continue;
      const sum = found.get(label) ?? [0, 0];
      found.set(label, [sum[0] + Number(isRight(said[n * H + h]!, label)), sum[1] + 1]);
    }
    return found;
  };
  const equal = (a: number, b: number): boolean => a === b;
  const near = (a: number, b: number): boolean =>
    Math.max(Math.abs((a % width) - (b % width)), Math.abs(Math.floor(a / width) - Math.floor(b / width))) <= NEAR;
  const row = (
    what: ProbeRow['what'],
    k: number,
    headsOf: (n: number) => readonly number[],
    isRight = equal,
  ): ProbeRow => {
    const isPlain = what !== 'seen' && what !== 'earlier' && what !== 'never';
    const of = (said: Int16Array): Tally[] => moments.map((_, n) => tally(said, n, headsOf(n), isRight));
    const own = of(answers.policy);
    const [low, high] = interval(own, isPlain, seed);
    return {
      ...{ what, k, n: own.reduce((sum, one) => sum + [...one.values()].reduce((s, [, asked]) => s + asked, 0), 0) },
      ...{ policy: accuracyOf(own, isPlain), low, high },
      untrained: accuracyOf(of(answers.untrained), isPlain),
      observation: accuracyOf(of(answers.observation), isPlain),
      shuffled: accuracyOf(of(answers.shuffled), isPlain),
    };
  };
  const withStatus = (status: number) => (n: number) =>
    cells.flatMap((cell, h) => (moments[n]!.seen[cell] === status ? [h] : []));
  const agent = cells.length;
  const action = agent + (hasGoal ? 2 : 1);
  const all = [
    ...(
      [
        ['seen', 2],
        ['earlier', 1],
        ['never', 0],
      ] as const
    ).map(([what, status]) => row(what, 0, withStatus(status))),
    ...[row('agent', 0, () => [agent]), row('near', 0, () => [agent], near)],
    ...(hasGoal ? [row('goal', 0, () => [agent + 1]), row('goalNear', 0, () => [agent + 1], near)] : []),
    ...Array.from({ length: AHEAD }, (_, k) => row('action', k, () => [action + k])),
  ];
  return all.filter(({ n }) => n > 0);
}

/** 95 % of the accuracies on levels drawn again. */
function interval(tallies: readonly Tally[], isPlain: boolean, seed: number): [number, number] {
  const draw = drawsOf(seed);
  const found = Array.from({ length: DRAWS }, () =>
    accuracyOf(
      Array.from(tallies, () => tallies[Math.floor(draw() * tallies.length)]!),
      isPlain,
    ),
  );
  return interval95(found);
}
