import { has, insert, MASK_WORDS, remove, SHIFT, SIDE, squaresOf, type Mask } from './board.ts';

/**
 * Dead squares: floor from which a lone box cannot be pushed to any target, found by pulling from each target: a box on
 * b can be pulled to b + d if b + d and b + 2d are floor. Spec environments §3.4.
 */
export function deadSquares(walls: Mask, targets: Mask): Mask {
  const alive = targets.slice();
  const queue = squaresOf(targets);
  for (let b = queue.pop(); b !== undefined; b = queue.pop()) {
    for (const d of SHIFT) {
      if (has(walls, 0, b + d) || has(walls, 0, b + 2 * d) || has(alive, 0, b + d)) continue;
      insert(alive, 0, b + d);
      queue.push(b + d);
    }
  }
  const dead = new Uint32Array(MASK_WORDS);
  for (let w = 0; w < MASK_WORDS; w++) dead[w] = ~walls[w]! & ~alive[w]!;
  return dead;
}

type Board = { readonly walls: Mask; readonly targets: Mask; readonly dead: Mask };

/**
 * True if the box can never move again, or only onto dead squares. It is blocked along an axis if a wall is on either
 * side, both sides are dead squares, or a neighbor box on that axis is frozen itself; blocked on both axes = frozen.
 * Boxes under test count as walls, which ends the recursion.
 */
export function isFrozen(board: Board, boxes: Uint32Array, boxesAt: number, box: number): boolean {
  const tested = new Uint32Array(MASK_WORDS);
  const isWall = (square: number): boolean => has(board.walls, 0, square) || has(tested, 0, square);
  const frozen = (square: number): boolean => {
    insert(tested, 0, square);
    const blocked = [1, SIDE].every((axis) => {
      const a = square - axis;
      const b = square + axis;
      if (isWall(a) || isWall(b)) return true;
      if (has(board.dead, 0, a) && has(board.dead, 0, b)) return true;
      return (has(boxes, boxesAt, a) && frozen(a)) || (has(boxes, boxesAt, b) && frozen(b));
    });
    remove(tested, 0, square);
    return blocked;
  };
  return frozen(box);
}
