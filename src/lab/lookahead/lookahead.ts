import { backwardInduction, type Model } from '../../core/dp.ts';
import { mean } from '../../core/stats.ts';
import { branches, type Enumeration } from '../../envs/enumerate.ts';
import { makeArrays } from '../../engine/arrays.ts';
import { makeCpuPolicy } from '../../engine/cpu/policy.ts';
import { restricted } from '../../engine/cpu/restricted.ts';
import { rolloutReplica } from '../../engine/cpu/rollout.ts';
import { noExactReason, PAIR_LIMIT } from '../../engine/exactValues.ts';
import { panelLevels, type Plan } from '../../engine/plan.ts';
import { depthAt, type LookaheadSettings } from '../analysis/lookahead.ts';
import { searchTable, type Depth } from '../../slots/rollout/lookahead/table.ts';
import { Grounds } from '../creditGround.ts';
import { panelTasks } from '../panel.ts';
import { playAhead, type Played } from './play.ts';
import { StateJudges, whyNoLookahead } from './stateJudges.ts';

/** Levels that are played, and episodes on each where chance decides something. */
const LEVELS = 16;
const EPISODES = 8;

/** `levelSeed`: the level whose states are told one by one; null: none. */
export type AheadRequest = LookaheadSettings & { readonly levelSeed: number | null };

/** What the agent would do in every state of a level: entry d − 1 looks d steps ahead. */
export type AheadMap = {
  readonly levelSeed: number;
  /** [n] best action and its value */
  readonly depths: readonly { readonly best: Int32Array; readonly V: Float64Array }[];
};

export type AheadResult = {
  readonly request: AheadRequest;
  readonly levels: number;
  /** success is a probability, not a share of episodes */
  readonly isExact: boolean;
  /** success of the policy as it samples; of its likeliest actions, where that is exact */
  readonly policy: number;
  readonly likeliest: number | null;
  /** [depth] success with 1, 2, … steps of lookahead */
  readonly success: readonly number[];
  /** [depth] mean number of states that a decision looked at; null where all states were looked at at once */
  readonly held: readonly number[] | null;
  /** share of decisions that had to look less far, because too many states followed */
  readonly shrunk: number;
  readonly map: AheadMap | null;
};

/** Success with 1 … D steps of lookahead, on fixed levels; or the sentence of why there is none. Yields the share done. */
export function* measureLookahead(
  plan: Plan,
  replica: number,
  { theta, restriction }: { readonly theta: Float32Array; readonly restriction?: Float32Array | undefined },
  request: AheadRequest,
): Generator<number, AheadResult | string> {
  const why = whyNoLookahead(plan, request);
  if (why !== null) return why;
  const judges = new StateJudges(plan, theta, restriction, request.leaf);
  const seeds = panelLevels(plan, replica, LEVELS);
  for (const seed of seeds) {
    const level = plan.level(seed);
    if (branches(plan.env, level)) return 'Too much depends on chance in this world to look at all that may happen.';
    if (!judges.fits(level)) return 'A level has too many states to know the distance to the goal in each of them.';
  }
  const grounds = new Grounds(plan);
  const tables = new Tables(plan, grounds, judges, request);
  const isExact = noExactReason(plan) === null && seeds.every((seed) => tables.fits(seed));
  const D = request.depth;
  const success = Array.from({ length: D }, (): number[] => []);
  const held = Array.from({ length: D }, (): number[] => []);
  const own: number[] = [];
  const likeliest: number[] = [];
  let [shrunk, decisions] = [0, 0];
  for (const [k, seed] of seeds.entries()) {
    if (isExact) {
      const table = tables.of(seed, 'policy');
      own.push(table.successOf(() => table.probs));
      likeliest.push(table.successOf(() => table.likeliest));
      for (let d = 1; d <= D; d++) {
        success[d - 1]!.push(table.successWith(d));
        yield (k + d / D) / seeds.length;
      }
      continue;
    }
    for (let d = 1; d <= D; d++) {
      const n = plan.env.chances(plan.level(seed)) > 1 ? EPISODES : 1;
      const played: Played[] = [];
      for (let e = 0; e < n; e++) {
        played.push(playAhead(plan, judges, { ...request, depth: d }, { replica, seed, episode: e }));
        yield (k + (d - 1 + (e + 1) / n) / D) / (seeds.length + 1);
      }
      success[d - 1]!.push(mean(played.map((x) => x.success)));
      held[d - 1]!.push(...played.map((x) => x.held / x.decisions));
      for (const x of played) [shrunk, decisions] = [shrunk + x.shrunk, decisions + x.decisions];
    }
  }
  if (!isExact) own.push(...sampledSuccess(plan, replica, seeds, theta, restriction));
  const { levelSeed } = request;
  return {
    ...{ request, levels: seeds.length, isExact, policy: mean(own) },
    likeliest: isExact ? mean(likeliest) : null,
    success: success.map(mean),
    held: isExact ? null : held.map(mean),
    shrunk: decisions > 0 ? shrunk / decisions : 0,
    map: levelSeed !== null && tables.fits(levelSeed) ? tables.mapOf(levelSeed) : null,
  };
}

