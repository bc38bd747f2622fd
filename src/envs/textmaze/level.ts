/** Text-maze levels as text: parsing with errors that name line and column, and writing. Spec environments §4.6. */

import { COLORS, DIRECTIONS, ITEMS, ROOM_NAMES } from './names.ts';

export const GOALS = ['reach', 'take', 'bring'] as const;

export const NONE = -1;
/** The direction back. */
export const opposite = (direction: number): number => (direction + 2) & 3;

/** A way from room `a` in a direction to room `b` and back; `color` of its locked door, NONE for an open way. */
export type Way = { readonly a: number; readonly direction: number; readonly b: number; readonly color: number };
/** `item` is NONE for `reach`, `room` is NONE for `take`. */
export type Goal = { readonly kind: (typeof GOALS)[number]; readonly item: number; readonly room: number };

/** A world. Rooms are numbered in the order of the line `rooms:`. */
export type Maze = {
  /** index into ROOM_NAMES of every room */
  readonly names: readonly number[];
  readonly start: number;
  /** in file order: bit k of the opened doors is way k */
  readonly ways: readonly Way[];
  /** [4] room of each color's key, NONE if there is none */
  readonly keyRoom: readonly number[];
  /** [3] room of each item, NONE if there is none */
  readonly itemRoom: readonly number[];
  readonly goal: Goal;
};

export type LevelError = { readonly code: string; readonly line: number; readonly column: number };
export type ParsedMaze = { readonly ok: true; readonly maze: Maze } | ({ readonly ok: false } & LevelError);

const MOST_ROOMS = ROOM_NAMES.length;

/** Thrown while a line is read; `parseMaze` turns it into a value. */
class Fault extends Error {
  readonly code: string;
  readonly column: number;
  constructor(code: string, column: number) {
    super(code);
    this.code = code;
    this.column = column;
  }
}

/** The words after the colon of one line, read from left to right. */
class Words {
  readonly end: number;
  column = 0;
  private readonly words: readonly { readonly text: string; readonly column: number }[];
  private read = 0;
  constructor(line: string, from: number) {
    this.end = line.length + 1;
    this.words = [...line.slice(from).matchAll(/\S+/g)].map((m) => ({ text: m[0], column: from + m.index + 1 }));
  }
  get isEmpty(): boolean {
    return this.read === this.words.length;
  }
  next(): string {
    const word = this.words[this.read++];
    if (!word) throw new Fault('missing', this.end);
    this.column = word.column;
    return word.text;
  }
  /** The next word as an index into a list. */
  oneOf(list: readonly string[], code: string): number {
    const index = list.indexOf(this.next());
    if (index < 0) throw new Fault(code, this.column);
    return index;
  }
  done(): void {
    if (this.isEmpty) return;
    this.next();
    throw new Fault('tooMany', this.column);
  }
}

/** What was read so far. */
class Draft {
  readonly names: number[] = [];
  start = NONE;
  readonly ways: Way[] = [];
  readonly keyRoom = [NONE, NONE, NONE, NONE];
  readonly itemRoom = [NONE, NONE, NONE];
  goal: Goal | null = null;
  private readonly taken = new Set<number>();

  room(words: Words): number {
    return words.oneOf(
      this.names.map((name) => ROOM_NAMES[name]!),
      'unknownRoom',
    );
  }
  readRooms(words: Words): void {
    do {
      const text = words.next();
      if (this.names.length === MOST_ROOMS) throw new Fault('tooMany', words.column);
      const name = ROOM_NAMES.indexOf(text);
      if (name < 0) throw new Fault('unknownRoom', words.column);
      if (this.names.includes(name)) throw new Fault('twice', words.column);
      this.names.push(name);
    } while (!words.isEmpty);
  }
  readWay(words: Words, isDoor: boolean): void {
    const a = this.room(words);
    const direction = words.oneOf(DIRECTIONS, 'unknownDirection');
    const directionAt = words.column;
    const b = this.room(words);
    if (b === a) throw new Fault('twice', words.column);
    const color = isDoor ? words.oneOf(COLORS, 'unknownColor') : NONE;
    words.done();
    const exits = [4 * a + direction, 4 * b + opposite(direction)];
    if (exits.some((exit) => this.taken.has(exit))) throw new Fault('exitTaken', directionAt);
    for (const exit of exits) this.taken.add(exit);
    this.ways.push({ a, direction, b, color });
  }
  /** A key or an item with the room where it lies. */
  readThing(words: Words, names: readonly string[], code: string, rooms: number[]): void {
    const thing = words.oneOf(names, code);
    if (rooms[thing] !== NONE) throw new Fault('twice', words.column);
    rooms[thing] = this.room(words);
    words.done();
  }
  readGoal(words: Words): void {
    const kind = GOALS[words.oneOf(GOALS, 'unknownGoal')]!;
    const item = kind === 'reach' ? NONE : words.oneOf(ITEMS, 'unknownItem');
    const room = kind === 'take' ? NONE : this.room(words);
    words.done();
    this.goal = { kind, item, room };
  }
}

