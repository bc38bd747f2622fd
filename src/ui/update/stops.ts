import type { OptimizerStop, Snapshot, UnitsSeen, WalkedUpdate } from '../../worker/protocol.ts';
import { judgedOf, judgedWords } from '../credit/judged.ts';
import { percent, signed, value } from '../format.ts';

export type Slot = 'rollout' | 'reward' | 'advantage' | 'objective' | 'optimizer';

/** A stop of a walk; `k` counts the optimizer steps. */
export type Stop = { readonly slot: Slot; readonly k: number };

export const SLOTS: readonly { readonly slot: Slot; readonly title: string }[] = [
  { slot: 'rollout', title: 'Rollout' },
  { slot: 'reward', title: 'Reward' },
  { slot: 'advantage', title: 'Advantage' },
  { slot: 'objective', title: 'Objective' },
  { slot: 'optimizer', title: 'Optimizer' },
];

/** Rollout, reward, advantage, and then objective and optimizer as often as the optimizer steps. */
export function stopsOf(walk: Pick<WalkedUpdate, 'stops'>): Stop[] {
  const first: Stop[] = [
    { slot: 'rollout', k: 0 },
    { slot: 'reward', k: 0 },
    { slot: 'advantage', k: 0 },
  ];
  return [
    ...first,
    ...walk.stops.flatMap((_, k): Stop[] => [
      { slot: 'objective', k },
      { slot: 'optimizer', k },
    ]),
  ];
}

const many = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/** Who has played these episodes. `isRounded`: with weights of fewer bits than those that learn. */
function playerOf({ ages }: Pick<Snapshot, 'ages'>, isRounded: boolean): string {
  const units = ages?.units ?? new Float64Array();
  const oldest = units.findLastIndex((n) => n > 0);
  const bits = isRounded ? ', rounded to fewer bits,' : '';
  if (oldest <= 0) return `The policy${bits || ', as it is now,'}`;
  const youngest = units.findIndex((n) => n > 0);
  const from = youngest < oldest ? `${youngest} to ` : '';
  const most = oldest === units.length - 1 ? `${oldest} or more updates` : many(oldest, 'update');
  return `The policy of ${from}${most} ago${bits}`;
}

export function rolloutSentence(snapshot: Snapshot, isRounded: boolean): string {
  const { B, length, success, taskIndex } = snapshot;
  const steps = length.reduce((a, b) => a + b, 0);
  const won = success.reduce((a, b) => a + b, 0);
  const tasks = new Set(taskIndex).size;
  return (
    `${playerOf(snapshot, isRounded)} has played ${many(B, 'episode')} on ${many(tasks, 'task')}: ${many(steps, 'step')}, ` +
    `${won === 0 ? 'no episode' : won} reached the goal. No credit has been assigned yet; each action was drawn by its probability.`
  );
}

/** Returns of one task: what a comparison inside the group has to go by. */
export type TaskReturns = { readonly task: number; readonly members: readonly number[]; readonly isEven: boolean };

export function returnsOf(
  snapshot: Pick<Snapshot, 'B' | 'reward' | 'outcome' | 'judged' | 'taskIndex'>,
): TaskReturns[] {
  const { B, taskIndex } = snapshot;
  const { outcome } = judgedOf(snapshot);
  const tasks = [...new Set(taskIndex)].sort((a, b) => a - b);
  return tasks.map((task) => {
    const members = Array.from({ length: B }, (_, i) => i).filter((i) => taskIndex[i] === task);
    return { task, members, isEven: members.every((i) => outcome[i] === outcome[members[0]!]) };
  });
}

export function rewardSentence(snapshot: Snapshot): string {
  const groups = returnsOf(snapshot);
  const even = groups.filter((g) => g.isEven).length;
  const paid = countSteps(snapshot, (k) => snapshot.reward[k] !== 0);
  const all = snapshot.length.reduce((a, b) => a + b, 0);
  const told =
    even === 0
      ? 'In every task some episodes did better than others, so they can be compared.'
      : `In ${even === groups.length ? (even === 1 ? 'the only task' : 'all tasks') : `${even} of ${groups.length} tasks`} all episodes got the same return: where all are equal, none is better.`;
  const seen = snapshot.judged ? ` The estimator sees something else: ${judgedWords(snapshot.judged)}. By these,` : '';
  const compared = seen ? ` ${told[0]!.toLowerCase()}${told.slice(1)}` : ` ${told}`;
  return `The world has paid for each step; summed over an episode that is its return R. ${paid} of ${all} steps earned a reward other than 0.${seen}${compared}`;
}

function countSteps({ B, T, length }: Pick<Snapshot, 'B' | 'T' | 'length'>, is: (k: number) => boolean): number {
  let n = 0;
  for (let i = 0; i < B; i++) for (let k = i * T; k < i * T + length[i]!; k++) if (is(k)) n++;
  return n;
}

