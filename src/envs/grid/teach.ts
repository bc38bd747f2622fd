import type { Environment, Subgoal } from '../types.ts';
import type { GridLevel } from './grid.ts';
import { KIND, type GridMap } from './level.ts';
import { cellOf, resetState, stepState, WORDS } from './rules.ts';
import { itemsOf } from './signals.ts';

const COLORS = ['red', 'blue', 'green', 'yellow'];

/** First cell of these kinds with an index within its kind. */
const cellWith = ({ kind, index }: GridMap, kinds: readonly number[], nth: number): number =>
  kind.findIndex((own, cell) => kinds.includes(own) && index[cell] === nth);

/** Where a shortest solution ends. */
function endOf(level: GridLevel, path: readonly number[]): number {
  const state = new Uint32Array(WORDS);
  const rules = { ...level.rules, map: { ...level.rules.map, slip: [0, 1, 0] as const, obstacles: [] } };
  resetState(rules, state, 0);
  for (const action of path) stepState(rules, state, 0, action, 0, { reward: 0, flags: 0 });
  return cellOf(state[0]!);
}

/** Keys to take, doors to unlock and numbered goals to reach, in the order of a shortest solution, then the goal. */
export function subgoalsOf(env: Environment<GridLevel>, level: GridLevel): Subgoal[] {
  const { map } = level.rules;
  const path = env.shortestPath(level);
  if (!path) return [];
  const items = itemsOf(env, level).flatMap((item): Subgoal[] => {
    if (item.kind !== 'bit' && item.kind !== 'least') return [];
    const { word, at, value } = item;
    if (item.kind === 'least') {
      const place = cellWith(map, [KIND.subgoal], value);
      return [{ word, at, mask: 15, least: value, most: 15, place, says: ['reach', `cell:${value}`] }];
    }
    const isKey = word === 2;
    const place = cellWith(map, isKey ? [KIND.key] : [KIND.lockedDoor, KIND.door], at);
    const color = map.kind[place] === KIND.door ? [] : [COLORS[map.color[place]!]!];
    const says = isKey ? ['take', ...color, 'key'] : ['unlock', ...color, 'door'];
    return [{ word, at, mask: 1, least: 1, most: 1, place, says }];
  });
  return [
    ...items,
    { word: 255, at: 0, mask: 0, least: 0, most: 0, place: endOf(level, path), says: ['reach', 'goal'] },
  ];
}
