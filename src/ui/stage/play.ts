import { ownNames } from '../../contract/tags.ts';
import { FLAG, type Scene, type StepResult } from '../../envs/types.ts';
import { directionOf } from './directions.ts';
import { plain } from './episodes.ts';
import { aimOf, changeOf, whyNot } from './events.ts';
import { firstState, type World } from './world.ts';
import { many } from '../format.ts';

/** A game in progress: the person plays by the rules of the environment. */
export type Game = {
  readonly world: World;
  readonly state: Uint32Array;
  readonly scene: Scene;
  readonly text: string;
  /** how the last action went: `no` = it was impossible */
  readonly mood: 'plain' | 'no' | 'won' | 'lost';
  readonly steps: number;
  readonly total: number;
  /** decides the chance of the world, e.g. where one slips */
  readonly seed: number;
  /** what the person did to get here, and the game before it: for undo and for the transcript */
  readonly did: string;
  readonly before: Game | null;
};

/** True once the episode of a state has ended (the status is kept in the upper half of its last word). */
export const isOver = ({ world, state }: Pick<Game, 'world' | 'state'>): boolean =>
  state[world.env.words - 1]! >>> 16 !== 0;

/** A game from a state in the middle of an episode, or from the start of the level. */
export function newGame(world: World, from: Uint32Array | null, seed: number): Game {
  const isAtStart = !from || isOver({ world, state: from }) || (from[world.env.words - 1]! & 0xffff) === 0;
  const state = isAtStart ? firstState(world) : from.slice();
  const scene = world.env.scene(world.level, state, 0);
  const text = isAtStart ? aimOf(scene) : `You continue where the agent is. ${aimOf(scene)}`;
  return { world, state, scene, text, mood: 'plain', steps: 0, total: 0, seed, did: '', before: null };
}

/** Action id of a line that is no command: worlds with a language have an answer to it, in the others nothing happens. */
export const NO_COMMAND = 0xffffffff;

/** The game after one action; the same game once it is over or for no action. `typed` is what a person wrote for it. */
export function act(game: Game, action: number, typed?: string): Game {
  const { world } = game;
  const { env, level } = world;
  if (action < 0 || isOver(game)) return game;
  const state = game.state.slice();
  const result: StepResult = { reward: 0, flags: 0 };
  env.step(level, state, 0, { action, seed: game.seed }, result);
  const next = {
    ...game,
    state,
    scene: env.scene(level, state, 0),
    steps: game.steps + 1,
    total: game.total + result.reward / 1000,
    did: typed ?? env.actions(level)[action] ?? '',
    before: game,
  };
  return {
    ...next,
    mood: moodOf(result.flags),
    text: sentence(game.scene, next, env.actions(level)[action], result.flags),
  };
}

/** One action back; at the start nothing happens. */
export const undo = (game: Game): Game => game.before ?? game;

/** All moments of a game, the oldest first. */
export function momentsOf(game: Game): Game[] {
  const moments: Game[] = [];
  for (let at: Game | null = game; at; at = at.before) moments.push(at);
  return moments.reverse();
}

/** Actions that do something here: bit a = 1. Found by trying, so it holds in every world. */
export function possibleNow({ world, state }: Game): boolean[] {
  const { env, level } = world;
  const result: StepResult = { reward: 0, flags: 0 };
  return ownNames(env.actions(level)).map((_, action) => {
    const copy = state.slice();
    env.step(level, copy, 0, { action, seed: 0 }, result);
    return (result.flags & FLAG.invalid) === 0;
  });
}

const moodOf = (flags: number): Game['mood'] => {
  if ((flags & FLAG.success) !== 0) return 'won';
  if ((flags & (FLAG.dead | FLAG.truncated)) !== 0) return 'lost';
  return (flags & FLAG.invalid) !== 0 ? 'no' : 'plain';
};

function sentence(
  before: Scene,
  { scene, steps, total }: Omit<Game, 'text' | 'mood'>,
  action: string | undefined,
  flags: number,
): string {
  const paid = `return ${plain(total)} after ${many(steps, 'step')}`;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (has(FLAG.success)) return `Solved: ${paid}.`;
  if (has(FLAG.dead)) return `The episode ended badly: ${paid}.`;
  if (has(FLAG.truncated)) return `Out of steps: ${paid}.`;
  if (action === undefined) return `That is not a command here: ${paid}.`;
  const what = has(FLAG.invalid) ? whyNot(before, scene, directionOf(action)) : changeOf(before, scene);
  return `${what ?? `Step ${steps}`}: ${paid}.`;
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowRight: 0,
  ArrowDown: 1,
  ArrowLeft: 2,
  ArrowUp: 3,
  d: 0,
  s: 1,
  a: 2,
  w: 3,
};
const TURNS: Readonly<Record<string, string>> = {
  ArrowRight: 'turn right',
  ArrowLeft: 'turn left',
  ArrowUp: 'forward',
  ArrowDown: 'pick up',
  d: 'turn right',
  a: 'turn left',
  w: 'forward',
  s: 'pick up',
  Enter: 'open',
};

/** Action of a key, −1 if it has none: arrows or W A S D walk. Agents with a heading turn with them. */
export function actionOfKey(key: string, names: readonly string[]): number {
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  if (names.includes('forward')) return names.indexOf(TURNS[pressed] ?? '');
  const way = Object.hasOwn(MOVES, pressed) ? MOVES[pressed] : undefined;
  return way === undefined ? -1 : names.findIndex((name) => directionOf(name) === way);
}
