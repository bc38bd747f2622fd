import { expect, test } from 'vitest';
import { defaultConfig, configWith } from '../../config/schema.ts';
import { act, actionOfKey, isOver, momentsOf, newGame, NO_COMMAND, possibleNow, undo, type Game } from './play.ts';
import { pathStates } from './path.ts';
import { nextLevelSeed, placeOf, worldOf, type World } from './world.ts';

const world = (changes: Record<string, unknown> = {}): World => worldOf(configWith(changes), 1)!;
const keyDoor = world();
const played = (actions: readonly number[]): Game =>
  actions.reduce((game, a) => act(game, a), newGame(keyDoor, null, 1));
// four to the right, where the key lies, and four down to the exit
const BEST = [0, 0, 0, 0, 1, 1, 1, 1];

test('the best actions solve the level, and afterwards nothing moves', () => {
  const game = played(BEST);
  expect([game.mood, game.steps, game.total, isOver(game)]).toEqual(['won', 8, 1, true]);
  expect(act(game, 0)).toBe(game);
  expect(played([0, 0, 0, 0]).text).toBe('You have the red key: return 0 after 4 steps.');
});

test('undo goes back through every moment to the start and stays there', () => {
  const game = played(BEST);
  expect(momentsOf(game).map((m) => m.steps)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const start = BEST.reduce(undo, game);
  expect([start.steps, isOver(start), start.before]).toEqual([0, false, null]);
  expect(undo(start)).toBe(start);
  expect(undo(game).mood).toBe('plain');
});

test('an impossible move is said and counts as a step of the world', () => {
  const game = played([3]);
  expect([game.mood, game.text]).toEqual(['no', 'There is a wall: return 0 after 1 step.']);
  expect(possibleNow(newGame(keyDoor, null, 1))).toEqual([true, true, false, false]);
});

test('a line that is no command leaves the agent where it is', () => {
  const game = act(newGame(keyDoor, null, 1), NO_COMMAND, 'dance');
  expect([game.did, game.steps, game.scene.agent.cell]).toEqual(['dance', 1, 0]);
});

test('a game goes on where the agent stands, but not after its end', () => {
  const middle = played([0, 0]);
  expect(newGame(keyDoor, middle.state, 1).scene.agent.cell).toBe(2);
  expect(newGame(keyDoor, played(BEST).state, 1).scene.agent.cell).toBe(0);
});

test('arrow keys and letters walk, agents with a heading turn', () => {
  const names = keyDoor.env.actions(keyDoor.level);
  expect(['ArrowRight', 's', 'A', 'ArrowUp', 'x'].map((key) => actionOfKey(key, names))).toEqual([0, 1, 2, 3, -1]);
  expect(
    ['d', 'a', 'w', 'Enter'].map((key) => actionOfKey(key, ['turn left', 'turn right', 'forward', 'pick up', 'open'])),
  ).toEqual([1, 0, 2, 4]);
});

test('a path passes the cells of the drawing', () => {
  expect(pathStates(keyDoor, BEST).map((state) => placeOf(keyDoor, state, 0))).toEqual([0, 1, 2, 3, 4, 9, 14, 19, 24]);
});

test('another level is offered only where levels differ', () => {
  expect(nextLevelSeed(defaultConfig(), keyDoor)).toBeNull();
  const rooms = configWith({ 'task.grid.level': 'fourRooms', 'task.grid.n': 9 });
  expect(nextLevelSeed(rooms, worldOf(rooms, 1)!)).toBe(2);
});
