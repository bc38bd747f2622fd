import { part } from '../../contract/columns.ts';
import { CLOCK, pastName } from '../../config/runState.ts';
import type { StateStore } from '../../contract/stateStore.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { roundWeights } from '../../networks/precision.ts';
import { measuresAges, recordAges } from '../ages.ts';
import type { Arrays } from '../arrays.ts';
import { isRounded, versionOf } from '../behavior.ts';
import { Past } from '../past.ts';
import { PlayedSteps } from '../playedSteps.ts';
import type { Plan, Tasks } from '../plan.ts';
import { putIndependent } from '../independent.ts';
import { versionsOf, type PlayedVersions } from '../versions.ts';
import { restrictionOf } from '../restriction.ts';
import type { CpuPolicy } from './policy.ts';
import type { WeightsOf } from './lockstep.ts';
import { CpuRestriction, type Player } from './restricted.ts';
import { Ticking } from './ticking.ts';
import { startsApart } from '../../config/fresh.ts';
import type { Parts } from './parts.ts';
import type { CpuRounds } from './rounds.ts';
import type { UpdateStart } from './start.ts';

type Columns = { readonly made: Arrays; readonly beside: Arrays | null };

/** Which weights play, from which actions they choose, which ones training sees, and how far apart these are. */
export class Playing {
  /** what training sees: θ itself, or its rounding where training has the precision of the rollout */
  readonly seen: Float32Array;
  /** null: all legal actions may be chosen */
  readonly restriction: CpuRestriction | null;
  /** chooses the actions of every rollout */
  readonly player: Player;
  readonly steps: PlayedSteps;
  /** null: batches are played once */
  readonly rounds: CpuRounds | null;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly theta: Float32Array;
  private readonly past: Past;
  private readonly fresh: Float32Array | null;
  private readonly start: UpdateStart | null;
  private readonly playedVersions: NonNullable<Parts['start']>['playedVersions'] | undefined;
  private readonly ticking: Ticking | null;

  constructor(plan: Plan, policy: CpuPolicy, store: StateStore, { made, beside }: Columns, parts: Parts) {
    this.plan = plan;
    this.policy = policy;
    this.theta = store.of('theta', 'f32');
    this.seen = plan.behavior.unified ? policy.kernels.floats(this.theta.length) : this.theta;
    this.rounds = parts.Rounds && new parts.Rounds(plan, plan.scheme!, beside);
    const rule = restrictionOf(plan);
    this.restriction = rule && new CpuRestriction(plan, rule, policy, store.of(rule.module.weights, 'f32'));
    this.player = this.restriction?.player ?? policy;
    const { lag } = plan.behavior;
    // where only the newest version plays, it begins with every update and belongs to no state
    this.fresh = lag === 0 ? policy.kernels.floats(this.theta.length) : null;
    const kept = Array.from({ length: lag + 1 }, (_, v) => this.fresh ?? store.of(pastName(v, lag), 'f32'));
    this.past = new Past(plan, kept);
    this.steps = new PlayedSteps(lag === 0 ? new Float64Array(plan.S) : store.of('played', 'f64'), plan.S);
    const { clock } = plan.behavior.versions;
    this.ticking = clock ? new Ticking(plan, clock, store.of(CLOCK, 'f64')) : null;
    this.start = parts.start && startsApart(plan) ? new parts.start.UpdateStart(plan, policy, made) : null;
    this.playedVersions = parts.start?.playedVersions;
  }

  /** A state has been loaded. */
  loaded(): void {
    for (let s = 0; s < this.plan.S; s++) this.see(s);
  }

  /** Brings what training sees of replica s up to θ. */
  see(s: number): void {
    const { plan, seen, theta } = this;
    if (seen !== theta) roundWeights(plan.layout, plan.behavior.precision, theta, s * plan.layout.size, seen);
  }

  /** θ becomes the version that the update starts with. */
  begin(update: number): void {
    this.past.push(update, this.theta);
    this.ticking?.begin(update);
  }

  /** The versions that play the batch of an update. */
  weights(update: number, s: number): WeightsOf {
    const { plan, past } = this;
    const seed = plan.seeds[s]!;
    return (row, t, { taskIndex }) => past.at(versionOf(plan, seed, update, taskIndex[row]!, t));
  }

  /** [S, size] weights that played the batch of an update, where they are never several. */
  played(update: number, s: number): Float32Array {
    return this.past.at(versionOf(this.plan, this.plan.seeds[s]!, update, 0, 0));
  }

  /** [S, size] θ as the update at hand began with it. */
  entered(update: number): Float32Array {
    return this.past.at(update);
  }

  /** The versions that play the batch of an update, where they may be several; copies. */
  versions(tasks: Tasks, s: number): PlayedVersions | null {
    const { size } = this.plan.layout;
    const found = versionsOf(this.plan, tasks, s);
    if (!found) return null;
    return { of: found.of, weights: found.numbers.map((v) => this.past.at(v).slice(s * size, (s + 1) * size)) };
  }

  /** Passes over the batch of replica s: none where no row of it trains. */
  epochs({ trains }: Arrays, s: number): number {
    const { skips } = this.plan.control;
    return skips && part(trains, this.plan.S, s).every((x) => x === 0) ? 0 : this.plan.epochs;
  }

  /** A look at the batch before the first step where another policy played it; null where the same did. */
  startOf(
    arrays: Arrays,
    s: number,
    update: number,
    put: (s: number, id: MetricId, value: number) => void,
  ): UpdateStart | null {
    const { plan, policy, start, seen } = this;
    this.rounds?.record(arrays, s, put);
    putIndependent(plan, arrays, s, put);
    this.ticking?.settle(arrays, s, update);
    if (this.playedVersions && measuresAges(plan))
      recordAges(plan, this.playedVersions(plan, arrays, policy, update, s), { update, s, steps: this.steps }, put);
    start?.look(arrays, seen, s);
    if (start && isRounded(plan.behavior)) {
      const { kl, most } = start.mismatch(arrays, s);
      put(s, 'klMismatch', kl);
      put(s, 'mismatchMax', most);
    }
    return start;
  }

  /** besides the state */
  get bytes(): number {
    return (this.fresh?.byteLength ?? 0) + (this.rounds?.bytes ?? 0);
  }
}
