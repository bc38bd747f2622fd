import { words } from './list.ts';

const MARK = '\uE000';

/** The help text of a setting or a method, or the formula or paper of a method: in the built page its record only says which one it is. */
export function wordsOf(text: string): string {
  return text.startsWith(MARK) ? (words[parseInt(text.slice(1), 36)] ?? '') : text;
}
