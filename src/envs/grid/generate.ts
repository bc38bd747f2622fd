import { LevelStream } from '../../core/random.ts';
import { FAMILY } from './rules.ts';

/** Values a generator may be given; unused ones are ignored. All whole numbers. */
export type Params = { readonly [name: string]: number };

/** A level being drawn: characters by cell. */
class Canvas {
  readonly W: number;
  readonly H: number;
  readonly cells: string[];
  constructor(W: number, H: number, fill = '.') {
    this.W = W;
    this.H = H;
    this.cells = new Array<string>(W * H).fill(fill);
  }
  set(x: number, y: number, char: string): void {
    this.cells[y * this.W + x] = char;
  }
  get(x: number, y: number): string {
    return this.cells[y * this.W + x]!;
  }
  border(): void {
    for (let x = 0; x < this.W; x++) for (const y of [0, this.H - 1]) this.set(x, y, '#');
    for (let y = 0; y < this.H; y++) for (const x of [0, this.W - 1]) this.set(x, y, '#');
  }
  column(x: number, char: string): void {
    for (let y = 1; y < this.H - 1; y++) this.set(x, y, char);
  }
  /** floor cells in reading order that pass the test */
  free(where: (x: number, y: number) => boolean = () => true): number[] {
    const list: number[] = [];
    this.cells.forEach((char, k) => {
      if (char === '.' && where(k % this.W, Math.floor(k / this.W))) list.push(k);
    });
    return list;
  }
  text(): string {
    const rows: string[] = [];
    for (let y = 0; y < this.H; y++) rows.push(this.cells.slice(y * this.W, (y + 1) * this.W).join(''));
    return rows.join('\n');
  }
}

/** Thrown inside generators when a list of free cells is empty; `generateLevel` turns it into a value. */
class LevelFull extends Error {}

function place(canvas: Canvas, stream: LevelStream, list: readonly number[], char: string): number {
  if (list.length === 0) throw new LevelFull();
  const cell = stream.pick(list);
  canvas.cells[cell] = char;
  return cell;
}

type Draw = (stream: LevelStream, p: Params) => Canvas | null;

