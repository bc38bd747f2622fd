import { firstState, type World } from './world.ts';

/** Cells the agent passes when it follows the actions from the start (without the world's chance). */
export function pathCells(world: World, actions: readonly number[]): number[] {
  const { env, level } = world;
  let state = firstState(world);
  const cells = [env.cell(state, 0)];
  for (const action of actions) {
    const outcomes = env.outcomes(level, state, action);
    const likely = outcomes.reduce((best, o) => (o.numerator > best.numerator ? o : best), outcomes[0]!);
    state = likely.state.slice();
    state[env.words - 1] = 0;
    cells.push(env.cell(state, 0));
  }
  return cells;
}
