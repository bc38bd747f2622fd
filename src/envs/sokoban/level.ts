import { has, insert, MASK_WORDS, SIDE, squareOf, squaresOf, type Mask } from './board.ts';
import { deadSquares } from './deadlocks.ts';

/** Sokoban levels as text (XSB, with the run lengths of SOK): parsing with errors that name line and column, and writing. */

/** A board as masks. Everything outside W × H is wall, so a level is padded by a larger W and H alone. */
export type SokobanMap = {
  readonly W: number;
  readonly H: number;
  readonly walls: Mask;
  readonly targets: Mask;
  /** boxes at the start */
  readonly boxes: Mask;
  /** squares from which a lone box cannot reach any target */
  readonly dead: Mask;
  /** square of the player at the start */
  readonly player: number;
};

export type LevelError = { readonly code: string; readonly line: number; readonly column: number };
export type ParsedMap = { readonly ok: true; readonly map: SokobanMap } | ({ readonly ok: false } & LevelError);

/** Cells of the text; a cell is a set of these bits. */
const WALL = 1;
const TARGET = 2;
const BOX = 4;
const PLAYER = 8;
const CELLS: Readonly<Record<string, number>> = {
  '#': WALL,
  ' ': 0,
  '-': 0,
  _: 0,
  '.': TARGET,
  $: BOX,
  b: BOX,
  '*': BOX | TARGET,
  B: BOX | TARGET,
  '@': PLAYER,
  p: PLAYER,
  '+': PLAYER | TARGET,
  P: PLAYER | TARGET,
};
/** Characters of the board by bits, for writing. */
const WRITTEN = ' #. $ * @ +';

/** Longest row that is unpacked; longer ones are too large whatever follows. */
const LONGEST = 1000;

/** True for the characters that a row may consist of, run lengths and row separators aside. */
export function isCell(char: string): boolean {
  return Object.hasOwn(CELLS, char);
}

/** A row of the board and where in the text each of its cells stands. */
type Row = { readonly cells: number[]; readonly columns: number[]; readonly line: number };

/** Rows as they are read. Of those that no board of this height can have, only what decides that it is too large stays. */
class Rows {
  readonly kept: Row[] = [];
  isTooHigh = false;
  private readonly side: number;
  private row: Row | null = null;

  constructor(side: number) {
    this.side = side;
  }

  begin(line: number): void {
    this.row = { cells: [], columns: [], line };
  }

  put(cell: number, column: number, times: number): void {
    const { cells, columns } = this.row!;
    if (this.kept.length >= this.side) {
      if (times > 0 && cell !== 0) this.isTooHigh = true;
      return;
    }
    for (let n = times; n > 0 && cells.length < LONGEST; n--) {
      cells.push(cell);
      columns.push(column);
    }
  }

  end(): void {
    if (this.kept.length <= this.side) this.kept.push(this.row!);
  }
}

const failAt = (code: string, line: number, column: number): ParsedMap => ({ ok: false, code, line, column });

/** Unpacks one line into rows. Returns the error, or null. */
function readLine(text: string, line: number, rows: Rows): LevelError | null {
  rows.begin(line);
  let countAt = -1;
  let count = 0;
  const badRun = (): LevelError => ({ code: 'badRun', line, column: countAt + 1 });
  for (let k = 0; k < text.length; k++) {
    const char = text[k]!;
    if (char >= '0' && char <= '9') {
      if (countAt < 0) [countAt, count] = [k, 0];
      count = Math.min(LONGEST, 10 * count + Number(char));
      continue;
    }
    if (char === '|') {
      if (countAt >= 0) return badRun();
      rows.end();
      rows.begin(line);
      continue;
    }
    if (!isCell(char)) return { code: 'unknownCell', line, column: k + 1 };
    rows.put(CELLS[char]!, k + 1, countAt < 0 ? 1 : count);
    countAt = -1;
  }
  if (countAt >= 0) return badRun();
  rows.end();
  return null;
}

/** Reads a level of at most `side` × `side` cells. The first error wins, in the order of the specification. */
export function parseLevel(text: string, side: number = SIDE): ParsedMap {
  const read = new Rows(side);
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k]!;
    if (line.trim() === '' || line.startsWith(';') || line.startsWith('::')) continue;
    const error = readLine(line, k + 1, read);
    if (error) return { ok: false, ...error };
  }
  if (read.isTooHigh) return failAt('tooLarge', read.kept[side]!.line, 1);
  const rows = read.kept;
  for (const { cells } of rows) while (cells.at(-1) === 0) cells.pop();
  while (rows.length > 0 && rows.at(-1)!.cells.length === 0) rows.pop();
  if (rows.length === 0) return failAt('empty', 1, 1);
  const blank = Math.min(...rows.map(({ cells }) => (cells.length === 0 ? LONGEST : cells.findIndex((c) => c !== 0))));
  for (const { cells, columns } of rows) {
    cells.splice(0, blank);
    columns.splice(0, blank);
  }
  const wide = rows.find(({ cells }) => cells.length > side);
  if (wide) return failAt('tooLarge', wide.line, wide.columns[side]!);
  return mapOf(rows);
}

