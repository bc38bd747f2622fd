import { backwardInduction, type Model } from '../../core/dp.ts';
import type { Enumeration } from '../../envs/enumerate.ts';
import { noExactReason, PAIR_LIMIT } from '../../engine/exactValues.ts';
import type { Plan } from '../../engine/plan.ts';
import { searchTable, type Depth } from '../../slots/rollout/lookahead/table.ts';
import { depthAt, type LookaheadSettings } from '../analysis/lookahead.ts';
import { Grounds } from '../creditGround.ts';
import type { StateJudges } from './stateJudges.ts';

/** All states of levels that can be listed, with every depth of lookahead. */
export class Tables {
  private readonly plan: Plan;
  private readonly grounds: Grounds;
  private readonly judges: StateJudges;
  private readonly settings: LookaheadSettings;

  constructor(plan: Plan, judges: StateJudges, settings: LookaheadSettings) {
    this.plan = plan;
    this.grounds = new Grounds(plan);
    this.judges = judges;
    this.settings = settings;
  }

  fits(seed: number): boolean {
    const seen = this.grounds.of(seed)?.seen;
    return !!seen && seen.model.states * this.plan.T <= PAIR_LIMIT && noExactReason(this.plan) === null;
  }

  /** `matters`: states as a policy tells them apart, or as the world does, which is what maps show. */
  of(seed: number, matters: 'world' | 'policy' = 'policy'): LevelTable {
    const ground = this.grounds.of(seed)!;
    const all = matters === 'policy' ? ground.seen! : ground.all;
    return new LevelTable(this.plan, this.judges, this.settings, all, this.plan.level(seed));
  }
}

export class LevelTable {
  readonly all: Enumeration;
  /** [states, actions] π, and the same with all of it on the likeliest action */
  readonly probs: Float32Array;
  /** lookahead that ends in the chosen leaves; and in nothing, where the step limit comes first */
  private readonly open: readonly Depth[];
  private readonly cut: readonly Depth[];
  private readonly T: number;
  private readonly commit: number;
  private readonly model: Model;

  constructor(plan: Plan, judges: StateJudges, settings: LookaheadSettings, all: Enumeration, level: unknown) {
    const { env, T } = plan;
    const { states, model } = all;
    const n = model.states;
    const each = Array.from({ length: n }, (_, s) => states.slice(s * env.words, (s + 1) * env.words));
    const legal = Uint32Array.from(each, (state) => env.legal(level, state, 0));
    const probs = judges.probs(level, each);
    const values = judges.values(level, each);
    this.all = all;
    this.model = model;
    this.probs = probs;
    this.T = T;
    this.commit = settings.commit;
    this.open = searchTable(model, { values, probs, legal }, settings);
    this.cut = searchTable(model, { values: new Float64Array(n), probs, legal }, settings);
  }

  get likeliest(): Float64Array {
    const { actions, states } = this.model;
    const best = Int32Array.from({ length: states }, (_, s) => {
      const own = this.probs.subarray(s * actions, (s + 1) * actions);
      return own.indexOf(Math.max(...own));
    });
    return oneHot(best, actions);
  }

  /** What a decision at step t finds in every state when it looks d steps ahead; nothing is worth anything after the limit. */
  at(t: number, d: number): Depth {
    return (t + d >= this.T ? this.cut : this.open)[d - 1]!;
  }

  /** Exact chance of success with t steps taken, [T, states]; of the best policy where it is null. */
  chances(policy: ((t: number) => ArrayLike<number>) | null): Float64Array {
    return backwardInduction(this.model, policy, this.T, 1, 'success').V;
  }

  /** The same for an agent that looks `depth` steps ahead, does `commit` of them, and looks again; `start`: one such step. */
  chancesWith(depth: number, start = 0): Float64Array {
    const { T, model } = this;
    const commit = Math.min(this.commit, depth);
    const made = new Map<Depth, Float64Array>();
    return this.chances((t) => {
      const since = (t + T * commit - start) % commit;
      const first = depthAt(depth, t - since, T);
      const at = (t - since + first >= T ? this.cut : this.open)[first - since - 1]!;
      let policy = made.get(at);
      if (!policy) made.set(at, (policy = oneHot(at.best, model.actions)));
      return policy;
    });
  }
}

function oneHot(best: Int32Array, actions: number): Float64Array {
  const table = new Float64Array(best.length * actions);
  best.forEach((a, s) => {
    if (a >= 0) table[s * actions + a] = 1;
  });
  return table;
}
