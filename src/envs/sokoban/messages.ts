import { messageOf, type Message } from '../../contract/signals.ts';
import { FLAG } from '../types.ts';
import { EVENT } from './rules.ts';

/** What this world says of a step that a person may find interesting or not. */
export const messages: readonly Message[] = [
  { message: messageOf(0), words: 'moved' },
  { message: messageOf(FLAG.invalid | FLAG.noEffect), words: 'bumped into something' },
  { message: messageOf(EVENT.push), words: 'pushed a box' },
  { message: messageOf(EVENT.push | EVENT.boxOn), words: 'pushed a box onto a target' },
  { message: messageOf(EVENT.push | EVENT.boxOff), words: 'pushed a box off a target' },
  { message: messageOf(EVENT.push | EVENT.deadSquare), words: 'pushed a box where it is stuck' },
];
