import { tokenIds } from '../vocabulary.ts';
import type { GridLevel } from './grid.ts';
import { cellChar } from './level.ts';
import { featuresOf, tokensOf } from './observe.ts';
import { resetState, WORDS } from './rules.ts';

const HEADER = 24;

/**
 * A level as u32 words for step.wgsl: 24 header words, one word per cell, then the key table of an index view.
 * The layout is repeated at the head of step.wgsl.
 */
export function packLevel(level: GridLevel): Uint32Array {
  const { rules, view } = level;
  const { map, rewards } = rules;
  const cells = map.W * map.H;
  const table = view.kind === 'index' ? view.table : null;
  const words = new Uint32Array(HEADER + cells + (table ? table.keys.length : 0));
  const first = new Uint32Array(WORDS);
  resetState(rules, first, 0);
  const bits = [rules.turn, level.maskActions, map.iceAll, map.needAll, rewards.timed, map.hasExit, rules.noisyTiles];
  words[0] = map.W | (map.H << 8);
  words[1] = rules.T | bits.reduce((sum, bit, k) => sum | (bit ? 1 << (16 + k) : 0), 0);
  words[2] = first[0]!;
  words[3] = rules.dirs.reduce((sum, d, a) => sum | (d << (2 * a)), 0) | (rules.dirs.length << 16);
  words.set(map.slip, 4);
  words[7] = map.keys === 32 ? 0xffffffff : 2 ** map.keys - 1;
  words[8] = (2 ** map.goals - 1) | (map.subgoals << 8) | (map.obstacles.length << 16);
  words.set(first.subarray(3, 6), 9);
  const { goal, step, dead, collision, bonus, subgoal, invalid } = rewards;
  words.set(Int32Array.of(goal, step, dead, collision, bonus, subgoal, invalid), 12);
  const viewId = { planes: 0, ego: 1, index: 2, tokens: 3 }[view.kind];
  words[20] = viewId | (view.kind === 'ego' ? view.size << 8 : 0);
  words[21] =
    view.kind === 'index' ? view.table.rows : view.kind === 'tokens' ? 8 * tokensOf(rules) : featuresOf(rules, view);
  words[22] = table ? table.rows : 0;
  const id = (word: string): number => tokenIds([word])[0]!;
  words[19] = id(map.iceAll ? 'cell:~' : 'cell:.') | (id('cell:@') << 8) | (id('cell:o') << 16) | (id('red') << 24);
  words[23] = id('you') | (id('have') << 8) | (id('nothing') << 16) | (id('.') << 24);
  for (let cell = 0; cell < cells; cell++) {
    const char = cellChar(map, cell);
    const token = id(`cell:${char === '.' && map.iceAll ? '~' : char}`);
    words[HEADER + cell] = map.kind[cell]! | (map.index[cell]! << 8) | (map.color[cell]! << 16) | (token << 24);
  }
  if (table) words.set(table.keys, HEADER + cells);
  return words;
}
