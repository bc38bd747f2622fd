import type { Scores } from '../../core/seeds.ts';
import { mean } from '../../core/stats.ts';
import { areaUnderCurve } from './ablation.ts';
import type { Curve } from './bands.ts';

/** What a comparison reads of a run of one seed. */
export type Member = {
  readonly seed: number;
  readonly score: number;
  readonly envSteps: number;
  readonly evaluations: Curve;
  /** where a group ran on several tasks: which one; scores are then drawn inside each task */
  readonly task?: string;
  /** update in which it diverged; its score is 0 and so is its curve from there on */
  readonly diverged?: number | undefined;
};

/** Everything but the seed, and the task where there are several: the runs that are equal but for it. */
export type MemberGroup = { readonly name: string; readonly members: readonly Member[] };

const taskOf = ({ task = '' }: Member): string => task;

/** The tasks on which every group ran, in the order of the first group. Only there can they be compared. */
export function commonTasks(groups: readonly MemberGroup[]): string[] {
  const [first, ...others] = groups.map(({ members }) => new Set(members.map(taskOf)));
  return [...(first ?? [])].filter((task) => others.every((tasks) => tasks.has(task)));
}

/** Groups with their members on common tasks only, ordered by these tasks; how many members were left out. */
export type Stratified = {
  readonly tasks: readonly string[];
  readonly groups: readonly MemberGroup[];
  readonly leftOut: number;
};

export function stratified(groups: readonly MemberGroup[]): Stratified {
  const tasks = commonTasks(groups);
  const kept = groups.map(({ name, members }) => ({
    name,
    members: tasks.flatMap((task) => members.filter((member) => taskOf(member) === task)),
  }));
  const count = (all: readonly MemberGroup[]): number => all.reduce((n, { members }) => n + members.length, 0);
  return { tasks, groups: kept, leftOut: count(groups) - count(kept) };
}

/** Members by task. */
export const byTask = ({ members }: MemberGroup, tasks: readonly string[]): Member[][] =>
  tasks.map((task) => members.filter((member) => taskOf(member) === task));

/** Scores[task][seed]. */
export const scoresOf = (group: MemberGroup, tasks: readonly string[]): Scores =>
  byTask(group, tasks).map((members) => members.map(({ score }) => score));

/** The seeds with which a group ran on every task. */
export function completeSeeds(group: MemberGroup, tasks: readonly string[]): number[] {
  const [first, ...others] = byTask(group, tasks).map((members) => new Set(members.map(({ seed }) => seed)));
  return [...(first ?? [])].filter((seed) => others.every((seeds) => seeds.has(seed)));
}

/** Scores[task][seed] of these seeds, in their order; the group ran with them on every task. */
export function scoresWith(group: MemberGroup, tasks: readonly string[], seeds: readonly number[]): Scores {
  return byTask(group, tasks).map((members) => {
    const scores = new Map(members.map(({ seed, score }) => [seed, score]));
    return seeds.map((seed) => scores.get(seed)!);
  });
}

/** Environment steps up to which areas are taken on each task: those of the shortest run there that went to its end. */
export const limitsOf = ({ tasks, groups }: Stratified): number[] =>
  tasks.map((task) => {
    const all = groups.flatMap(({ members }) => members.filter((m) => taskOf(m) === task));
    const whole = all.filter(({ diverged }) => diverged === undefined);
    return Math.min(...(whole.length > 0 ? whole : all).map(({ envSteps }) => envSteps));
  });

/** What a run can be judged by. */
export const SCORES = ['lastTenth', 'equalSteps', 'final', 'best', 'area'] as const;
export type ScoreKind = (typeof SCORES)[number];

export const SCORE_WORDS: Readonly<Record<ScoreKind, string>> = {
  lastTenth: 'mean of the last tenth of its evaluations',
  equalSteps: 'mean of its evaluations in the last tenth of the environment steps that all runs have taken',
  final: 'last evaluation',
  best: 'best evaluation, which is optimistic: the more evaluations, the luckier the best one',
  area: 'success averaged over the environment steps that all runs have taken',
};

/** Mean of the evaluations in the last tenth of so many steps; where there is none, the last one before. */
function around(steps: readonly number[], success: readonly number[], limit: number): number {
  const last = steps.findLastIndex((at) => at <= limit);
  const found = success.filter((_, k) => k === last || (steps[k]! > 0.9 * limit && steps[k]! <= limit));
  return mean(found);
}

/** The same groups with another score of every run; `lastTenth` is the one that they come with. */
export function scoredBy(groups: readonly MemberGroup[], kind: ScoreKind): readonly MemberGroup[] {
  if (kind === 'lastTenth') return groups;
  const found = stratified(groups);
  const limits = limitsOf(found);
  const score = ({ evaluations: { steps, success }, task = '', diverged }: Member): number => {
    if (diverged !== undefined && kind !== 'area') return 0;
    if (kind === 'final') return success.at(-1)!;
    if (kind === 'best') return Math.max(...success);
    const limit = limits[found.tasks.indexOf(task)] ?? steps.at(-1)!;
    return kind === 'area' ? areaUnderCurve(steps, success, limit) : around(steps, success, limit);
  };
  return groups.map(({ name, members }) => ({ name, members: members.map((m) => ({ ...m, score: score(m) })) }));
}
