import { mean, std } from '../../core/stats.ts';
import { thetaOf } from '../../contract/state.ts';
import { Grounds } from '../../lab/creditGround.ts';
import { panelOf, type PanelResult } from '../../lab/panel.ts';
import { panelLevels } from '../../engine/plan.ts';
import { crossing, exactPassCurve, passCurve } from '../../slots/metrics/passK.ts';
import type { TrainedArm } from '../trainedArm.ts';
import { measure, watching } from './types.ts';

/** Numbers of lesson 11: four arms, one of which leads to the goal, and nothing shows which (product §8.1). */

/** Twenty tasks have the goals of the world exactly: 0.55, 0.25, 0.15 and 0.05. */
const GOALS = [11, 5, 3, 1];
/** Tries that curves are compared at. */
const MANY = Array.from({ length: 64 }, (_, k) => k + 1);
/** Tries whose estimate is held against the exact value, and rollouts of a level of the panel. */
const ESTIMATED = [1, 2, 3, 4, 8, 16];
const ROLLOUTS = 64;

/** The chance of each of the twenty tasks to be solved by a policy with these probabilities of the arms. */
const tasksOf = (arms: readonly number[]): number[] =>
  GOALS.flatMap((n, arm) => Array.from({ length: n }, () => arms[arm]!));
const curveOf = (arms: readonly number[]): number[] => exactPassCurve(tasksOf(arms), MANY);
const uniform = curveOf([0.25, 0.25, 0.25, 0.25]);

/** Where a curve falls below that of the untrained policy; ∞ where it does not. */
const crossingOf = (curve: readonly number[]): number => crossing(MANY, uniform, curve) ?? Infinity;

/** The probabilities of the four arms under the policy of each seed. */
async function armsOf(arm: TrainedArm): Promise<number[][]> {
  const { plan, backend } = arm.run;
  if (plan.config.task.method !== 'grid' || (plan.config.task['grid'] as { level?: unknown }).level !== 'fourArms')
    throw new Error('This is measured on the four arms only.');
  const grounds = new Grounds(plan);
  const level = panelLevels(plan, 0, 1)[0]!;
  const { all } = grounds.of(level)!;
  const theta = thetaOf(await backend.save());
  const { size } = plan.layout;
  return arm
    .perSeed(() => 0)
    .map((_, s) => {
      const probs = grounds.policyOf(level, all, theta.subarray(s * size, (s + 1) * size), undefined);
      return Array.from(probs.subarray(0, GOALS.length));
    });
}

export const passAt = measure({
  id: 'passAt',
  doc: 'passAt(arm, k): exact chance that at least one of k tries finds the goal of the four arms, mean over twenty tasks, per seed. pass@k, arXiv 2107.03374.',
  takes: ['arm', 'number'],
  of: async (arm, k) => (await armsOf(arm)).map((arms) => mean(exactPassCurve(tasksOf(arms), [k]))),
});

export const passCrossing = measure({
  id: 'passCrossing',
  doc: 'passCrossing(arm): number of tries k from which on the trained policy of the four arms finds fewer goals than the untrained one, between whole numbers by log k, per seed.',
  takes: ['arm'],
  of: async (arm) => (await armsOf(arm)).map((arms) => crossingOf(curveOf(arms))),
});

export const passOf = measure({
  id: 'passOf',
  doc: 'passOf(p, k): exact pass@k on the four arms of a policy that takes the first arm with chance p and each other one with (1 − p)/3. p = 0.25 is the untrained policy.',
  takes: ['number', 'number'],
  of: (p, k) => mean(exactPassCurve(tasksOf([p, (1 - p) / 3, (1 - p) / 3, (1 - p) / 3]), [k])),
});

/** Every how many updates the way of an arm is looked at. */
const EVERY = 5;

export const crossingWhen = watching({
  id: 'crossingWhen',
  doc: 'crossingWhen(arm, pass1): the crossing of an arm at the moment when its mean pass@1 rose to this value, between the updates before and after it by straight lines; ∞ where it never did.',
  takes: ['number'],
  watch: (pass1) => {
    const way: { readonly pass1: number; readonly crossing: number }[] = [];
    return {
      see: async (arm) => {
        if (arm.updates === 0 || arm.updates % EVERY !== 0) return;
        const curves = (await armsOf(arm)).map(curveOf);
        way.push({ pass1: mean(curves.map((curve) => curve[0]!)), crossing: mean(curves.map(crossingOf)) });
      },
      value: () => {
        const after = way.findIndex((moment) => moment.pass1 >= pass1);
        if (after < 1) return Infinity;
        const [a, b] = [way[after - 1]!, way[after]!];
        return a.crossing + ((pass1 - a.pass1) / (b.pass1 - a.pass1)) * (b.crossing - a.crossing);
      },
    };
  },
});

export const passErrors = watching({
  id: 'passErrors',
  doc: 'passErrors(arm, most): how far the unbiased estimate of pass@k from 64 rollouts a level is from the exact value, in standard errors over the seeds; the largest over k = 1, 2, 3, 4, 8, 16 up to most, before and after training.',
  takes: ['number'],
  watch: (most) => {
    let first: readonly PanelResult[] | null = null;
    const worst = (panels: readonly PanelResult[]): number =>
      Math.max(...ESTIMATED.filter((k) => k <= most).map((k) => errorOf(panels, k)));
    return {
      see: async (arm) => void (first ??= await panelsOf(arm)),
      value: async (arm) => Math.max(worst(first!), worst(await panelsOf(arm))),
    };
  },
});

async function panelsOf(arm: TrainedArm): Promise<readonly PanelResult[]> {
  const state = await arm.run.backend.save();
  const of = (replica: number): PanelResult => {
    const playing = panelOf(arm.run.plan, state, replica, ROLLOUTS);
    let next = playing.next();
    while (!next.done) next = playing.next();
    return next.value;
  };
  return arm.perSeed((seed) => seed).map(of);
}

function errorOf(panels: readonly PanelResult[], k: number): number {
  const errors = panels.map(
    ({ n, trained, exact }) => passCurve(n, trained, [k])[0]! - exactPassCurve(exact!.trained, [k])[0]!,
  );
  const error = Math.abs(mean(errors)) * Math.sqrt(errors.length);
  return error === 0 ? 0 : error / std(errors);
}
