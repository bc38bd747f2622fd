import * as v from 'valibot';

/** Parts that the schema of a lesson is made of, with the words that follow the name of a field where one is wrong. */

const string = v.string('must be a text');

/** A line of text, not empty. */
export const words = (most: number) =>
  v.pipe(string, v.regex(/\S/, 'is empty'), v.maxLength(most, `is longer than ${most} letters`));
/** Markdown: paragraphs, emphasis, lists, `code` and [[terms]]. */
export const text = words;

/** Name of a lesson, check, prediction or exercise. */
export const id = v.pipe(
  string,
  v.regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, 'must be a short name of letters, digits and dashes, such as same-state'),
);
/** Name of an arm, which expressions use. */
export const name = v.pipe(
  string,
  v.regex(/^[A-Za-z][A-Za-z0-9]{0,19}$/, 'must be a short name of letters and digits, such as gigpo'),
  v.check((x) => !['let', 'in', 'part'].includes(x), 'is a word that expressions use for something else'),
);

export const list = <T extends v.GenericSchema>(of: T, most: number) =>
  v.pipe(v.array(of, 'must be a list'), v.maxLength(most, `has more than ${most} entries`));