/** Each generator draws one attempt; null = try the next attempt. Spec environments §2.6. */
const draws: Readonly<Record<string, Draw>> = {
  empty(stream, { n = 8, random = 0 }) {
    const canvas = new Canvas(n, n);
    if (random) {
      place(canvas, stream, canvas.free(), 'S');
      place(canvas, stream, canvas.free(), 'G');
    } else {
      canvas.set(0, 0, 'S');
      canvas.set(n - 1, n - 1, 'G');
    }
    return canvas;
  },
  corridor(_stream, { n = 8, distance = n }) {
    const canvas = new Canvas(n + 1, 1);
    canvas.set(n - distance, 0, 'S');
    canvas.set(n, 0, 'G');
    return canvas;
  },
  fourRooms(stream, { n = 13 }) {
    const canvas = new Canvas(n, n);
    const m = Math.floor(n / 2);
    canvas.border();
    for (let k = 0; k < n; k++) {
      canvas.set(m, k, '#');
      canvas.set(k, m, '#');
    }
    const gaps: [number, number][] = [];
    gaps.push([1 + stream.below(m - 1), m]);
    gaps.push([m + 1 + stream.below(n - m - 2), m]);
    gaps.push([m, 1 + stream.below(m - 1)]);
    gaps.push([m, m + 1 + stream.below(n - m - 2)]);
    for (const [x, y] of gaps) canvas.set(x, y, '.');
    const inRoom = (x: number, y: number): boolean => !gaps.some(([gx, gy]) => gx === x && gy === y);
    place(canvas, stream, canvas.free(inRoom), 'S');
    place(canvas, stream, canvas.free(inRoom), 'G');
    return canvas;
  },
  doorKey(stream, { n = 6 }) {
    const canvas = new Canvas(n, n);
    canvas.border();
    const c = 2 + stream.below(n - 4);
    canvas.column(c, '#');
    canvas.set(c, 1 + stream.below(n - 2), 'A');
    canvas.set(n - 2, n - 2, 'G');
    const left = (x: number): boolean => x < c;
    place(canvas, stream, canvas.free(left), 'S');
    place(canvas, stream, canvas.free(left), 'a');
    return canvas;
  },
  multiRoom(stream, { rooms = 4, size = 3 }) {
    const canvas = roomRow(rooms, size);
    for (let i = 1; i < rooms; i++) canvas.set(i * (size + 1), 1 + stream.below(size), '+');
    place(canvas, stream, roomCells(canvas, rooms - 1, size), 'G');
    place(canvas, stream, roomCells(canvas, 0, size), 'S');
    return canvas;
  },
  keyChain(stream, { rooms = 3, size = 2, spread = 0 }) {
    const canvas = roomRow(rooms, size);
    for (let i = 1; i < rooms; i++) canvas.set(i * (size + 1), 1 + stream.below(size), 'ABCD'[i - 1]!);
    place(canvas, stream, roomCells(canvas, rooms - 1, size), 'G');
    place(canvas, stream, roomCells(canvas, 0, size), 'S');
    for (let i = 1; i < rooms; i++) {
      let r = spread ? stream.below(i) : i - 1;
      for (let tries = 0; tries < i && roomCells(canvas, r, size).length === 0; tries++) r = (r + 1) % i;
      place(canvas, stream, roomCells(canvas, r, size), 'abcd'[i - 1]!);
    }
    return canvas;
  },
  keyCorridor(stream, { rows = 3, size = 3 }) {
    const W = 2 * size + 5;
    const H = rows * (size + 1) + 1;
    const canvas = new Canvas(W, H, '#');
    const corridor = size + 2;
    for (let y = 1; y < H - 1; y++) canvas.set(corridor, y, '.');
    for (let r = 0; r < rows; r++) {
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) {
          canvas.set(1 + x, r * (size + 1) + 1 + y, '.');
          canvas.set(size + 4 + x, r * (size + 1) + 1 + y, '.');
        }
      }
    }
    const locked = stream.below(rows);
    for (let r = 0; r < rows; r++) {
      canvas.set(size + 1, r * (size + 1) + 1 + stream.below(size), '.');
      canvas.set(size + 3, r * (size + 1) + 1 + stream.below(size), r === locked ? 'A' : '.');
    }
    const inRow = (y: number, r: number): boolean => y > r * (size + 1) && y <= r * (size + 1) + size;
    place(
      canvas,
      stream,
      canvas.free((x, y) => x > size + 3 && inRow(y, locked)),
      'G',
    );
    const keyRow = stream.below(rows);
    place(
      canvas,
      stream,
      canvas.free((x, y) => x >= 1 && x <= size && inRow(y, keyRow)),
      'a',
    );
    place(
      canvas,
      stream,
      canvas.free((x) => x === corridor),
      'S',
    );
    return canvas;
  },
  lavaGap(stream, { n = 7 }) {
    const canvas = new Canvas(n, n);
    canvas.border();
    canvas.set(1, 1, 'S');
    canvas.set(n - 2, n - 2, 'G');
    const c = 2 + stream.below(n - 4);
    canvas.column(c, 'L');
    canvas.set(c, 1 + stream.below(n - 2), '.');
    return canvas;
  },
  cliff(_stream, { w = 12, h = 4 }) {
    const canvas = new Canvas(w, h);
    for (let x = 1; x < w - 1; x++) canvas.set(x, h - 1, 'L');
    canvas.set(0, h - 1, 'S');
    canvas.set(w - 1, h - 1, 'G');
    return canvas;
  },
  frozenLake(stream, { n = 4, frozen = 800 }) {
    const canvas = new Canvas(n, n);
    canvas.set(0, 0, 'S');
    canvas.set(n - 1, n - 1, 'G');
    for (let k = 1; k < n * n - 1; k++) if (stream.below(1000) >= frozen) canvas.cells[k] = 'O';
    return isConnected(canvas, 0, n * n - 1) ? canvas : null;
  },
  dynamicObstacles(stream, { n = 6, count = 2 }) {
    const canvas = new Canvas(n, n);
    canvas.border();
    canvas.set(1, 1, 'S');
    canvas.set(n - 2, n - 2, 'G');
    for (let k = 0; k < count; k++)
      place(
        canvas,
        stream,
        canvas.free((x, y) => x + y > 3),
        'o',
      );
    return canvas;
  },
  orderedGoals(stream, { n = 6, count = 3 }) {
    const canvas = new Canvas(n, n);
    place(canvas, stream, canvas.free(), 'S');
    for (let k = 1; k <= count; k++) place(canvas, stream, canvas.free(), String(k));
    return canvas;
  },
  /**
   * One decision: behind one of four arms is the goal, behind the others lava, in 11, 5, 3 and 1 of 20 levels. A policy
   * that sees the map knows where; one that is told the number of the state does not, as there is one state only.
   */
  fourArms(stream) {
    const canvas = new Canvas(3, 3);
    const arms = [
      [2, 1],
      [1, 2],
      [0, 1],
      [1, 0],
    ] as const;
    for (const [x, y] of arms) canvas.set(x, y, 'L');
    canvas.set(1, 1, 'S');
    const u = stream.below(20);
    const [x, y] = arms[u < 11 ? 0 : u < 16 ? 1 : u < 19 ? 2 : 3]!;
    canvas.set(x, y, 'G');
    return canvas;
  },
  /**
   * A corridor of n steps to a junction with two arms that look alike. The niche beside the start, above or below it, tells in
   * which arm the goal is. Whoever sees only what is near must remember it.
   */
  tMaze(stream, { n = 8 }) {
    const canvas = new Canvas(n + 1, 2 * ARM + 1);
    const side = 2 * stream.below(2) - 1;
    for (let y = 0; y < 2 * ARM + 1; y++) for (let x = 0; x < n; x++) canvas.set(x, y, y === ARM ? '.' : '#');
    canvas.set(0, ARM, 'S');
    canvas.set(0, ARM + side, '.');
    canvas.set(n, ARM + side * ARM, 'G');
    return canvas;
  },
};