export function advantageSentence(snapshot: Snapshot, method: string): string {
  const up = countSteps(snapshot, (k) => snapshot.A[k]! > 0);
  const down = countSteps(snapshot, (k) => snapshot.A[k]! < 0);
  const all = snapshot.length.reduce((a, b) => a + b, 0);
  return (
    `${method} has turned returns into credit: one number A for each step, above 0 for “more of this”, below 0 for “less”. ` +
    `${up} steps are encouraged, ${down} discouraged, ${all - up - down} left as they are.`
  );
}

/** Units that the clip has stopped, those with the ratio farthest from 1 first. */
export function clippedOf({ clip, ratio }: Pick<UnitsSeen, 'clip' | 'ratio'>): number[] {
  const far = (u: number): number => Math.abs(Math.log(ratio[u]!));
  return Array.from(clip.keys())
    .filter((u) => clip[u] !== 0)
    .sort((a, b) => far(b) - far(a) || a - b);
}

export function objectiveSentence(stop: OptimizerStop, walk: WalkedUpdate, objective: string): string {
  const n = stop.A.length;
  const clipped = clippedOf(stop).length;
  const isFresh = stop.ratio.every((ratio) => Math.abs(ratio - 1) < 1e-4);
  const ratios = isFresh
    ? 'The new policy is still the old one, so every ratio ρ is 1 and nothing can be clipped.'
    : `The policy has moved since it played: the ratio ρ of an action’s new probability to its old one is no longer 1. ${clipped} of ${n} are clipped and no longer pull.`;
  const { gradNorm, usedNorm } = stop;
  if (gradNorm === 0)
    return `${objective} has gone through ${many(n, 'decision')}, but none of them has any credit: the gradient is 0, and there is nothing to learn from here.`;
  const limit =
    usedNorm < gradNorm * 0.999
      ? `shortened to ${value(usedNorm)} by the limit ${value(walk.clipNorm)}`
      : walk.clipNorm > 0
        ? `within the limit ${value(walk.clipNorm)}, so all of it is used`
        : 'used as it is';
  return `${objective} has turned the credit of ${many(n, 'decision')} into a gradient: the direction in which all parameters should move. ${ratios} The gradient’s length is ${value(gradNorm)}, ${limit}.`;
}

export function optimizerSentence(stop: OptimizerStop, walk: WalkedUpdate, optimizer: string): string {
  const share =
    stop.weightNorm > 0 ? ` (${value(100 * (stop.updateNorm / stop.weightNorm))} % of their own length)` : '';
  const isLast = stop === walk.stops.at(-1);
  const still =
    stop.gradNorm === 0 && stop.updateNorm > 0 ? ' The gradient was 0: this is the momentum of earlier updates.' : '';
  const rest = isLast
    ? ` The update is complete: over all steps the policy has moved by a KL of ${value(walk.approxKL)} nats.`
    : ' The next minibatch starts from here.';
  return `${optimizer} has moved the parameters by ${value(stop.updateNorm)}${share}, at the rate ${value(walk.learningRate)}.${still}${rest}`;
}

/** What became of the actions that were taken: how many moved the way their credit asked for. */
export function followed(walk: WalkedUpdate): { readonly n: number; readonly agree: number } | null {
  if (!walk.policy) return null;
  const { snapshot, policy } = walk;
  const { T, actions, action, A } = snapshot;
  let n = 0;
  let agree = 0;
  for (let i = 0; i < snapshot.B; i++)
    for (let k = i * T; k < i * T + snapshot.length[i]!; k++) {
      if (A[k] === 0 || action[k]! >= actions.length) continue;
      const at = k * actions.length + action[k]!;
      n++;
      if (Math.sign(policy.after[at]! - policy.before[at]!) === Math.sign(A[k]!)) agree++;
    }
  return { n, agree };
}

export function changeSentence(walk: WalkedUpdate, i: number, t: number): string {
  const { snapshot, policy } = walk;
  const { actions } = snapshot;
  const k = i * snapshot.T + t;
  const taken = snapshot.action[k]!;
  if (!policy || taken >= actions.length)
    return 'This policy also reads what came before, so one state alone does not determine it.';
  const [before, after] = [policy.before[k * actions.length + taken]!, policy.after[k * actions.length + taken]!];
  const moved = after > before ? 'likelier' : after < before ? 'less likely' : 'as likely as before';
  const A = snapshot.A[k]!;
  const asked = A > 0 ? 'its credit asked for more' : A < 0 ? 'its credit asked for less' : 'its credit was 0';
  const isAsked = A === 0 || Math.sign(after - before) === Math.sign(A);
  const but = isAsked ? '' : ' Other steps that share parameters with this one pulled harder.';
  return `Episode ${i + 1}, step ${t + 1}: ${actions[taken]} was taken; ${asked} (${signed(A)}). It went from ${percent1(before)} to ${percent1(after)}: ${moved}.${but}`;
}

const percent1 = (x: number): string => (x < 0.0995 ? `${(100 * x).toFixed(1)} %` : percent(x));
