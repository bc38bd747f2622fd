import { PURPOSE, random } from '../../core/random.ts';
import { namer } from '../../envs/enumerate.ts';
import { FLAG, type Environment, type StepResult } from '../../envs/types.ts';
import type { Plan } from '../../engine/plan.ts';
import { depthAt, type LookaheadSettings } from '../analysis/lookahead.ts';
import { search, type Model, type Plan as Ahead } from '../../slots/rollout/lookahead/search.ts';
import type { StateJudges } from './stateJudges.ts';

export type Played = {
  readonly success: number;
  readonly actions: readonly number[];
  readonly decisions: number;
  /** states looked at by all decisions, and decisions that looked less far than they should */
  readonly held: number;
  readonly shrunk: number;
};

/** A level as its own model: packed states, all outcomes of every possible action. */
export function modelOf<L>(env: Environment<L>, level: L): Model<Uint32Array> {
  const { nameOf } = namer(env, level, 'policy');
  return {
    actions: env.actions(level).length,
    nameOf: (state) => nameOf(state, 0),
    branches(state, action) {
      if (((env.legal(level, state, 0) >>> action) & 1) === 0) return [];
      return env.outcomes(level, state, action).map(({ numerator, denominator, reward, flags, state: next }) => ({
        probability: numerator / denominator,
        reward: reward / 1000,
        next: (flags & FLAG.terminated) !== 0 ? null : next,
      }));
    },
  };
}

/** One episode of an agent that looks ahead before it acts. */
export function playAhead(
  plan: Plan,
  judges: StateJudges,
  { depth, width, gamma, commit }: LookaheadSettings,
  of: { readonly replica: number; readonly seed: number; readonly episode: number },
): Played {
  const { env, T } = plan;
  const level = plan.level(of.seed);
  const model = modelOf(env, level);
  const state = new Uint32Array(env.words);
  const result: StepResult = { reward: 0, flags: 0 };
  const episodeSeed = random(plan.seeds[of.replica]!, PURPOSE.panelEpisode, 0, of.episode, of.seed);
  env.reset(level, state, 0);
  const actions: number[] = [];
  let [decisions, held, shrunk, from] = [0, 0, 0, 0];
  let ahead: Ahead<Uint32Array> | null = null;
  for (let t = 0; t < T; t++) {
    let row = ahead && t - from < Math.min(commit, ahead.depth) ? rowIn(ahead, t - from, model, state) : -1;
    if (row < 0) {
      const d = depthAt(depth, t, T);
      ahead = search(model, state.slice(), judges.of(level, t + d >= T), { depth: d, width, gamma });
      [from, row] = [t, 0];
      decisions++;
      held += ahead.held;
      if (ahead.depth < d && ahead.layers.at(-1)!.states.length > 0) shrunk++;
    }
    const action = Math.max(0, ahead!.layers[t - from]!.best[row]!);
    actions.push(action);
    env.step(level, state, 0, { action, seed: episodeSeed }, result);
    const { flags } = result;
    if ((flags & (FLAG.terminated | FLAG.truncated)) !== 0)
      return { success: (flags & FLAG.success) !== 0 ? 1 : 0, actions, decisions, held, shrunk };
  }
  return { success: 0, actions, decisions, held, shrunk };
}

/** Row of the state in a layer of the plan; −1 if the plan did not expect it. */
function rowIn(ahead: Ahead<Uint32Array>, layer: number, model: Model<Uint32Array>, state: Uint32Array): number {
  return ahead.layers[layer]!.rowOf.get(model.nameOf(state)) ?? -1;
}
