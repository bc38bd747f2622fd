/** Grid levels as text: parsing with errors that name line and column, and writing. Spec environments §2.1. */

/** What a cell is. Keys, doors, goals and subgoals also have an index within their kind. */
export const KIND = {
  floor: 0,
  wall: 1,
  ice: 2,
  goal: 3,
  exit: 4,
  lava: 5,
  hole: 6,
  bonus: 7,
  key: 8,
  lockedDoor: 9,
  door: 10,
  subgoal: 11,
  distractor: 12,
} as const;

/** The map of a level. Cells are in reading order, index y·W + x. */
export type GridMap = {
  readonly W: number;
  readonly H: number;
  readonly kind: Uint8Array;
  /** index within the kind: key object, door (locked and plain together), goal; subgoal: its number 1…9 */
  readonly index: Uint8Array;
  /** color of keys and locked doors 0…3; distractors: 0…3 for t u w z */
  readonly color: Uint8Array;
  readonly start: number;
  /** heading 0 east, 1 south, 2 west, 3 north */
  readonly direction: number;
  readonly keys: number;
  readonly doors: number;
  readonly goals: number;
  readonly hasExit: boolean;
  readonly subgoals: number;
  /** cells of the moving obstacles at the start */
  readonly obstacles: readonly number[];
  /** weights of turned left / as meant / turned right */
  readonly slip: readonly [number, number, number];
  readonly iceAll: boolean;
  readonly needAll: boolean;
};

export type LevelError = { readonly code: string; readonly line: number; readonly column: number };
export type ParsedMap = { readonly ok: true; readonly map: GridMap } | ({ readonly ok: false } & LevelError);

export const LIMITS = { side: 64, cells: 1024, keys: 32, doors: 32, goals: 8, obstacles: 8, subgoals: 9 } as const;

const HEADINGS = '>v<^';
const KEYS = 'abcd';
const DOORS = 'ABCD';
const DISTRACTORS = 'tuwz';
const PLAIN: Readonly<Record<string, number>> = {
  '#': KIND.wall,
  '.': KIND.floor,
  ' ': KIND.floor,
  G: KIND.goal,
  E: KIND.exit,
  L: KIND.lava,
  O: KIND.hole,
  '~': KIND.ice,
  $: KIND.bonus,
  '+': KIND.door,
};

const failAt = (code: string, line: number, column: number): ParsedMap => ({ ok: false, code, line, column });

type Options = { slip: [number, number, number]; iceAll: boolean; needAll: boolean };

function parseOption(name: string, value: string, options: Options): 'ok' | 'badOption' | 'unknownOption' {
  if (name === 'slip') {
    const parts = value.split(/\s+/).filter((part) => part !== '');
    const weights = parts.map(Number);
    const total = weights.reduce((a, b) => a + b, 0);
    const whole = parts.every((part) => /^\d{1,5}$/.test(part));
    if (parts.length !== 3 || !whole || total < 1 || total > 65_535) return 'badOption';
    options.slip = [weights[0]!, weights[1]!, weights[2]!];
    return 'ok';
  }
  if (name === 'ice' || name === 'need') {
    const allowed = name === 'ice' ? ['all', 'marked'] : ['all', 'any'];
    if (!allowed.includes(value)) return 'badOption';
    if (name === 'ice') options.iceAll = value === 'all';
    else options.needAll = value === 'all';
    return 'ok';
  }
  return 'unknownOption';
}

/** Reads a level. The first error wins: options top to bottom, then empty, size, cells in reading order, then counts. */
export function parseMap(text: string): ParsedMap {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const mapAt = lines.findIndex((line) => line.trim() === 'map:');
  const options: Options = { slip: [0, 1, 0], iceAll: false, needAll: false };
  for (let k = 0; k < mapAt; k++) {
    const line = lines[k]!;
    if (line.trim() === '' || line.trimStart().startsWith(';')) continue;
    const colon = line.indexOf(':');
    if (colon < 0) return failAt('badOption', k + 1, 1);
    const rest = line.slice(colon + 1);
    const result = parseOption(line.slice(0, colon).trim(), rest.trim(), options);
    if (result === 'unknownOption') return failAt(result, k + 1, 1);
    if (result === 'badOption') return failAt(result, k + 1, colon + 2);
  }
  const rows = lines.slice(mapAt + 1);
  while (rows.length > 0 && rows.at(-1)!.trim() === '') rows.pop();
  return parseRows(rows, mapAt + 2, options);
}

/** Start, counts and obstacles gathered while the cells are read. */
class Census {
  start = -1;
  direction = 0;
  keys = 0;
  doors = 0;
  goals = 0;
  hasExit = false;
  readonly subgoals = new Set<number>();
  readonly obstacles: number[] = [];
}

