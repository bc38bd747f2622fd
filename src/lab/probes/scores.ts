import { interval95 } from '../../core/seeds.ts';
import { drawsOf } from './fit.ts';
import type { Layout } from './layout.ts';
import type { Moment } from './sample.ts';

export type ProbeRow = {
  readonly what:
    | ('seen' | 'earlier' | 'never' | 'agent' | 'near' | 'goal' | 'goalNear')
    | ('path' | 'pathNear' | 'subgoal' | 'action');
  /** steps ahead, of a place or an action */
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
  /** how much of a control task the read-out of the policy learns: `policy` less this is its selectivity */
  readonly control: number;
};

const DRAWS = 400;
const NEAR = 1;

/** [rows, heads] what is said: by the policy, beside its controls. */
export type Answers = Readonly<Record<'policy' | 'untrained' | 'observation' | 'shuffled' | 'control', Int16Array>>;
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

/** `truth` and `control`: [rows, heads] right answers, and those of the control task. */
export function rowsOf(
  { cells, width, asked, heads }: Layout,
  moments: readonly Moment[],
  { truth, control }: { readonly truth: Int16Array; readonly control: Int16Array },
  answers: Answers,
  seed: number,
): ProbeRow[] {
  const H = heads.length;
  type IsRight = (said: number, label: number) => boolean;
  /** What one level says about the heads that count there, and how an answer is judged. */
  const tally = (said: Int16Array, right: Int16Array, n: number, heads: readonly number[], isRight: IsRight): Tally => {
    const found = new Map<number, [number, number]>();
    for (const h of heads) {
      const label = right[n * H + h]!;
      if (label < 0) continue;
      const sum = found.get(label) ?? [0, 0];
      found.set(label, [sum[0] + Number(isRight(said[n * H + h]!, label)), sum[1] + 1]);
    }
    return found;
  };
  const equal: IsRight = (a, b) => a === b;
  const near: IsRight = (a, b) =>
    Math.max(Math.abs((a % width) - (b % width)), Math.abs(Math.floor(a / width) - Math.floor(b / width))) <= NEAR;
  const row = (
    what: ProbeRow['what'],
    k: number,
    headsOf: (n: number) => readonly number[],
    isRight = equal,
  ): ProbeRow => {
    const isPlain = what !== 'seen' && what !== 'earlier' && what !== 'never';
    const of = (who: keyof Answers): Tally[] =>
      moments.map((_, n) => tally(answers[who], who === 'control' ? control : truth, n, headsOf(n), isRight));
    const own = of('policy');
    const [low, high] = interval(own, isPlain, seed);
    const share = (who: keyof Answers): number => accuracyOf(of(who), isPlain);
    return {
      ...{ what, k, n: own.reduce((sum, one) => sum + [...one.values()].reduce((s, [, asked]) => s + asked, 0), 0) },
      ...{ policy: accuracyOf(own, isPlain), low, high, untrained: share('untrained') },
      ...{ observation: share('observation'), shuffled: share('shuffled'), control: share('control') },
    };
  };
  const withStatus = (status: number) => (n: number) =>
    cells.flatMap((cell, h) => (moments[n]!.seen[cell] === status ? [h] : []));
  const all = [
    ...(
      [
        ['seen', 2],
        ['earlier', 1],
        ['never', 0],
      ] as const
    ).map(([what, status]) => row(what, 0, withStatus(status))),
    ...asked.flatMap(({ what, k }, j) => {
      const head = (): number[] => [cells.length + j];
      const exact = row(what, k, head);
      return what === 'subgoal' || what === 'action' ? [exact] : [exact, row(NEARLY[what], k, head, near)];
    }),
  ];
  return all.filter(({ n }) => n > 0);
}

const NEARLY = { agent: 'near', goal: 'goalNear', path: 'pathNear' } as const;

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
