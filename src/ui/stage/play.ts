import { FLAG, type StepResult } from '../../envs/types.ts';
import type { World } from './world.ts';
import { firstState } from './world.ts';

/** A game in progress: the person plays by the rules of the environment. */
export type Game = {
  readonly world: World;
  readonly state: Uint32Array;
  readonly text: string;
  readonly steps: number;
  readonly total: number;
  /** decides the chance of the world, e.g. where one slips */
  readonly seed: number;
};

/** Events of the grid family in the flags of a step. */
const KEY = 256;
const DOOR = 512;

/** True once the episode of a state has ended (the status is kept in the upper half of its last word). */
export const isOver = ({ world, state }: Game): boolean => state[world.env.words - 1]! >>> 16 !== 0;

/** A game from a state in the middle of an episode, or from the start of the level. */
export function newGame(world: World, from: Uint32Array | null, seed: number): Game {
  const game = { world, state: from ? from.slice() : firstState(world), steps: 0, total: 0, seed };
  const text = from ? 'You go on where the agent stands.' : 'Your turn: reach the goal.';
  return from && isOver({ ...game, text }) ? newGame(world, null, seed) : { ...game, text };
}

/** The game after one action; the same game once it is over or for no action. */
export function act(game: Game, action: number): Game {
  const { env, level } = game.world;
  if (action < 0 || isOver(game)) return game;
  const state = game.state.slice();
  const result: StepResult = { reward: 0, flags: 0 };
  env.step(level, state, 0, action, game.seed, result);
  const steps = game.steps + 1;
  const total = game.total + result.reward / 1000;
  return { ...game, state, steps, total, text: sentence(result.flags, steps, total) };
}

function sentence(flags: number, steps: number, total: number): string {
  const paid = `return ${Number(total.toFixed(2))} after ${steps} ${steps === 1 ? 'step' : 'steps'}`;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (has(FLAG.success)) return `Success: ${paid}.`;
  if (has(FLAG.dead)) return `The episode ended badly: ${paid}.`;
  if (has(FLAG.truncated)) return `Out of steps: ${paid}.`;
  if (has(KEY)) return `You have a key: ${paid}.`;
  if (has(DOOR)) return `The door is open: ${paid}.`;
  if (has(FLAG.invalid)) return `That is not possible here: ${paid}.`;
  return `Step ${steps}: ${paid}.`;
}

const MOVES: Readonly<Record<string, string>> = {
  ArrowRight: 'right',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowUp: 'up',
};
const TURNS: Readonly<Record<string, string>> = {
  ArrowRight: 'turn right',
  ArrowLeft: 'turn left',
  ArrowUp: 'forward',
  ArrowDown: 'pick up',
  Enter: 'open',
};

/** Action of a key, −1 if it has none. Agents with a heading turn with the arrow keys. */
export function actionOfKey(key: string, names: readonly string[]): number {
  const name = (names.includes('forward') ? TURNS : MOVES)[key];
  return name === undefined ? -1 : names.indexOf(name);
}