function parseRows(rows: readonly string[], firstLine: number, options: Options): ParsedMap {
  if (rows.length === 0 || rows[0] === '') return failAt('empty', firstLine, 1);
  const W = rows[0]!.length;
  const H = rows.length;
  if (H > LIMITS.side) return failAt('tooLarge', firstLine + LIMITS.side, 1);
  const wide = rows.findIndex((row) => row.length > LIMITS.side);
  if (wide >= 0) return failAt('tooLarge', firstLine + wide, LIMITS.side + 1);
  if (W * H > LIMITS.cells) return failAt('tooLarge', firstLine, 1);
  const kind = new Uint8Array(W * H);
  const index = new Uint8Array(W * H);
  const color = new Uint8Array(W * H);
  const census = new Census();
  for (let y = 0; y < H; y++) {
    const row = rows[y]!;
    for (let x = 0; x < Math.min(W, row.length); x++) {
      const code = readCell(row[x]!, y * W + x, kind, index, color, census);
      if (code !== null) return failAt(code, firstLine + y, x + 1);
    }
    if (row.length !== W) return failAt('ragged', firstLine + y, Math.min(W, row.length) + 1);
  }
  const subgoals = census.subgoals.size;
  if (census.start < 0) return failAt('noStart', firstLine, 1);
  for (let n = 1; n <= subgoals; n++) if (!census.subgoals.has(n)) return failAt('orderGap', firstLine, 1);
  if (census.goals === 0 && !census.hasExit && subgoals === 0) return failAt('noGoal', firstLine, 1);
  return { ok: true, map: { ...options, ...census, W, H, kind, index, color, subgoals } };
}

/** Books one cell; the code of an error, or null. */
function readCell(
  char: string,
  cell: number,
  kind: Uint8Array,
  index: Uint8Array,
  color: Uint8Array,
  census: Census,
): string | null {
  const heading = HEADINGS.indexOf(char);
  if (char === 'S' || heading >= 0) {
    if (census.start >= 0) return 'twoStarts';
    census.start = cell;
    census.direction = Math.max(heading, 0);
    return null;
  }
  if (char === 'o') {
    if (census.obstacles.length >= LIMITS.obstacles) return 'tooMany';
    census.obstacles.push(cell);
    return null;
  }
  if (char >= '1' && char <= '9') {
    const n = Number(char);
    if (census.subgoals.has(n)) return 'twiceOrdered';
    census.subgoals.add(n);
    kind[cell] = KIND.subgoal;
    index[cell] = n;
    return null;
  }
  if (KEYS.includes(char)) {
    if (census.keys >= LIMITS.keys) return 'tooMany';
    kind[cell] = KIND.key;
    index[cell] = census.keys++;
    color[cell] = KEYS.indexOf(char);
    return null;
  }
  if (DOORS.includes(char)) {
    if (census.doors >= LIMITS.doors) return 'tooMany';
    kind[cell] = KIND.lockedDoor;
    index[cell] = census.doors++;
    color[cell] = DOORS.indexOf(char);
    return null;
  }
  if (DISTRACTORS.includes(char)) {
    kind[cell] = KIND.distractor;
    color[cell] = DISTRACTORS.indexOf(char);
    return null;
  }
  if (!Object.hasOwn(PLAIN, char)) return 'unknownCell';
  kind[cell] = PLAIN[char]!;
  if (char === '+') {
    if (census.doors >= LIMITS.doors) return 'tooMany';
    index[cell] = census.doors++;
  }
  if (char === 'G') {
    if (census.goals >= LIMITS.goals) return 'tooMany';
    index[cell] = census.goals++;
  }
  if (char === 'E') census.hasExit = true;
  return null;
}

/** The character of a cell as in the level text, without agent and obstacles. */
export function cellChar(map: GridMap, cell: number): string {
  switch (map.kind[cell]) {
    case KIND.key:
      return KEYS[map.color[cell]!]!;
    case KIND.lockedDoor:
      return DOORS[map.color[cell]!]!;
    case KIND.distractor:
      return DISTRACTORS[map.color[cell]!]!;
    case KIND.subgoal:
      return String(map.index[cell]);
    default:
      return '.#~GELO$..+'[map.kind[cell]!]!;
  }
}

/** Lines of the options that differ from their defaults, then rows. `chars` holds one character per cell. */
export function writeRows(map: GridMap, chars: readonly string[]): string {
  const head: string[] = [];
  if (map.slip.join(' ') !== '0 1 0') head.push(`slip: ${map.slip.join(' ')}`);
  if (map.iceAll) head.push('ice: all');
  if (map.needAll) head.push('need: all');
  if (head.length > 0) head.push('map:');
  for (let y = 0; y < map.H; y++) head.push(chars.slice(y * map.W, (y + 1) * map.W).join(''));
  return head.join('\n');
}

/** Sentences for people; the position is added by whoever shows them. */
export const LEVEL_ERRORS: Readonly<Record<string, string>> = {
  badOption:
    'This option has a value that is not understood; slip needs three whole numbers, ice is all or marked, need is any or all.',
  unknownOption: 'This option is not known; the options are slip, ice and need.',
  empty: 'The map is empty; draw at least a start S and a goal G.',
  tooLarge: 'The map is too large; at most 64 × 64 and 1,024 cells in all.',
  ragged: 'This row is longer or shorter than the first one; all rows need the same length.',
  unknownCell: 'This character is not a kind of cell.',
  twoStarts: 'There is a second start; a level has one.',
  tooMany: 'There are too many of this kind: at most 32 keys, 32 doors, 8 goals, 8 obstacles.',
  twiceOrdered: 'This number was used before; each ordered subgoal exists once.',
  noStart: 'There is no start; put an S where the agent begins.',
  orderGap: 'A number is missing among the ordered subgoals; number them 1, 2, 3 … without a gap.',
  noGoal: 'There is nothing to reach; add a goal G, an exit E or a subgoal 1.',
};
