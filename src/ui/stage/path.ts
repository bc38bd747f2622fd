import { firstState, type World } from './world.ts';

/** States that the agent passes when it follows the actions from the start, without the world's chance; clocks are 0. */
export function pathStates(world: World, actions: readonly number[]): Uint32Array[] {
  const { env, level } = world;
  const states = [firstState(world)];
  for (const action of actions) {
    const outcomes = env.outcomes(level, states.at(-1)!, action);
    const likely = outcomes.reduce((best, o) => (o.numerator > best.numerator ? o : best), outcomes[0]!);
    const state = likely.state.slice();
    state[env.words - 1] = 0;
    states.push(state);
  }
  return states;
}
