import type { Scene, SceneCell } from '../types.ts';
import { KIND } from './level.ts';
import {
  cellOf,
  directionOf,
  isClosedDoor,
  isGoalOpen,
  isKeyHere,
  keysHeld,
  obstacleCell,
  progressOf,
  type Rules,
} from './rules.ts';

const KEY_COLORS = ['red', 'blue', 'green', 'yellow'] as const;

/** What is in a cell now. Grounds: wall floor ice. Items: goal exit lava hole bonus key door openDoor subgoal obstacle distractor. */
function cellScene(rules: Rules, state: Uint32Array, at: number, cell: number): SceneCell {
  const { map } = rules;
  const kind = map.kind[cell]!;
  if (kind === KIND.wall) return { ground: 'wall' };
  const ground = kind === KIND.ice || map.iceAll ? 'ice' : 'floor';
  const color = map.color[cell]!;
  switch (kind) {
    case KIND.goal:
      return isGoalOpen(map, state, at, cell) ? { ground, item: 'goal' } : { ground };
    case KIND.exit:
      return { ground, item: 'exit' };
    case KIND.lava:
      return { ground, item: 'lava' };
    case KIND.hole:
      return { ground, item: 'hole' };
    case KIND.bonus:
      return { ground, item: 'bonus' };
    case KIND.key:
      return isKeyHere(map, state, at, cell) ? { ground, item: 'key', color } : { ground };
    case KIND.lockedDoor:
      return { ground, item: isClosedDoor(map, state, at, cell) ? 'door' : 'openDoor', color };
    case KIND.door:
      return { ground, item: isClosedDoor(map, state, at, cell) ? 'door' : 'openDoor' };
    case KIND.subgoal:
      return map.index[cell]! > progressOf(state[at]!)
        ? { ground, item: 'subgoal', color: map.index[cell]! }
        : { ground };
    case KIND.distractor:
      return { ground, item: 'distractor', color };
    default:
      return { ground };
  }
}

/** Drawing of a state. */
export function sceneOf(rules: Rules, state: Uint32Array, at: number): Scene {
  const { map } = rules;
  const cells = Array.from({ length: map.W * map.H }, (_, cell) => cellScene(rules, state, at, cell));
  for (let k = 0; k < map.obstacles.length; k++) {
    const cell = obstacleCell(state, at, k);
    cells[cell] = { ...cells[cell]!, item: 'obstacle' };
  }
  const w0 = state[at]!;
  return {
    width: map.W,
    height: map.H,
    cells,
    holding: KEY_COLORS.filter((_, c) => ((keysHeld(w0) >>> c) & 1) === 1).map((color) => `${color} key`),
    agent: { cell: cellOf(w0), direction: rules.turn ? directionOf(w0) : null },
  };
}
