import type { Scene, SceneCell } from '../types.ts';
import { cellOf, has, squareOf } from './board.ts';
import type { SokobanMap } from './level.ts';

/** Drawing of a state. Grounds: wall floor target dead (floor from which a box cannot be saved). Item: box. */
export function sceneOf(map: SokobanMap, state: Uint32Array, at: number): Scene {
  const cells = Array.from({ length: map.W * map.H }, (_, cell): SceneCell => {
    const square = squareOf(map.W, cell);
    if (has(map.walls, 0, square)) return { ground: 'wall' };
    const ground = has(map.targets, 0, square) ? 'target' : has(map.dead, 0, square) ? 'dead' : 'floor';
    return has(state, at + 1, square) ? { ground, item: 'box' } : { ground };
  });
  return {
    width: map.W,
    height: map.H,
    cells,
    holding: [],
    agent: { cell: cellOf(map.W, state[at]!), direction: null },
  };
}
