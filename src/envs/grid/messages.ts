import { messageOf, type Message } from '../../contract/signals.ts';
import { FLAG } from '../types.ts';
import { EVENT } from './rules.ts';

/** What this world says of a step that a person may find interesting or not. */
export const messages: readonly Message[] = [
  { message: messageOf(0), words: 'moved' },
  { message: messageOf(FLAG.invalid | FLAG.noEffect), words: 'bumped into something' },
  { message: messageOf(EVENT.key), words: 'took a key' },
  { message: messageOf(EVENT.door), words: 'opened a door' },
  { message: messageOf(EVENT.subgoal), words: 'reached a subgoal' },
  { message: messageOf(EVENT.bonus), words: 'took a bonus' },
];
