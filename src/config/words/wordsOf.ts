import type { Source } from '../../contract/module.ts';
import type { ChoiceSetting } from '../../core/settings.ts';
import { words } from './list.ts';

const MARK = '\uE000';

/** The help text of a setting or a method, or the formula of a method: in the built page its record only says which one it is. */
export function wordsOf(text: string): string {
  return text.startsWith(MARK) ? (words[parseInt(text.slice(1), 36)] ?? '') : text;
}

/** Where a method comes from: in the built page all of it stands behind the title. */
export const sourceOf = (source: Source): Source =>
  source.title.startsWith(MARK) ? (JSON.parse(wordsOf(source.title)) as Source) : source;

/** What the options of a setting are called: in the built page one text holds all of them. */
export function optionNames({ options, optionLabels = options }: ChoiceSetting): readonly string[] {
  const [first = ''] = optionLabels;
  return first.startsWith(MARK) ? (JSON.parse(wordsOf(first)) as string[]) : optionLabels;
}
