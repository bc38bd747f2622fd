import type { MetricId } from '../../methods/analysis/metrics.ts';
import { roundWeights } from '../../policies/precision.ts';
import { measuresAges, recordAges } from '../ages.ts';
import type { Arrays } from '../arrays.ts';
import type { TrainState } from '../backend.ts';
import { isRounded, versionOf } from '../behaviour.ts';
import { Past } from '../past.ts';
import { PlayedSteps } from '../playedSteps.ts';
import type { Plan, Tasks } from '../plan.ts';
import { ActionMask, restrictionOf, type Player } from './actionMask.ts';
import type { CpuPolicy } from './policy.ts';
import type { WeightsOf } from './rollout.ts';
import { playedVersions, startsApart, UpdateStart } from './start.ts';

/** Which weights play, from which actions they choose, which ones training sees, and how far apart these are. */
export class Playing {
  /** what training sees: θ itself, or its rounding where training has the precision of the rollout */
  readonly seen: Float32Array;
  /** null: all legal actions may be chosen */
  readonly mask: ActionMask | null;
  /** chooses the actions of every rollout */
  readonly player: Player;
  readonly steps: PlayedSteps;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly theta: Float32Array;
  private readonly past: Past;
  private readonly start: UpdateStart | null;

  constructor(plan: Plan, policy: CpuPolicy, theta: Float32Array) {
    this.plan = plan;
    this.policy = policy;
    this.theta = theta;
    this.seen = plan.behaviour.unified ? policy.kernels.floats(theta.length) : theta;
    const rule = restrictionOf(plan);
    this.mask = rule && new ActionMask(plan, rule, policy);
    this.player = this.mask?.player ?? policy;
    this.past = new Past(plan, (n) => policy.kernels.floats(n));
    this.steps = new PlayedSteps(plan);
    this.start = startsApart(plan) ? new UpdateStart(plan, policy) : null;
  }

  load(state: TrainState): void {
    for (let s = 0; s < this.plan.S; s++) this.see(s);
    this.past.load(state.past, state.theta);
    this.steps.load(state);
    this.mask?.load(state);
  }

  save(): Pick<TrainState, 'past' | 'played' | 'mask'> {
    const past = this.past.save();
    return {
      ...(past ? { past } : {}),
      ...this.steps.save(),
      ...(this.mask ? { mask: this.mask.weights.slice() } : {}),
    };
  }

  /** Brings what training sees of replica s up to θ. */
  see(s: number): void {
    const { plan, seen, theta } = this;
    if (seen !== theta) roundWeights(plan.layout, plan.behaviour.precision, theta, s * plan.layout.size, seen);
  }

  /** θ becomes the version that the update starts with. */
  begin(update: number): void {
    this.past.push(update, this.theta);
  }

  /** The versions that play the batch of an update. */
  weights({ update, taskIndex }: Tasks, s: number): WeightsOf {
    const { plan, past } = this;
    const seed = plan.seeds[s]!;
    return (row, t) => past.at(versionOf(plan.behaviour, seed, update, taskIndex[row]!, t, plan.T));
  }

  /** The weights that played the batch of an update; where they were several, those its update started with. */
  played(update: number, s: number): Float32Array {
    const { behaviour, seeds, T } = this.plan;
    return this.past.at(behaviour.ages === 'fixed' ? versionOf(behaviour, seeds[s]!, update, 0, 0, T) : update);
  }

  /** A look at the batch before the first step where another policy played it; null where the same did. */
  startOf(
    arrays: Arrays,
    s: number,
    update: number,
    put: (s: number, id: MetricId, value: number) => void,
  ): UpdateStart | null {
    const { plan, policy, start, seen } = this;
    if (measuresAges(plan))
      recordAges(plan, playedVersions(plan, arrays, policy, update, s), update, s, this.steps, put);
    start?.look(arrays, seen, s);
    if (start && isRounded(plan.behaviour)) {
      const { kl, most } = start.mismatch(arrays, s);
      put(s, 'klMismatch', kl);
      put(s, 'mismatchMax', most);
    }
    return start;
  }

  get bytes(): number {
    return this.past.bytes;
  }
}
