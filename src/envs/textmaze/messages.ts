import { messageOf, type Message } from '../../contract/signals.ts';
import { FLAG } from '../types.ts';
import { EVENT } from './rules.ts';

/** What this world says of a step that a person may find interesting or not. */
export const messages: readonly Message[] = [
  { message: messageOf(0), words: 'entered a known room' },
  { message: messageOf(EVENT.newRoom), words: 'entered a new room' },
  { message: messageOf(EVENT.key), words: 'took a key' },
  { message: messageOf(EVENT.unlock), words: 'unlocked a door' },
  { message: messageOf(EVENT.item), words: 'took an object' },
  { message: messageOf(FLAG.invalid | FLAG.noEffect), words: 'command refused' },
];
