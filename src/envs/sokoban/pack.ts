import type { SokobanLevel } from './sokoban.ts';
import { CELL_TOKENS } from './observe.ts';

const HEADER = 56;
/** Views by the number that the kernel knows them by. */
const VIEWS: readonly SokobanLevel['view']['kind'][] = ['planes', 'tokens', 'index', 'around'];

/**
 * A level as u32 words for step.wgsl: 56 header words, then the key table of an index view. The layout is repeated at
 * the head of step.wgsl.
 */
export function packLevel(level: SokobanLevel, features: number): Uint32Array {
  const { rules, view } = level;
  const { map, rewards } = rules;
  const table = view.kind === 'index' ? view.table : null;
  const words = new Uint32Array(HEADER + (table ? table.keys.length : 0));
  words[0] = map.W | (map.H << 8);
  words[1] = rules.T | (level.maskActions ? 1 << 16 : 0) | (rules.deadEnd ? 1 << 17 : 0);
  words[2] = map.player;
  words[3] = VIEWS.indexOf(view.kind);
  words[4] = features;
  words[5] = table ? table.rows : 0;
  words.set(rules.slip, 6);
  const { step, boxOn, boxOff, goal, invalid, dead } = rewards;
  words.set(Int32Array.of(step, boxOn, boxOff, goal, invalid, dead), 9);
  words.set(map.walls, 16);
  words.set(map.targets, 24);
  words.set(map.dead, 32);
  words.set(map.boxes, 40);
  words.set(CELL_TOKENS, 48);
  if (table) words.set(table.keys, HEADER);
  return words;
}