/** Cells of an arm of the T-maze: its end is out of sight from the junction and from the first cell. */
const ARM = 3;

export const GENERATORS = Object.keys(draws);
const ATTEMPTS = 200;

/** Level text of a generator, or the error `levelFull` when its parameters leave no room. */
export function generateLevel(
  generator: string,
  seed: number,
  params: Params,
): { ok: true; text: string } | { ok: false; code: 'levelFull' | 'unknownGenerator' } {
  const draw = Object.hasOwn(draws, generator) ? draws[generator]! : null;
  if (!draw) return { ok: false, code: 'unknownGenerator' };
  const head = generator === 'frozenLake' ? 'slip: 1 1 1\nice: all\nmap:\n' : '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stream = new LevelStream(seed, FAMILY, attempt);
    try {
      const canvas = draw(stream, params);
      if (!canvas) continue;
      for (let k = 0; k < (params['distractors'] ?? 0); k++) {
        const char = 'tuwz'[stream.below(4)]!;
        place(canvas, stream, canvas.free(), char);
      }
      return { ok: true, text: head + canvas.text() };
    } catch (error) {
      if (error instanceof LevelFull) return { ok: false, code: 'levelFull' };
      throw error;
    }
  }
  return { ok: false, code: 'levelFull' };
}

/** Step limit a generator is usually played with (spec §2.6). */
export function defaultSteps(generator: string, p: Params, turn: boolean): number {
  const { n = 8, w = 12, h = 4, rooms = 3, size = 3 } = p;
  switch (generator) {
    case 'corridor':
      return 3 * (p['distance'] ?? n);
    case 'doorKey':
      return turn ? 10 * n * n : 12 * n;
    case 'multiRoom':
      return 20 * rooms;
    case 'keyChain':
      return 10 * rooms * size;
    case 'keyCorridor':
      return 30 * size * size;
    case 'cliff':
      return 5 * (w + h);
    case 'orderedGoals':
      return 12 * n;
    case 'fourArms':
      return 1;
    // who turns back at the sight of the wrong end comes too late
    case 'tMaze':
      return n + 2 * ARM;
    case 'empty':
    case 'lavaGap':
    case 'dynamicObstacles':
      return 4 * n * n;
    default:
      return 100;
  }
}

/** Rooms of size × size from left to right with one wall between. */
function roomRow(rooms: number, size: number): Canvas {
  const canvas = new Canvas(rooms * (size + 1) + 1, size + 2);
  canvas.border();
  for (let i = 1; i < rooms; i++) canvas.column(i * (size + 1), '#');
  return canvas;
}

function roomCells(canvas: Canvas, room: number, size: number): number[] {
  return canvas.free((x) => x > room * (size + 1) && x <= room * (size + 1) + size);
}

function isConnected(canvas: Canvas, from: number, to: number): boolean {
  const seen = new Set([from]);
  const queue = [from];
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    if (cell === to) return true;
    const x = cell % canvas.W;
    const y = Math.floor(cell / canvas.W);
    for (const [nx, ny] of [
      [x + 1, y],
      [x, y + 1],
      [x - 1, y],
      [x, y - 1],
    ] as const) {
      if (nx < 0 || ny < 0 || nx >= canvas.W || ny >= canvas.H || canvas.get(nx, ny) === 'O') continue;
      const next = ny * canvas.W + nx;
      if (!seen.has(next)) {
        seen.add(next);
        queue.push(next);
      }
    }
  }
  return false;
}
