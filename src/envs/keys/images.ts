import { cellOf as gridCell, obstacleCell, progressOf, keysHeld } from '../grid/rules.ts';
import type { GridLevel } from '../grid/grid.ts';
import { KIND, type GridMap } from '../grid/level.ts';
import { cellOf, has, insert, MASK_WORDS, squareOf, squaresOf, type Mask } from '../sokoban/board.ts';
import type { SokobanMap } from '../sokoban/level.ts';
import type { SokobanLevel } from '../sokoban/sokoban.ts';
import { imageOf } from './symmetry.ts';

/** What turning and mirroring needs to know of an environment whose agent goes right, down, left, up. */
export type Images<L> = {
  size(level: L): { readonly height: number; readonly width: number };
  /** everything that lies in a cell as a number, level and state together, row by row; then what is no place */
  cells(level: L, state: Uint32Array, at: number): { readonly cells: number[]; readonly rest: number[] };
  level(level: L, transform: number): L;
  /** writes the image of a state into `out`, clock included */
  state(level: L, transform: number, from: { state: Uint32Array; at: number }, out: Uint32Array): void;
  /** why a level has no images; null: it has */
  refuses(level: L): string | null;
};

const WIND = 'chance pushes to one side';

const gridSize = ({ rules: { map } }: GridLevel) => ({ height: map.H, width: map.W });

const grid: Images<GridLevel> = {
  size: gridSize,
  cells({ rules: { map } }, state, at) {
    const cells = Array.from(map.kind, (kind, cell) => {
      const bit = 1 << map.index[cell]!;
      let gone = 0;
      if (kind === KIND.key) gone = state[at + 2]! & bit;
      if (kind === KIND.door || kind === KIND.lockedDoor) gone = state[at + 1]! & bit;
      if (kind === KIND.goal) gone = (state[at]! >>> 20) & bit;
      const number = kind === KIND.subgoal ? map.index[cell]! : 0;
      return kind * 512 + map.color[cell]! * 128 + number * 8 + (gone === 0 ? 0 : 4);
    });
    for (let k = 0; k < map.obstacles.length; k++) cells[obstacleCell(state, at, k)]! |= 2;
    cells[gridCell(state[at]!)]! |= 1;
    return { cells, rest: [keysHeld(state[at]!), progressOf(state[at]!)] };
  },
  level(level, transform) {
    const { map } = level.rules;
    const place = (cell: number): number => imageOf(cell, map.H, map.W, transform);
    const moved = (of: Uint8Array): Uint8Array => {
      const image = new Uint8Array(of.length);
      of.forEach((x, cell) => (image[place(cell)] = x));
      return image;
    };
    const image: GridMap = {
      ...map,
      ...{ kind: moved(map.kind), index: moved(map.index), color: moved(map.color), start: place(map.start) },
      ...{ obstacles: map.obstacles.map(place) },
    };
    return { ...level, rules: { ...level.rules, map: image } };
  },
  state(level, transform, { state, at }, out) {
    const { height, width } = gridSize(level);
    const place = (cell: number): number => imageOf(cell, height, width, transform);
    out.set(state.subarray(at, at + 7));
    out[0] = (out[0]! & ~0x3ff) | place(gridCell(out[0]!));
    for (let k = 0; k < level.rules.map.obstacles.length; k++) {
      const shift = 10 * (k % 3);
      const word = 3 + Math.floor(k / 3);
      out[word] = (out[word]! & ~(0x3ff << shift)) | (place(obstacleCell(state, at, k)) << shift);
    }
  },
  refuses({ rules }) {
    if (rules.turn) return 'the agent turns instead of walking in four directions';
    if (rules.map.slip[0] !== rules.map.slip[2]) return WIND;
    return rules.dirs.length === 4 ? null : 'there are not four directions to walk in';
  },
};

function movedMask({ W, H }: SokobanMap, mask: Mask, transform: number): Mask {
  const image = new Uint32Array(MASK_WORDS);
  const isInside = (square: number): boolean => (square & 15) < W && square >>> 4 < H;
  for (const square of squaresOf(mask))
    insert(image, 0, isInside(square) ? squareOf(W, imageOf(cellOf(W, square), H, W, transform)) : square);
  return image;
}

const sokoban: Images<SokobanLevel> = {
  size: ({ rules: { map } }) => ({ height: map.H, width: map.W }),
  cells({ rules: { map } }, state, at) {
    const cells = Array.from({ length: map.W * map.H }, (_, cell) => {
      const square = squareOf(map.W, cell);
      const player = state[at] === square ? 8 : 0;
      return (
        Number(has(map.walls, 0, square)) +
        2 * Number(has(map.targets, 0, square)) +
        4 * Number(has(state, at + 1, square)) +
        player
      );
    });
    return { cells, rest: [] };
  },
  level(level, transform) {
    const { map } = level.rules;
    const mask = (of: Mask): Mask => movedMask(map, of, transform);
    const player = squareOf(map.W, imageOf(cellOf(map.W, map.player), map.H, map.W, transform));
    const image: SokobanMap = {
      ...map,
      ...{ walls: mask(map.walls), targets: mask(map.targets), boxes: mask(map.boxes), dead: mask(map.dead), player },
    };
    return { ...level, rules: { ...level.rules, map: image } };
  },
  state({ rules: { map } }, transform, { state, at }, out) {
    out.set(state.subarray(at, at + 10));
    out[0] = squareOf(map.W, imageOf(cellOf(map.W, state[at]!), map.H, map.W, transform));
    out.set(movedMask(map, state.subarray(at + 1, at + 1 + MASK_WORDS), transform), 1);
  },
  refuses: ({ rules: { slip } }) => (slip[0] === slip[2] ? null : WIND),
};

/** Environments with images, by id. An environment only ever sees levels that it made itself. */
export const images = { grid, sokoban } as unknown as Readonly<Record<string, Images<unknown>>>;