function mapOf(rows: readonly Row[]): ParsedMap {
  const W = Math.max(...rows.map(({ cells }) => cells.length));
  const H = rows.length;
  const first = rows[0]!.line;
  const cellAt = (cell: number): number => rows[Math.floor(cell / W)]!.cells[cell % W] ?? 0;
  const failAtCell = (code: string, cell: number): ParsedMap => {
    const row = rows[Math.floor(cell / W)]!;
    const past = (cell % W) - row.cells.length;
    const column = row.columns[cell % W] ?? (row.columns[row.cells.length - 1] ?? 0) + 1 + past;
    return failAt(code, row.line, column);
  };
  const all = Array.from({ length: W * H }, (_, cell) => cell);
  const having = (bits: number): number[] => all.filter((cell) => (cellAt(cell) & bits) === bits);
  const players = having(PLAYER);
  const boxes = having(BOX);
  if (players.length > 1) return failAtCell('twoPlayers', players[1]!);
  if (players.length === 0) return failAt('noPlayer', first, 1);
  if (boxes.length === 0) return failAt('noBox', first, 1);
  if (boxes.length !== having(TARGET).length) return failAt('countMismatch', first, 1);

  const inside = reachable(W, H, players[0]!, (cell) => (cellAt(cell) & WALL) === 0);
  const isBorder = (cell: number): boolean => cell < W || cell >= W * (H - 1) || cell % W === 0 || cell % W === W - 1;
  const gap = all.find((cell) => inside[cell] === 1 && isBorder(cell));
  if (gap !== undefined) return failAtCell('notEnclosed', gap);
  const outside = (bits: number): number | undefined =>
    all.find((cell) => inside[cell] === 0 && (cellAt(cell) & (BOX | TARGET)) === bits);
  const box = outside(BOX);
  if (box !== undefined) return failAtCell('boxOutside', box);
  const target = outside(TARGET);
  if (target !== undefined) return failAtCell('targetOutside', target);

  const maskOf = (bits: number): Mask => {
    const mask = new Uint32Array(MASK_WORDS);
    for (const cell of all) if (inside[cell] === 1 && (cellAt(cell) & bits) !== 0) insert(mask, 0, squareOf(W, cell));
    return mask;
  };
  const walls = new Uint32Array(MASK_WORDS).fill(0xffffffff);
  for (const cell of all) if (inside[cell] === 1) walls[squareOf(W, cell) >>> 5]! ^= 1 << (squareOf(W, cell) & 31);
  const targets = maskOf(TARGET);
  const map = { W, H, walls, targets, boxes: maskOf(BOX), player: squareOf(W, players[0]!) };
  return { ok: true, map: { ...map, dead: deadSquares(walls, targets) } };
}

/** [W*H] 1 where someone can walk who is not stopped by boxes. */
function reachable(W: number, H: number, from: number, isFree: (cell: number) => boolean): Uint8Array {
  const inside = new Uint8Array(W * H);
  inside[from] = 1;
  const queue = [from];
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    const x = cell % W;
    for (const to of [x < W - 1 ? cell + 1 : -1, cell + W, x > 0 ? cell - 1 : -1, cell - W]) {
      if (to < 0 || to >= W * H || inside[to] === 1 || !isFree(to)) continue;
      inside[to] = 1;
      queue.push(to);
    }
  }
  return inside;
}

/** One character per cell for boxes and a player anywhere on the map. */
export function boardChars(map: SokobanMap, boxes: Uint32Array, boxesAt: number, player: number): string[] {
  return Array.from({ length: map.W * map.H }, (_, cell) => {
    const square = squareOf(map.W, cell);
    const bits =
      (has(map.walls, 0, square) ? WALL : 0) |
      (has(map.targets, 0, square) ? TARGET : 0) |
      (has(boxes, boxesAt, square) ? BOX : 0) |
      (square === player ? PLAYER : 0);
    return WRITTEN[bits]!;
  });
}

/** The text of a map; `parseLevel` reads it back. */
export function writeLevel(map: SokobanMap): string {
  return rowsOf(map.W, boardChars(map, map.boxes, 0, map.player));
}

/** Characters by cell as lines. */
export function rowsOf(W: number, chars: readonly string[]): string {
  const rows: string[] = [];
  for (let at = 0; at < chars.length; at += W) rows.push(chars.slice(at, at + W).join(''));
  return rows.join('\n');
}

/** Squares of a map that are not wall, in reading order. */
export function floorOf(map: SokobanMap): number[] {
  return squaresOf(map.walls.map((word) => ~word));
}

/** Sentences for people; the position is added by whoever shows them. */
export const LEVEL_ERRORS: Readonly<Record<string, string>> = {
  unknownCell:
    'This character is not a kind of cell; use # wall, . target, $ box, * box on target, @ player, + player on target.',
  badRun: 'A number needs a cell after it, as in 5#.',
  empty: 'The board is empty; draw walls around a player @, a box $ and a target.',
  tooLarge: 'The board is too large; at most 16 × 16 cells.',
  twoPlayers: 'There is a second player; a level has one.',
  noPlayer: 'There is no player; put an @ where the agent begins.',
  noBox: 'There is no box; put a $ somewhere.',
  countMismatch: 'There are not as many boxes as targets; every box needs its own target.',
  notEnclosed: 'The player can walk out of the board here; close the wall.',
  boxOutside: 'The player can never reach this box.',
  targetOutside: 'The player can never reach this target.',
};
