import { hashInto, OBS_TAG } from '../../core/hash.ts';
import { tokenIds, VOCABULARY } from '../vocabulary.ts';
import { FAMILY } from './generate.ts';
import { goalWords, NONE } from './level.ts';
import { COLORS, DIRECTIONS, ITEMS, ROOM_NAMES } from './names.ts';
import {
  FEEDBACK,
  feedbackOf,
  hasItem,
  hasKey,
  hasSeen,
  isItemIn,
  isKeyIn,
  isLocked,
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
const [EXITS, HERE, GOAL, SEEN] = ['exits', 'here', 'goal', 'seen'].map(tokenOf);
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

function put(speech: Speech, kind: number, ...tokens: readonly (number | undefined)[]): void {
  for (const token of tokens) {
    speech.tokens.push(token!);
    speech.kinds.push(kind);
  }
}

function sayFeedback(speech: Speech, { maze }: Rules, w2: number): void {
  const kind = SENTENCE.feedback;
  const feedback = feedbackOf(w2);
  if (feedback === FEEDBACK.recall) {
    put(speech, kind, SEEN);
    maze.names.forEach((name, room) => {
      if (hasSeen(w2, room)) put(speech, kind, ROOM_TOKENS[name]);
    });
    put(speech, kind, STOP);
  } else if (FEEDBACK_TOKENS[feedback]!.length > 0) put(speech, kind, ...FEEDBACK_TOKENS[feedback]!, STOP);
}

/** Exits by the direction that is told: the true one, or in a room that tells them wrong the next one clockwise. */
function sayExits(speech: Speech, { maze, exitWay, falseExits }: Rules, room: number, w1: number): void {
  const turned = (falseExits >>> room) & 1;
  const wayOf = (told: number): number => exitWay[4 * room + ((told + 4 - turned) & 3)]!;
  const open: number[] = [];
  const locked: number[] = [];
  for (let direction = 0; direction < 4; direction++) {
    const way = wayOf(direction);
    if (way !== NONE) (isLocked(maze, w1, way) ? locked : open).push(direction);
  }
  const words = open.length > 0 ? open.map((direction) => DIRECTION_TOKENS[direction]) : [NONE_OPEN];
  put(speech, SENTENCE.exits, EXITS, ...words, STOP);
  for (const direction of locked) {
    const { color } = maze.ways[wayOf(direction)]!;
    put(speech, SENTENCE.locked, LOCKED, COLOR_TOKENS[color], DOOR, DIRECTION_TOKENS[direction], STOP);
  }
}

/** Keys, then items, as words. */
function thingTokens(isKey: (color: number) => boolean, isItem: (item: number) => boolean): number[] {
  return [
    ...COLOR_TOKENS.flatMap((token, color) => (isKey(color) ? [token, KEY] : [])),
    ...ITEM_TOKENS.filter((_, item) => isItem(item)),
  ];
}

/** Everything that is said in a state. The goal is said always, or with `goalFirst` only at t = 0 and after `plan`. */
export function say(rules: Rules, goalFirst: boolean, state: Uint32Array, at: number): Speech {
  const speech: Speech = { tokens: [], kinds: [] };
  const { maze } = rules;
  const w0 = state[at]!;
  const room = roomOf(w0);
  sayFeedback(speech, rules, state[at + 2]!);
  put(speech, SENTENCE.room, ...YOU_ARE_IN, ROOM_TOKENS[maze.names[room]!], STOP);
  sayExits(speech, rules, room, state[at + 1]!);
  const here = thingTokens(
    (color) => isKeyIn(maze, w0, color, room),
    (item) => isItemIn(maze, w0, item, room),
  );
  if (here.length > 0) put(speech, SENTENCE.here, HERE, ...here, STOP);
  const held = thingTokens(
    (color) => hasKey(w0, color),
    (item) => hasItem(w0, item),
  );
  put(speech, SENTENCE.have, ...YOU_HAVE, ...(held.length > 0 ? held : [NOTHING]), STOP);
  const feedback = feedbackOf(state[at + 2]!);
  const isFirst = feedback === FEEDBACK.start || feedback === FEEDBACK.plan;
  if (!goalFirst || isFirst) put(speech, SENTENCE.goal, GOAL, ...tokenIds(goalWords(maze)), STOP);
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
  tokens.forEach((token, n) => {
    bits[bitsAt + (n >>> 2)]! |= token << (8 * (n & 3));
  });
}

export const BAG_FEATURES = SENTENCES * VOCABULARY.length;

/**
 * View `bag`, for networks that see bits: one bit per kind of sentence and word, full stops left out. A room may have
 * two locked doors, so their sentences set one bit per pair instead: color·4 + direction.
 */
export function writeBag({ tokens, kinds }: Speech, bits: Uint32Array, bitsAt: number): void {
  const set = (kind: number, word: number): void => {
    const feature = kind * VOCABULARY.length + word;
    bits[bitsAt + (feature >>> 5)]! |= 1 << (feature & 31);
  };
  let color = 0;
  tokens.forEach((token, n) => {
    const kind = kinds[n]!;
    if (kind !== SENTENCE.locked) {
      if (token !== STOP) set(kind, token);
      return;
    }
    const direction = DIRECTION_TOKENS.indexOf(token);
    if (direction >= 0) set(kind, 4 * color + direction);
    else if (COLOR_TOKENS.includes(token)) color = COLOR_TOKENS.indexOf(token);
  });
}
