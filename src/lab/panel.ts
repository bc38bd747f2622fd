import type { TrainState } from '../contract/state.ts';
import { backwardInduction } from '../core/dp.ts';
import { PURPOSE, random } from '../core/random.ts';
import { makeArrays } from '../engine/arrays.ts';
import { noExactReason, PAIR_LIMIT } from '../engine/exactValues.ts';
import { Grounds } from './creditGround.ts';
import { restricted } from '../engine/cpu/restricted.ts';
import { makeCpuPolicy } from '../engine/cpu/policy.ts';
import { rolloutReplica } from '../engine/cpu/rollout.ts';
import { panelLevels, type Plan, type Tasks } from '../engine/plan.ts';
import { playersOf } from './players.ts';

/** Levels of a panel, and trajectories that play side by side. */
const PANEL_LEVELS = 16;
const SIDE_BY_SIDE = 64;

/** Successes among n rollouts on each level of the panel, by both policies; success probabilities where they are exact. */
export type PanelResult = {
  readonly n: number;
  readonly levels: number;
  readonly base: readonly number[];
  readonly trained: readonly number[];
  readonly exact: { readonly base: readonly number[]; readonly trained: readonly number[] } | null;
};

/** What restricts both, where they may not choose from all actions. */
type Restrictions = { readonly base?: Float32Array | undefined; readonly trained?: Float32Array | undefined };

/**
 * n rollouts on fixed levels by the policy that the run started with and by the current one: sampled at the temperature of
 * the run, with separate draws, never trained on. Both policies get the same draws. Whoever drives it can stop after
 * each piece; yields the share that is done.
 */
export function* playPanel(
  run: Plan,
  replica: number,
  theta: { readonly base: Float32Array; readonly trained: Float32Array },
  n: number,
  restrictions: Restrictions = {},
): Generator<number, PanelResult> {
  const levelSeeds = panelLevels(run, replica, PANEL_LEVELS);
  const P = levelSeeds.length;
  const each = Math.max(1, Math.min(n, Math.floor(SIDE_BY_SIDE / P)));
  const seeds = run.seeds.slice(replica, replica + 1);
  const plan: Plan = { ...run, S: 1, P, G: each, B: P * each, seeds };
  const arrays = makeArrays(plan);
  const policy = makeCpuPolicy(plan);
  const successes = { base: new Array<number>(P).fill(0), trained: new Array<number>(P).fill(0) };
  const pieces = Math.ceil(n / each);
  for (let piece = 0; piece < pieces; piece++) {
    const tasks = panelTasks(plan, levelSeeds, piece);
    const wanted = Math.min(each, n - piece * each);
    for (const who of ['base', 'trained'] as const) {
      const player = restricted(plan, policy, restrictions[who]);
      rolloutReplica(plan, arrays, { policy: player, theta: theta[who], tasks, mode: 'panel' }, 0);
      for (let i = 0; i < plan.B; i++)
        if (i % each < wanted) successes[who][Math.floor(i / each)]! += arrays.success[i]!;
      yield (2 * piece + (who === 'base' ? 1 : 2)) / (2 * pieces);
    }
  }
  return { n, levels: P, ...successes, exact: exactRates(run, levelSeeds, theta, restrictions) };
}

/** The same for the newest policy, in `state`, beside that of the start. */
export function panelOf(plan: Plan, state: TrainState, replica: number, n: number): Generator<number, PanelResult> {
  const { base, trained } = playersOf(plan, state, replica);
  const restrictions = { base: base.restriction, trained: trained.restriction };
  return playPanel(plan, replica, { base: base.theta, trained: trained.theta }, n, restrictions);
}

/** Each level `G` times, in order; draws depend on the piece and the trajectory only. */
export function panelTasks(plan: Plan, levelSeeds: readonly number[], piece: number): Tasks {
  const { B, G } = plan;
  const taskIndex = Uint32Array.from({ length: B }, (_, i) => Math.floor(i / G));
  const seed = plan.seeds[0]!;
  return {
    update: piece,
    levelSeeds: Uint32Array.from(levelSeeds),
    levels: levelSeeds.map((seed) => plan.level(seed)),
    levelOf: taskIndex,
    taskIndex,
    episodeSeed: Uint32Array.from({ length: B }, (_, i) => random(seed, PURPOSE.panelEpisode, piece, i, 0)),
  };
}

/** Exact success probability of both policies on each level; null where the task is too large or the policy remembers. */
function exactRates(
  plan: Plan,
  levelSeeds: readonly number[],
  theta: { readonly base: Float32Array; readonly trained: Float32Array },
  restrictions: Restrictions,
): PanelResult['exact'] {
  if (noExactReason(plan) !== null) return null;
  const grounds = new Grounds(plan);
  const rates = (who: 'base' | 'trained'): number[] | null => {
    const found: number[] = [];
    for (const levelSeed of levelSeeds) {
      const seen = grounds.of(levelSeed)?.seen;
      if (!seen || seen.model.states * plan.T > PAIR_LIMIT) return null;
      const probs = grounds.policyOf(levelSeed, seen, theta[who], restrictions[who]);
      found.push(backwardInduction(seen.model, probs, plan.T, 1, 'success').V[0]!);
    }
    return found;
  };
  const base = rates('base');
  const trained = base && rates('trained');
  return base && trained && { base, trained };
}
