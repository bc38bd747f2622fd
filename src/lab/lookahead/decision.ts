import { FLAG } from '../../envs/types.ts';
import { noExactReason } from '../../engine/exactValues.ts';
import type { Plan } from '../../engine/plan.ts';
import { search } from '../../slots/rollout/lookahead/search.ts';
import { depthAt, type LookaheadSettings } from '../analysis/lookahead.ts';
import { Tables, type LevelTable } from './levelTable.ts';
import { modelOf } from './play.ts';
import { StateJudges, whyNoLookahead } from './stateJudges.ts';

/** A state in which the agent may look ahead: packed words, with t steps taken. */
export type DecisionRequest = LookaheadSettings & {
  readonly levelSeed: number;
  readonly state: Uint32Array;
  readonly t: number;
};

/** What an agent that looks ahead sees in one state, and does. */
export type Decision = {
  readonly request: DecisionRequest;
  /** steps that were looked ahead: fewer near the step limit, or where too many states follow */
  readonly depth: number;
  /** states that were looked at; null where all states of the level are known */
  readonly held: number | null;
  /** [actions] π; null where it depends on more than the state */
  readonly probs: Float32Array | null;
  /** [actions] value one step and `depth` steps ahead; −Infinity where an action was not tried */
  readonly near: Float64Array;
  readonly Q: Float64Array;
  /** −1: nothing can be done */
  readonly best: number;
  /** what it means to do, chance taking its likeliest course: states are one more than actions */
  readonly actions: readonly number[];
  readonly states: readonly Uint32Array[];
  /** exact chance of success from here on; null where the states are too many to list */
  readonly success: { readonly policy: number; readonly ahead: number; readonly best: number } | null;
  /** [states of the level] what it does everywhere, looking so far; null where the states are too many to list */
  readonly map: { readonly best: Int32Array; readonly V: Float64Array } | null;
};

type Player = { readonly theta: Float32Array; readonly restriction?: Float32Array | undefined };

/** Everything about the newest level under one policy and one lookahead: whoever walks through an episode asks again. */
type Known = {
  readonly of: string;
  readonly plan: Plan;
  readonly judges: StateJudges;
  readonly why: string | null;
  readonly seen: LevelTable | null;
  readonly world: LevelTable | null;
  readonly chances: Map<string, Float64Array>;
};

/** Decisions with lookahead, one state at a time. */
export class Decisions {
  private known: Known | null = null;

  /** `of` names the policy. Yields the share done; the sentence of why there is none, or the decision. */
  *of(plan: Plan, of: string, player: Player, request: DecisionRequest): Generator<number, Decision | string> {
    const known = this.level(plan, of, player, request);
    if (known.why !== null) return known.why;
    yield 0.3;
    const { T } = plan;
    const level = plan.level(request.levelSeed);
    const state = Uint32Array.from(request.state);
    const t = Math.max(0, Math.min(T - 1, request.t));
    const d = depthAt(request.depth, t, T);
    const { seen, world } = known;
    const row = seen ? seen.all.rowOf(state, 0) : -1;
    if (!seen || !world || row < 0) return { request, ...searched(plan, known.judges, { ...request, t, depth: d }) };
    const at = seen.at(t, d);
    const { actions } = seen.all.model;
    const phase = t % Math.min(request.commit, request.depth);
    const own = <X extends Float64Array | Float32Array>(all: X): X =>
      all.slice(row * actions, (row + 1) * actions) as X;
    const chance = function* (name: string, make: () => Float64Array): Generator<number, number> {
      let found = known.chances.get(name);
      if (!found) {
        known.chances.set(name, (found = make()));
        yield 0.6;
      }
      return found[t * seen.all.model.states + row]!;
    };
    const success = {
      policy: yield* chance('policy', () => seen.chances(() => seen.probs)),
      best: yield* chance('best', () => seen.chances(null)),
      ahead: yield* chance(`ahead ${phase}`, () => seen.chancesWith(request.depth, phase)),
    };
    const best = at.best[row]!;
    const { best: everywhere, V } = world.at(0, Math.min(request.depth, T));
    return {
      ...{ request, depth: d, held: null, success, best },
      probs: own(seen.probs),
      near: own(seen.at(t, 1).Q),
      Q: own(at.Q),
      ...followed(plan, level, state, d, (k, now) => seen.at(t + k, d - k).best[seen.all.rowOf(now, 0)] ?? -1),
      map: { best: everywhere, V },
    };
  }

  private level(plan: Plan, policy: string, { theta, restriction }: Player, request: DecisionRequest): Known {
    const { levelSeed, depth, width, leaf, commit, gamma } = request;
    const of = JSON.stringify([policy, levelSeed, depth, width, leaf, commit, gamma]);
    if (this.known?.of === of && this.known.plan === plan) return this.known;
    const judges = new StateJudges(plan, theta, restriction, leaf);
    const why = whyNoLookahead(plan, request) ?? judges.whyNot(plan.level(levelSeed));
    const tables = new Tables(plan, judges, request);
    const isListed = why === null && tables.fits(levelSeed);
    this.known = {
      ...{ of, plan, judges, why, chances: new Map() },
      seen: isListed ? tables.of(levelSeed) : null,
      world: isListed ? tables.of(levelSeed, 'world') : null,
    };
    return this.known;
  }
}

/** The decision from a search that begins in the state. */
function searched(
  plan: Plan,
  judges: StateJudges,
  { levelSeed, state, t, depth, width, gamma }: DecisionRequest,
): Omit<Decision, 'request'> {
  const level = plan.level(levelSeed);
  const model = modelOf(plan.env, level);
  const at = (d: number) => search(model, state, judges.of(level, t + d >= plan.T), { depth: d, width, gamma });
  const ahead = at(depth);
  const [root] = ahead.layers;
  return {
    ...{ depth: ahead.depth, held: ahead.held, success: null, map: null },
    probs: noExactReason(plan) === null ? judges.probs(level, [state]) : null,
    near: at(1).layers[0]!.Q,
    Q: root!.Q,
    best: root!.best[0]!,
    ...followed(plan, level, state, ahead.depth, (k, now) => {
      const layer = ahead.layers[k]!;
      return layer.best[layer.rowOf.get(model.nameOf(now)) ?? -1] ?? -1;
    }),
  };
}

/** The plan from a state on, chance taking its likeliest course. */
function followed(
  { env }: Plan,
  level: unknown,
  from: Uint32Array,
  depth: number,
  bestAt: (k: number, state: Uint32Array) => number,
): Pick<Decision, 'actions' | 'states'> {
  const [actions, states]: [number[], Uint32Array[]] = [[], [from]];
  for (let k = 0; k < depth; k++) {
    const action = bestAt(k, states[k]!);
    if (action < 0) break;
    const outcomes = env.outcomes(level, states[k]!, action);
    const likely = outcomes.reduce((best, o) => (o.numerator > best.numerator ? o : best));
    actions.push(action);
    states.push(likely.state.slice());
    if ((likely.flags & FLAG.terminated) !== 0) break;
  }
  return { actions, states };
}
