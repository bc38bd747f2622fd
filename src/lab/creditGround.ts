import { enumerate, type Enumeration } from '../envs/enumerate.ts';
import type { Scene } from '../envs/types.ts';
import { restricted } from '../engine/cpu/restricted.ts';
import { makeCpuPolicy, type CpuPolicy } from '../engine/cpu/policy.ts';
import { STATE_LIMIT } from '../config/exact.ts';
import { policyTable } from '../engine/exactValues.ts';
import type { Plan } from '../engine/plan.ts';

/** What does not change about a level: its states, their cells and layers, its drawing. */
export type Ground = {
  readonly all: Enumeration;
  /** the states a policy can tell apart; null if there are too many */
  readonly seen: Enumeration | null;
  readonly cell: Uint32Array;
  readonly layer: Uint32Array;
  readonly scene: Scene;
};

/** The levels of one plan, enumerated once: levels repeat, states do not change. */
export class Grounds {
  readonly plan: Plan;
  private readonly levels = new Map<number, Ground | null>();
  private readonly policy: CpuPolicy;

  constructor(plan: Plan) {
    this.plan = plan;
    this.policy = makeCpuPolicy(plan);
  }

  /** null if the level has too many states. */
  of(levelSeed: number): Ground | null {
    const found = this.levels.get(levelSeed);
    if (found !== undefined) return found;
    if (this.levels.size > 64) this.levels.clear();
    const { plan } = this;
    const { env } = plan;
    const level = plan.level(levelSeed);
    const all = enumerate(env, level, STATE_LIMIT);
    const layers = new Map<string, number>();
    const layerOf = (s: number): number => {
      const name = env.layer(all!.states, s * env.words);
      if (!layers.has(name)) layers.set(name, layers.size);
      return layers.get(name)!;
    };
    const ground = all && {
      all,
      seen: env.canonical ? enumerate(env, level, STATE_LIMIT, 'policy') : all,
      cell: Uint32Array.from({ length: all.model.states }, (_, s) => env.cell(all.states, s * env.words)),
      layer: Uint32Array.from({ length: all.model.states }, (_, s) => layerOf(s)),
      scene: env.scene(level, all.states, 0),
    };
    this.levels.set(levelSeed, ground);
    return ground;
  }

  /** π(a|s) of all states of a level under theta and the weights that restrict it, where there are any. [n, actions] */
  policyOf(
    levelSeed: number,
    all: Enumeration,
    theta: Float32Array,
    restriction: Float32Array | undefined,
  ): Float32Array {
    return policyTable(this.plan, restricted(this.plan, this.policy, restriction), levelSeed, all, theta);
  }
}
