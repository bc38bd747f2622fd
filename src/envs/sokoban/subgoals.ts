import { madeOnce, type Nearby, type Remembered, type Vocabulary } from '../subgoals.ts';
import { has, SIDE, squaresOf } from './board.ts';
import type { SokobanLevel } from './sokoban.ts';

/** Boxes that keep their identity at most: a byte of one word each. */
const TOLD_APART = 4;
const MOST = TOLD_APART * TOLD_APART;

type Named = { readonly targets: readonly number[]; readonly boxes: number; readonly names: readonly string[] };

/** Every box to every target; with more boxes than can be told apart, any box to a target. */
const namedOf = madeOnce<SokobanLevel, object, Named>(
  ({ rules }) => rules.map,
  ({ rules: { map } }) => {
    const targets = squaresOf(map.targets);
    const boxes = targets.length <= TOLD_APART ? squaresOf(map.boxes).length : 0;
    const names =
      boxes === 0
        ? targets.slice(0, MOST).map((_, k) => `a box to target ${k + 1}`)
        : Array.from({ length: boxes }, (_, j) => targets.map((_, k) => `box ${j + 1} to target ${k + 1}`)).flat();
    return { targets, boxes, names };
  },
);

const squareOfBox = ({ state, memoryAt }: Remembered, j: number): number => (state[memoryAt]! >>> (8 * j)) & 255;
const targetOf = ({ targets }: Named, g: number): number => targets[g % targets.length]!;
const boxOf = ({ targets }: Named, g: number): number => Math.floor(g / targets.length);

export const sokobanSubgoals: readonly Vocabulary<SokobanLevel>[] = [
  {
    id: 'boxes',
    most: MOST,
    names: (level) => namedOf(level).names,
    reached(level, of, g) {
      const named = namedOf(level);
      const target = targetOf(named, g);
      return named.boxes === 0 ? has(of.state, of.at + 1, target) : squareOfBox(of, boxOf(named, g)) === target;
    },
    marks: 2,
    mark(level, of, g, k) {
      const named = namedOf(level);
      return k === 0 || named.boxes === 0 ? targetOf(named, g) : squareOfBox(of, boxOf(named, g));
    },
    memory: {
      words: 1,
      begin(level, { state, memoryAt }) {
        const { rules } = level;
        state[memoryAt] = 0;
        if (namedOf(level).boxes > 0)
          squaresOf(rules.map.boxes).forEach((square, j) => (state[memoryAt]! |= square << (8 * j)));
      },
      // the box whose square is empty now is on the one that no other box is on
      follow(level, of) {
        const { boxes } = namedOf(level);
        const { state, at, memoryAt } = of;
        const known = Array.from({ length: boxes }, (_, j) => squareOfBox(of, j));
        const moved = known.findIndex((square) => !has(state, at + 1, square));
        if (moved < 0) return;
        const to = squaresOf(state, at + 1).find((square) => !known.includes(square))!;
        state[memoryAt] = (state[memoryAt]! & ~(255 << (8 * moved))) | (to << (8 * moved));
      },
    },
  },
];

/** 3 × 3 squares around the player. */
const CELLS = 9;

/** Walls, targets and boxes of the squares around the player. */
export const sokobanNearby: Nearby<SokobanLevel> = {
  bits: () => 3 * CELLS,
  observe({ rules: { map } }, state, at, bits, bitsAt) {
    let seen = 0;
    for (let k = 0; k < CELLS; k++) {
      const square = state[at]! + (Math.floor(k / 3) - 1) * SIDE + (k % 3) - 1;
      if (has(map.walls, 0, square)) seen |= 1 << k;
      if (has(map.targets, 0, square)) seen |= 1 << (CELLS + k);
      if (has(state, at + 1, square)) seen |= 1 << (2 * CELLS + k);
    }
    bits[bitsAt] = seen;
  },
};
