import type { GridLevel } from '../grid/grid.ts';
import { KIND } from '../grid/level.ts';
import { has } from '../sokoban/board.ts';
import { deadSquares } from '../sokoban/deadlocks.ts';
import type { SokobanLevel } from '../sokoban/sokoban.ts';

/** The level with start and goal exchanged, by environment; null where it has not one of each. It may have no solution. */
export const swaps = {
  /** the agent begins where the only goal or exit was, which is now where it began */
  grid(level: GridLevel): GridLevel | null {
    const { map } = level.rules;
    const goals = [...map.kind.keys()].filter((cell) => map.kind[cell] === KIND.goal || map.kind[cell] === KIND.exit);
    const [goal] = goals;
    if (goal === undefined || goals.length > 1 || map.obstacles.length > 0) return null;
    const exchanged = (of: Uint8Array): Uint8Array => {
      const out = of.slice();
      [out[goal], out[map.start]] = [of[map.start]!, of[goal]!];
      return out;
    };
    const swapped = {
      kind: exchanged(map.kind),
      index: exchanged(map.index),
      color: exchanged(map.color),
      start: goal,
    };
    return { ...level, rules: { ...level.rules, map: { ...map, ...swapped } } };
  },
  /** boxes begin where they were to be, and are to be where they began */
  sokoban(level: SokobanLevel): SokobanLevel | null {
    const { map } = level.rules;
    if (has(map.targets, 0, map.player)) return null;
    const swapped = { boxes: map.targets, targets: map.boxes, dead: deadSquares(map.walls, map.boxes) };
    return { ...level, rules: { ...level.rules, map: { ...map, ...swapped } } };
  },
} as unknown as Readonly<Record<string, (level: unknown) => unknown>>;
