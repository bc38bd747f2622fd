import type { Scene } from '../../envs/types.ts';
import type { BoardKind, Brush } from '../../envs/editor.ts';

/** A level text as a rectangle of characters. Nothing in it needs to make sense: that is for the parser to say. */
export type Board = {
  /** lines before the map, kept as they are */
  readonly head: readonly string[];
  readonly width: number;
  readonly height: number;
  /** [height*width] */
  readonly chars: readonly string[];
};

export const floorOf = (kind: BoardKind): string => kind.brushes[0]!.char;
const wallOf = (kind: BoardKind): string => kind.brushes.find((b) => b.cell.ground === 'wall')?.char ?? floorOf(kind);

export const brushOf = (kind: BoardKind, char: string): Brush | undefined =>
  kind.brushes.find((b) => b.char === char) ?? kind.brushes.find((b) => b.also?.includes(char));

/** Reads any text: short rows are filled with floor, other spellings of a cell become the usual one. */
export function parseBoard(text: string, kind: BoardKind): Board {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  let first = lines.findIndex((line) => line.trim() === 'map:') + 1;
  while (first < lines.length && /^\s*(;|::)/.test(lines[first]!)) first++;
  const rows = lines.slice(first);
  while (rows.length > 0 && rows.at(-1)!.trim() === '') rows.pop();
  const width = Math.max(1, ...rows.map((row) => row.length));
  const height = Math.max(1, rows.length);
  const chars = Array.from({ length: width * height }, (_, k) => {
    const char = rows[Math.floor(k / width)]?.[k % width] ?? floorOf(kind);
    return brushOf(kind, char)?.char ?? char;
  });
  return { head: lines.slice(0, first), width, height, chars };
}

export function writeBoard({ head, width, height, chars }: Board): string {
  const rows = Array.from({ length: height }, (_, y) => chars.slice(y * width, (y + 1) * width).join(''));
  return [...head, ...rows].join('\n');
}

/** Paints one cell. Things go together where the kind says so; the agent is in one place only. */
export function paint(board: Board, cell: number, char: string, kind: BoardKind): Board {
  const brush = brushOf(kind, char);
  if (!brush || cell < 0 || cell >= board.chars.length) return board;
  const chars = [...board.chars];
  if (brush.agent) {
    chars.forEach((c, k) => {
      const other = brushOf(kind, c);
      if (k !== cell && other?.agent) chars[k] = other.leaves ?? floorOf(kind);
    });
  }
  const under = chars[cell]!;
  chars[cell] = (brush.on && Object.hasOwn(brush.on, under) ? brush.on[under] : undefined) ?? brush.char;
  return { ...board, chars };
}

type Lines = readonly (readonly string[])[];

/** Another number of lines: they come or go in front of the last one if that is a border of wall, else at the end. */
function stretch(lines: Lines, count: number, kind: BoardKind): Lines {
  const wall = wallOf(kind);
  const list = [...lines];
  const isBorder = (line: readonly string[]): boolean => line.length > 1 && line.every((c) => c === wall);
  while (list.length !== count) {
    const last = list.at(-1)!;
    const at = list.length - (list.length > 1 && isBorder(last) ? 1 : 0);
    if (list.length > count) list.splice(Math.max(0, at - 1), 1);
    else {
      const before = list[at - 1] ?? last;
      // the ends of the new line continue a border, everything between is floor
      const isEnd = (k: number): boolean => (k === 0 || k === before.length - 1) && before[k] === wall;
      const fresh = before.map((_, k) => (isEnd(k) && before.length > 1 ? wall : floorOf(kind)));
      list.splice(at, 0, fresh);
    }
  }
  return list;
}

const transposed = (lines: Lines): Lines => lines[0]!.map((_, k) => lines.map((line) => line[k]!));

/** A board of another size; a border of wall moves along. */
export function resize(board: Board, width: number, height: number, kind: BoardKind): Board {
  const rows = Array.from({ length: board.height }, (_, y) =>
    board.chars.slice(y * board.width, (y + 1) * board.width),
  );
  const tall = stretch(rows, Math.max(1, height), kind);
  const wide = transposed(stretch(transposed(tall), Math.max(1, width), kind));
  return { ...board, width: wide[0]!.length, height: wide.length, chars: wide.flat() };
}

/** Cell that a line and column of the text point at, both from 1; null outside of the map. */
export function cellAt(board: Board, line: number, column: number): number | null {
  const [x, y] = [column - 1, line - 1 - board.head.length];
  return x >= 0 && x < board.width && y >= 0 && y < board.height ? y * board.width + x : null;
}

/** Drawing of the board; characters without meaning are drawn as floor. */
export function sceneOfBoard(board: Board, kind: BoardKind): { scene: Scene; hasAgent: boolean } {
  const brushes = board.chars.map((char) => brushOf(kind, char));
  const at = brushes.findIndex((b) => b?.agent);
  const scene: Scene = {
    width: board.width,
    height: board.height,
    cells: brushes.map((b) => b?.cell ?? { ground: 'floor' }),
    holding: [],
    agent: { cell: Math.max(0, at), direction: brushes[at]?.agent?.direction ?? null },
  };
  return { scene, hasAgent: at >= 0 };
}
