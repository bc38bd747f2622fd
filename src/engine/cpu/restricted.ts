import type { Chosen } from '../../contract/module.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import type { Restriction } from '../../slots/rollout/types.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { restrictionOf } from '../restriction.ts';
import type { Acting, CpuPolicy } from './policy.ts';

/** What plays: chooses actions, and tells π(a|o). */
export type Player = Pick<CpuPolicy, 'chunk' | 'decide' | 'finalValues' | 'probsOf'>;

/** The player that chooses with `policy`, from what these weights [S, size] leave it where the plan has a restriction. */
export function restricted(plan: Plan, policy: CpuPolicy, weights: Float32Array | undefined): Player {
  const rule = restrictionOf(plan);
  return rule && weights ? new RestrictedPlayer(plan, rule, policy, policy, weights) : policy;
}

/**
 * A player that may choose from a part of the legal actions only. Before it decides, the legal bits of the step become
 * those of the kept actions; they stay there, so that everything that reads them later renormalizes over the same set.
 */
export class RestrictedPlayer implements Player {
  readonly chunk: number;
  /** legal actions of the steps played so far, and those of them that were removed */
  legal = 0;
  removed = 0;
  private readonly plan: Plan;
  private readonly rule: Chosen<Restriction>;
  private readonly inTraining: boolean;
  private readonly reader: CpuPolicy;
  private readonly player: Player;
  /** [S, size] of the policy that restricts */
  readonly weights: Float32Array;
  private readonly step: Int32Array;
  private readonly before: Uint32Array;
  private readonly p: Float32Array;

  /** `reader` tells the policy that restricts at the temperature of the run; `player` chooses. */
  constructor(plan: Plan, rule: Chosen<Restriction>, reader: CpuPolicy, player: Player, weights: Float32Array) {
    this.plan = plan;
    this.rule = rule;
    this.inTraining = rule.module.inTraining(rule.params);
    this.reader = reader;
    this.player = player;
    this.weights = weights;
    this.chunk = Math.min(reader.chunk, player.chunk);
    this.step = new Int32Array(this.chunk);
    this.before = new Uint32Array(this.chunk);
    this.p = new Float32Array(this.chunk * plan.actions);
  }

  decide(acting: Acting, rows: readonly number[], from: number, n: number, t: number): boolean {
    const { plan, step, before, p } = this;
    const { arrays, s } = acting;
    for (let k = 0; k < n; k++) {
      step[k] = rows[from + k]! * plan.T + t;
      before[k] = arrays.legal[step[k]!]!;
    }
    this.reader.stepProbs({ arrays, theta: this.weights, s, step, n }, p);
    for (let k = 0; k < n; k++) {
      const kept = (arrays.legal[step[k]!] = this.kept(before[k]!, p, k * plan.actions));
      // an action that somebody else gave and nothing is left of: the policy chooses
      const at = step[k]! - s * (arrays.length.length / plan.S) * plan.T;
      if (acting.forced && ((kept >>> (acting.forced[at]! - 1)) & 1) === 0) acting.forced[at] = 0;
    }
    const isFinite = this.player.decide(acting, rows, from, n, t);
    if (!this.inTraining) for (let k = 0; k < n; k++) arrays.legal[step[k]!] = before[k]!;
    return isFinite;
  }

  /** The kept ones among the legal bits, by the probabilities of the policy that restricts. */
  private kept(legal: number, p: Float32Array, at: number): number {
    const { actions } = this.plan;
    const { module, params } = this.rule;
    const kept = module.kept(p, at, actions, params);
    let bits = 0;
    for (let b = 0; b < actions; b++) {
      if (((legal >>> b) & 1) === 0) continue;
      this.legal++;
      if (((kept >>> b) & 1) === 1) bits |= 1 << b;
      else this.removed++;
    }
    return bits >>> 0;
  }

  /** Others have played under the same restriction: of each part legal actions, and those of them that were removed. */
  count(parts: Uint32Array): void {
    for (let k = 0; k < parts.length; k += 2) {
      this.legal += parts[k]!;
      this.removed += parts[k + 1]!;
    }
  }

  finalValues(arrays: Arrays, theta: Float32Array, s: number, first: number, n: number): void {
    this.player.finalValues(arrays, theta, s, first, n);
  }

  probsOf(theta: Float32Array, obs: Uint32Array, legal: Uint32Array, n: number, out: Float32Array): void {
    const { actions } = this.plan;
    const p = new Float32Array(n * actions);
    this.reader.probsOf(this.weights, obs, legal, n, p);
    const kept = Uint32Array.from({ length: n }, (_, k) => this.kept(legal[k]!, p, k * actions));
    this.player.probsOf(theta, obs, kept, n, out);
  }
}

/** What restricts the choice of actions of a run: its weights, when they are renewed, and who plays under it. */
export class CpuRestriction {
  readonly player: RestrictedPlayer;
  readonly weights: Float32Array;
  private readonly plan: Plan;
  private readonly rule: Chosen<Restriction>;
  private readonly policy: CpuPolicy;

  constructor(plan: Plan, rule: Chosen<Restriction>, policy: CpuPolicy, weights: Float32Array) {
    this.plan = plan;
    this.rule = rule;
    this.policy = policy;
    this.weights = weights;
    this.player = this.over(policy);
  }

  /** Another player under the same restriction. */
  over(player: Player): RestrictedPlayer {
    return new RestrictedPlayer(this.plan, this.rule, this.policy, player, this.weights);
  }

  /** Before the first rollout of an update: θ becomes its weights if it is time. */
  begin(update: number, theta: Float32Array): void {
    if (this.rule.module.isRenewed(update, this.rule.params)) this.weights.set(theta);
  }

  get metric(): MetricId {
    return this.rule.module.metric;
  }

  /** Share of the legal actions that were removed since it was asked last; NaN if nothing was played. */
  removedShare(): number {
    const { legal, removed } = this.player;
    this.player.legal = this.player.removed = 0;
    return removed / legal;
  }
}
