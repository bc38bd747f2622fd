import { makeArrays, type Arrays } from '../../engine/arrays.ts';
import { makeCpuPolicy, type CpuPolicy } from '../../engine/cpu/policy.ts';
import { restricted, type Player } from '../../engine/cpu/restricted.ts';
import { branches } from '../../envs/enumerate.ts';
import { noExactReason } from '../../engine/exactValues.ts';
import type { Plan } from '../../engine/plan.ts';
import { potentialOf, SignalTables } from '../../engine/signalTables.ts';
import type { Told } from '../../contract/signals.ts';
import type { Judges } from '../../slots/rollout/lookahead/search.ts';
import type { LookaheadSettings } from '../analysis/lookahead.ts';

/** States that the network looks at side by side. */
const ROWS = 64;

export type Leaf = LookaheadSettings['leaf'];

/** Why a search of this run cannot end in such leaves, or try only the likeliest actions; null if it can. */
export function whyNoLookahead(plan: Plan, { leaf, width }: Pick<LookaheadSettings, 'leaf' | 'width'>): string | null {
  const why = noExactReason(plan);
  if (why !== null && (leaf === 'value' || width > 0)) return why;
  if (leaf === 'value' && !plan.critic)
    return 'This run has no critic: choose another value at the end, or an estimator with a critic.';
  if (leaf === 'value' && plan.config.reward['normalize'] === true)
    return 'The critic of this run values normalized returns, which cannot be added to rewards.';
  if (leaf === 'potential' && !plan.env.signals) return 'This world tells no distance to the goal.';
  return null;
}

/** What a search reads of states of any kind: V and π of the policy, or the distance that the world tells. */
export class StateJudges {
  private readonly plan: Plan;
  private readonly fork: Plan;
  private readonly arrays: Arrays;
  private readonly policy: CpuPolicy;
  private readonly player: Player;
  private readonly theta: Float32Array;
  private readonly leaf: Leaf;
  private readonly tables: SignalTables;
  private readonly hasPolicy: boolean;

  constructor(plan: Plan, theta: Float32Array, restriction: Float32Array | undefined, leaf: Leaf) {
    this.plan = plan;
    this.fork = { ...plan, S: 1, P: 1, G: ROWS, B: ROWS, T: 1, seeds: plan.seeds.slice(0, 1) };
    this.arrays = makeArrays(this.fork);
    this.policy = makeCpuPolicy(this.fork);
    this.player = restricted(this.fork, this.policy, restriction);
    this.theta = theta;
    this.leaf = leaf;
    this.tables = new SignalTables(plan);
    this.hasPolicy = noExactReason(plan) === null;
  }

  /** Why this level cannot be searched; null if it can. */
  whyNot(level: unknown): string | null {
    const { env } = this.plan;
    if (branches(env, level)) return 'Too much depends on chance in this world to look at all that may happen.';
    if (this.leaf === 'potential' && !env.signals!.fits(level, potentialOf(this.plan)))
      return 'A level has too many states to know the distance to the goal in each of them.';
    return null;
  }

  /** For searches in a level. `isCut`: the step limit comes first, so nothing is paid after the leaves. */
  of(level: unknown, isCut: boolean): Judges<Uint32Array> {
    return {
      values: (states) => (isCut ? new Float64Array(states.length) : this.values(level, states)),
      probs: this.hasPolicy ? (states) => this.probs(level, states) : null,
    };
  }

  values(level: unknown, states: readonly Uint32Array[]): Float64Array {
    const out = new Float64Array(states.length);
    if (this.leaf === 'potential') {
      const { signals } = this.plan.env;
      const known = { level, table: this.tables.of(level), potential: potentialOf(this.plan) };
      const told: Told = { reached: 0, completion: 0, phi: 0, cost: 0, isLost: false };
      states.forEach((state, k) => {
        signals!.tell(known, state, 0, told);
        out[k] = told.phi;
      });
    }
    if (this.leaf === 'value') this.critic(level, states, out);
    return out;
  }

  private critic(level: unknown, states: readonly Uint32Array[], out: Float64Array): void {
    const { arrays, fork, policy } = this;
    const { env, obsWords } = fork;
    const most = Math.min(ROWS, policy.chunk);
    for (let from = 0; from < states.length; from += most) {
      const n = Math.min(most, states.length - from);
      // each state is the end of an episode of no steps
      for (let k = 0; k < n; k++) env.observe(level, states[from + k]!, 0, arrays.obs, k * 2 * obsWords);
      policy.finalValues(arrays, this.theta, 0, 0, n);
      for (let k = 0; k < n; k++) out[from + k] = arrays.valueFinal[k]!;
    }
  }

  probs(level: unknown, states: readonly Uint32Array[]): Float32Array {
    const { env, obsWords, actions } = this.plan;
    const n = states.length;
    const obs = new Uint32Array(n * obsWords);
    const legal = new Uint32Array(n);
    states.forEach((state, k) => {
      env.observe(level, state, 0, obs, k * obsWords);
      legal[k] = env.legal(level, state, 0);
    });
    const out = new Float32Array(n * actions);
    this.player.probsOf(this.theta, obs, legal, n, out);
    return out;
  }
}