/** Share of sampled episodes that succeed, without any lookahead, level by level. */
function sampledSuccess(
  run: Plan,
  replica: number,
  levelSeeds: readonly number[],
  theta: Float32Array,
  restriction: Float32Array | undefined,
): number[] {
  const P = levelSeeds.length;
  const seeds = run.seeds.slice(replica, replica + 1);
  const plan: Plan = { ...run, S: 1, P, G: EPISODES, B: P * EPISODES, seeds };
  const arrays = makeArrays(plan);
  const policy = restricted(plan, makeCpuPolicy(plan), restriction);
  rolloutReplica(plan, arrays, { policy, theta, tasks: panelTasks(plan, levelSeeds, 0), mode: 'panel' }, 0);
  return Array.from({ length: P }, (_, p) => mean(arrays.success.subarray(p * EPISODES, (p + 1) * EPISODES)));
}

/** All states of levels that can be listed, with every depth of lookahead. */
class Tables {
  private readonly plan: Plan;
  private readonly grounds: Grounds;
  private readonly judges: StateJudges;
  private readonly request: AheadRequest;

  constructor(plan: Plan, grounds: Grounds, judges: StateJudges, request: AheadRequest) {
    this.plan = plan;
    this.grounds = grounds;
    this.judges = judges;
    this.request = request;
  }

  fits(seed: number): boolean {
    const seen = this.grounds.of(seed)?.seen;
    return !!seen && seen.model.states * this.plan.T <= PAIR_LIMIT && noExactReason(this.plan) === null;
  }

  /** `matters`: states as a policy tells them apart, or as the world does, which is what maps show. */
  of(seed: number, matters: 'world' | 'policy'): LevelTable {
    const ground = this.grounds.of(seed)!;
    const all = matters === 'policy' ? ground.seen! : ground.all;
    return new LevelTable(this.plan, this.judges, this.request, all, this.plan.level(seed));
  }

  mapOf(levelSeed: number): AheadMap {
    return { levelSeed, depths: this.of(levelSeed, 'world').open.map(({ best, V }) => ({ best, V })) };
  }
}

class LevelTable {
  readonly probs: Float32Array;
  /** lookahead that ends in the chosen leaves; and in nothing, where the step limit comes first */
  readonly open: readonly Depth[];
  private readonly cut: readonly Depth[];
  private readonly T: number;
  private readonly commit: number;
  private readonly model: Model;

  constructor(plan: Plan, judges: StateJudges, request: AheadRequest, { states, model }: Enumeration, level: unknown) {
    const { env, T } = plan;
    const n = model.states;
    const each = Array.from({ length: n }, (_, s) => states.slice(s * env.words, (s + 1) * env.words));
    const legal = Uint32Array.from(each, (state) => env.legal(level, state, 0));
    const probs = judges.probs(level, each);
    const values = judges.values(level, each);
    const { commit } = request;
    this.model = model;
    this.probs = probs;
    this.T = T;
    this.commit = commit;
    this.open = searchTable(model, { values, probs, legal }, request);
    this.cut = searchTable(model, { values: new Float64Array(n), probs, legal }, request);
  }

  get likeliest(): Float64Array {
    const { actions, states } = this.model;
    const best = Int32Array.from({ length: states }, (_, s) => {
      const own = this.probs.subarray(s * actions, (s + 1) * actions);
      return own.indexOf(Math.max(...own));
    });
    return oneHot(best, actions);
  }

  successOf(policy: (t: number) => ArrayLike<number>): number {
    return backwardInduction(this.model, policy, this.T, 1, 'success').V[0]!;
  }

  /** Exact success of an agent that looks `depth` steps ahead and then does `commit` of them. */
  successWith(depth: number): number {
    const { T, model } = this;
    const commit = Math.min(this.commit, depth);
    const made = new Map<Depth, Float64Array>();
    return this.successOf((t) => {
      const from = t - (t % commit);
      const first = depthAt(depth, from, T);
      const depths = from + first >= T ? this.cut : this.open;
      const at = depths[first - (t - from) - 1]!;
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
