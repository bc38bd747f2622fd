import { hashInto, OBS_TAG } from '../../core/hash.ts';
import { tokenIds, VOCABULARY } from '../vocabulary.ts';
import { FAMILY } from './generate.ts';
import { goalWords, NONE, type Maze } from './level.ts';
import { COLORS, DIRECTIONS, ITEMS, ROOM_NAMES } from './names.ts';
import {
  FEEDBACK,
  feedbackOf,
  hasSeen,
  isItemIn,
  isKeyIn,
  isLocked,
  itemsHeld,
  keysHeld,
  roomOf,
  type Rules,
} from './rules.ts';

/** Kinds of sentences, in the order in which they are said. Spec environments §4.4. */
export const SENTENCE = { feedback: 0, room: 1, exits: 2, locked: 3, here: 4, have: 5, goal: 6 } as const;
const SENTENCES = 7;

/** A text being written: its tokens, and the kind of the sentence each belongs to. */
export type Speech = { readonly tokens: number[]; readonly kinds: number[] };

const tokenOf = (word: string): number => tokenIds([word])[0]!;
const STOP = tokenOf('.');
const KEY = tokenOf('key');
const NONE_OPEN = tokenOf('none');
const NOTHING = tokenOf('nothing');
const LOCKED = tokenOf('locked');
const DOOR = tokenOf('door');
const [EXITS, HERE, GOAL, SEEN] = [tokenOf('exits'), tokenOf('here'), tokenOf('goal'), tokenOf('seen')];
const YOU_ARE_IN = tokenIds(['you', 'are', 'in']);
const YOU_HAVE = tokenIds(['you', 'have']);
const DIRECTION_TOKENS = tokenIds(DIRECTIONS);
const COLOR_TOKENS = tokenIds(COLORS);
const ITEM_TOKENS = tokenIds(ITEMS);
export const ROOM_TOKENS: readonly number[] = tokenIds(ROOM_NAMES);

/** What each feedback says; nothing after the start, a move, look and plan; recall lists rooms. */
const FEEDBACK_TOKENS: readonly (readonly number[])[] = [
  ...['', '', 'no way', 'door locked', 'taken', 'unlocked', 'not here', 'no key', 'no door', '', '', '', 'what'],
].map((words) => (words === '' ? [] : tokenIds(words.split(' '))));

function put({ tokens, kinds }: Speech, kind: number, token: number): void {
  tokens.push(token);
  kinds.push(kind);
}

function putAll(speech: Speech, kind: number, tokens: readonly number[]): void {
  for (let n = 0; n < tokens.length; n++) put(speech, kind, tokens[n]!);
}

function sayFeedback(speech: Speech, { maze: { names } }: Rules, w2: number): void {
  const kind = SENTENCE.feedback;
  const feedback = feedbackOf(w2);
  const said = FEEDBACK_TOKENS[feedback]!;
  if (feedback === FEEDBACK.recall) {
    put(speech, kind, SEEN);
    for (let room = 0; room < names.length; room++)
      if (hasSeen(w2, room)) put(speech, kind, ROOM_TOKENS[names[room]!]!);
  } else if (said.length === 0) return;
  putAll(speech, kind, said);
  put(speech, kind, STOP);
}

/** Exits by the direction that is told: the true one, or in a room that tells them wrong the next one clockwise. */
function sayExits(speech: Speech, { maze, exitWay, falseExits }: Rules, room: number, w1: number): void {
  const turned = (falseExits >>> room) & 1;
  put(speech, SENTENCE.exits, EXITS);
  let isShut = true;
  for (let told = 0; told < 4; told++) {
    const way = exitWay[4 * room + ((told + 4 - turned) & 3)]!;
    if (way === NONE || isLocked(maze, w1, way)) continue;
    put(speech, SENTENCE.exits, DIRECTION_TOKENS[told]!);
    isShut = false;
  }
  if (isShut) put(speech, SENTENCE.exits, NONE_OPEN);
  put(speech, SENTENCE.exits, STOP);
  const kind = SENTENCE.locked;
  for (let told = 0; told < 4; told++) {
    const way = exitWay[4 * room + ((told + 4 - turned) & 3)]!;
    if (way === NONE || !isLocked(maze, w1, way)) continue;
    put(speech, kind, LOCKED);
    put(speech, kind, COLOR_TOKENS[maze.ways[way]!.color]!);
    put(speech, kind, DOOR);
    put(speech, kind, DIRECTION_TOKENS[told]!);
    put(speech, kind, STOP);
  }
}

