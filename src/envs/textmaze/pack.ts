import { VOCABULARY } from '../vocabulary.ts';
import { GOALS, NONE } from './level.ts';
import { ROOM_TOKENS } from './say.ts';
import type { TextmazeLevel } from './textmaze.ts';

const NAMES = 20;
const EXITS = 24;
const TABLE = EXITS + 64;
const VIEWS = ['bag', 'tokens', 'index'];

/**
 * A level as u32 words for step.wgsl: 24 header words, 64 exits, then the key table of an index view.
 * The layout is repeated at the head of step.wgsl.
 */
export function packLevel(level: TextmazeLevel): Uint32Array {
  const { rules, view, features } = level;
  const { maze, rewards } = rules;
  const table = view.kind === 'index' ? view.table : null;
  const words = new Uint32Array(TABLE + (table ? table.keys.length : 0));
  const byte = (at: number, k: number, value: number): void => {
    words[at + (k >>> 2)]! |= (value & 255) << (8 * (k & 3));
  };
  words[0] = maze.names.length | (rules.actions << 8) | (rules.T << 16);
  words[1] = Number(level.maskActions) | (Number(level.goalFirst) << 1) | (VIEWS.indexOf(view.kind) << 8);
  words[2] = maze.start;
  byte(3, 0, GOALS.indexOf(maze.goal.kind));
  byte(3, 1, maze.goal.item);
  byte(3, 2, maze.goal.room);
  words.set(rules.slip, 4);
  const { goal, step, subgoal, invalid, syntax, meta } = rewards;
  words.set(Int32Array.of(goal, step, subgoal, invalid, syntax, meta), 7);
  words[13] = features;
  words[14] = table ? table.rows : 0;
  words[15] = VOCABULARY.length;
  maze.keyRoom.forEach((room, color) => byte(16, color, room));
  maze.itemRoom.forEach((room, item) => byte(17, item, room));
  words[18] = rules.falseExits;
  maze.names.forEach((name, room) => byte(NAMES, room, ROOM_TOKENS[name]!));
  for (let exit = 0; exit < 64; exit++) {
    const way = rules.exitWay[exit] ?? NONE;
    words[EXITS + exit] =
      way === NONE ? 0xffffffff : rules.exitRoom[exit]! | (way << 8) | ((maze.ways[way]!.color + 1) << 16);
  }
  if (table) words.set(table.keys, TABLE);
  return words;
}