function readLine(draft: Draft, name: string, nameAt: number, words: Words): void {
  const isSecond =
    (name === 'rooms' && draft.names.length > 0) ||
    (name === 'start' && draft.start !== NONE) ||
    (name === 'goal' && draft.goal !== null);
  if (isSecond) throw new Fault('twice', nameAt);
  switch (name) {
    case 'rooms':
      return draft.readRooms(words);
    case 'start':
      draft.start = draft.room(words);
      return words.done();
    case 'edge':
    case 'door':
      return draft.readWay(words, name === 'door');
    case 'key':
      return draft.readThing(words, COLORS, 'unknownColor', draft.keyRoom);
    case 'item':
      return draft.readThing(words, ITEMS, 'unknownItem', draft.itemRoom);
    case 'goal':
      return draft.readGoal(words);
    default:
      throw new Fault('unknownOption', nameAt);
  }
}

/** Reads a level. The first error wins: lines from top to bottom, words from left to right, then what is missing. */
export function parseMaze(text: string): ParsedMaze {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  while (lines.length > 1 && lines.at(-1)!.trim() === '') lines.pop();
  const draft = new Draft();
  const failAt = (code: string, line: number, column: number): ParsedMaze => ({ ok: false, code, line, column });
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k]!.replace(/;.*$/, '');
    if (line.trim() === '') continue;
    const nameAt = line.search(/\S/) + 1;
    const colon = line.indexOf(':');
    if (colon < 0) return failAt('badLine', k + 1, nameAt);
    try {
      readLine(draft, line.slice(0, colon).trim(), nameAt, new Words(line, colon + 1));
    } catch (error) {
      if (error instanceof Fault) return failAt(error.code, k + 1, error.column);
      throw error;
    }
  }
  const { names, start, ways, keyRoom, itemRoom, goal } = draft;
  if (names.length === 0) return failAt('noRooms', lines.length, 1);
  if (start === NONE) return failAt('noStart', lines.length, 1);
  if (goal === null) return failAt('noGoal', lines.length, 1);
  if (goal.item !== NONE && itemRoom[goal.item] === NONE) return failAt('goalItemMissing', lines.length, 1);
  return { ok: true, maze: { names, start, ways, keyRoom, itemRoom, goal } };
}

/** The words of the goal, without `goal`. */
export function goalWords({ names, goal }: Maze): string[] {
  const words: string[] = [goal.kind];
  if (goal.item !== NONE) words.push(ITEMS[goal.item]!);
  if (goal.room !== NONE) words.push(ROOM_NAMES[names[goal.room]!]!);
  return words;
}

/** The level as text that reads back to the same level. */
export function writeMaze(maze: Maze): string {
  const name = (room: number): string => ROOM_NAMES[maze.names[room]!]!;
  const lines = [`rooms: ${maze.names.map((_, room) => name(room)).join(' ')}`, `start: ${name(maze.start)}`];
  for (const { a, direction, b, color } of maze.ways) {
    const way = `${name(a)} ${DIRECTIONS[direction]!} ${name(b)}`;
    lines.push(color === NONE ? `edge: ${way}` : `door: ${way} ${COLORS[color]!}`);
  }
  maze.keyRoom.forEach((room, color) => {
    if (room !== NONE) lines.push(`key: ${COLORS[color]!} ${name(room)}`);
  });
  maze.itemRoom.forEach((room, item) => {
    if (room !== NONE) lines.push(`item: ${ITEMS[item]!} ${name(room)}`);
  });
  lines.push(`goal: ${goalWords(maze).join(' ')}`);
  return lines.join('\n');
}

/** Sentences for people; the position is added by whoever shows them. */
export const LEVEL_ERRORS: Readonly<Record<string, string>> = {
  badLine: 'This line has no colon; write for example “start: hall”.',
  unknownOption:
    'This line starts with a word that is not known; the words are rooms, start, edge, door, key, item and goal.',
  missing: 'A word is missing at the end of this line.',
  unknownRoom: 'This room is not known; the first line “rooms:” names all rooms, each from the list of room names.',
  unknownDirection: 'This is not a direction; the directions are east, south, west and north.',
  unknownColor: 'This is not a color; the colors are red, blue, green and yellow.',
  unknownItem: 'This is not an item; the items are lamp, coin and cup.',
  unknownGoal: 'This is not a goal; write “reach ROOM”, “take ITEM” or “bring ITEM ROOM”.',
  twice: 'This was given before; each room, key and item exists once, and a passage joins two different rooms.',
  exitTaken: 'One of the two rooms already has a passage on that side.',
  tooMany: 'This word is one too many; a level has at most 16 rooms and each line a fixed number of words.',
  noRooms: 'There are no rooms; start with a line like “rooms: hall attic”.',
  noStart: 'There is no start; add a line like “start: hall”.',
  noGoal: 'There is no goal; add a line like “goal: take lamp”.',
  goalItemMissing: 'The item of the goal is in no room; add a line like “item: lamp attic”.',
};