/** Keys, then items, each a bit. */
function putThings(speech: Speech, kind: number, keys: number, items: number): void {
  for (let color = 0; color < COLOR_TOKENS.length; color++) {
    if (((keys >>> color) & 1) === 0) continue;
    put(speech, kind, COLOR_TOKENS[color]!);
    put(speech, kind, KEY);
  }
  for (let item = 0; item < ITEM_TOKENS.length; item++)
    if (((items >>> item) & 1) === 1) put(speech, kind, ITEM_TOKENS[item]!);
  put(speech, kind, STOP);
}

function sayHere(speech: Speech, { maze }: Rules, room: number, w0: number): void {
  let [keys, items] = [0, 0];
  for (let color = 0; color < COLOR_TOKENS.length; color++) if (isKeyIn(maze, w0, color, room)) keys |= 1 << color;
  for (let item = 0; item < ITEM_TOKENS.length; item++) if (isItemIn(maze, w0, item, room)) items |= 1 << item;
  if ((keys | items) === 0) return;
  put(speech, SENTENCE.here, HERE);
  putThings(speech, SENTENCE.here, keys, items);
}

function sayHeld(speech: Speech, w0: number): void {
  const [keys, items] = [keysHeld(w0), itemsHeld(w0)];
  putAll(speech, SENTENCE.have, YOU_HAVE);
  if ((keys | items) === 0) put(speech, SENTENCE.have, NOTHING);
  putThings(speech, SENTENCE.have, keys, items);
}

const goals = new WeakMap<Maze, readonly number[]>();

/** The sentence of the goal, put into words once per maze. */
function goalOf(maze: Maze): readonly number[] {
  let goal = goals.get(maze);
  if (!goal) goals.set(maze, (goal = [GOAL, ...tokenIds(goalWords(maze)), STOP]));
  return goal;
}

/** Everything that is said in a state. The goal is said always, or with `goalFirst` only at t = 0 and after `plan`. */
export function say(rules: Rules, goalFirst: boolean, state: Uint32Array, at: number): Speech {
  const speech: Speech = { tokens: [], kinds: [] };
  const { maze } = rules;
  const w0 = state[at]!;
  const room = roomOf(w0);
  sayFeedback(speech, rules, state[at + 2]!);
  putAll(speech, SENTENCE.room, YOU_ARE_IN);
  put(speech, SENTENCE.room, ROOM_TOKENS[maze.names[room]!]!);
  put(speech, SENTENCE.room, STOP);
  sayExits(speech, rules, room, state[at + 1]!);
  sayHere(speech, rules, room, w0);
  sayHeld(speech, w0);
  const feedback = feedbackOf(state[at + 2]!);
  const isFirst = feedback === FEEDBACK.start || feedback === FEEDBACK.plan;
  if (!goalFirst || isFirst) putAll(speech, SENTENCE.goal, goalOf(maze));
  return speech;
}

/** Words of tokens, with spaces between them. */
export const textOf = (tokens: readonly number[]): string => tokens.map((token) => VOCABULARY[token]!).join(' ');

/** The sentences of a text, each with its full stop. */
export function sentencesOf({ tokens }: Speech): string[] {
  const sentences: string[] = [];
  let from = 0;
  tokens.forEach((token, k) => {
    if (token !== STOP) return;
    sentences.push(textOf(tokens.slice(from, k + 1)));
    from = k + 1;
  });
  return sentences;
}

/** 64-bit key of the observation. */
export function obsKeyOf({ tokens }: Speech, out: Uint32Array, outAt: number): void {
  hashInto(OBS_TAG, FAMILY, Uint32Array.from(tokens), 0, tokens.length, out, outAt);
}

/** View `tokens`: ids packed four per u32, the first in the low byte. */
export function writeTokens({ tokens }: Speech, bits: Uint32Array, bitsAt: number): void {
  for (let n = 0; n < tokens.length; n++) bits[bitsAt + (n >>> 2)]! |= tokens[n]! << (8 * (n & 3));
}

export const BAG_FEATURES = SENTENCES * VOCABULARY.length;

/**
 * View `bag`, for networks that see bits: one bit per kind of sentence and word, full stops left out. A room may have
 * two locked doors, so their sentences set one bit per pair instead: color·4 + direction.
 */
export function writeBag({ tokens, kinds }: Speech, bits: Uint32Array, bitsAt: number): void {
  let color = 0;
  for (let n = 0; n < tokens.length; n++) {
    const token = tokens[n]!;
    let word = token;
    if (kinds[n] === SENTENCE.locked) {
      const direction = DIRECTION_TOKENS.indexOf(token);
      if (direction < 0) {
        if (COLOR_TOKENS.includes(token)) color = COLOR_TOKENS.indexOf(token);
        continue;
      }
      word = 4 * color + direction;
    } else if (token === STOP) continue;
    const feature = kinds[n]! * VOCABULARY.length + word;
    bits[bitsAt + (feature >>> 5)]! |= 1 << (feature & 31);
  }
}
