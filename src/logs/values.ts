/**
 * Values of a parsed line as a log means them. Files come from strangers: only own properties are read, names like
 * `__proto__` are names like any other, and nothing walks deeper than it says.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** True of an object that is neither null nor a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An own property, undefined where there is none. */
export const own = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** An own property by a path of names. */
export const ownAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => own(at, name), value);

/** Nothing is said: null, undefined, or an empty text. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * A finite number: a number, a text that is one, or true and false as 1 and 0. NaN where nothing is said, null where it
 * is something else.
 */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (isAbsent(value)) return NaN;
  if (typeof value !== 'string' || value.length > 60) return null;
  const text = value.trim().toLowerCase();
  if (text === '') return NaN;
  if (text === 'true' || text === 'yes') return 1;
  if (text === 'false' || text === 'no') return 0;
  // hexadecimal and the like are not how a log writes numbers
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text)) return null;
  const x = Number(text);
  return Number.isFinite(x) ? x : null;
}

/** Numbers of a list added up (log-probabilities of the tokens of a step), or a single number. */
export function sumOf(value: unknown): number | null {
  if (!Array.isArray(value)) return numberOf(value);
  if (value.length === 0) return NaN;
  let total = 0;
  for (const item of value) {
    const x = numberOf(isFields(item) ? own(item, 'logprob') : item);
    if (x === null || Number.isNaN(x)) return null;
    total += x;
  }
  return Number.isFinite(total) ? total : null;
}

/** Depth and length to which a value is written out as text. */
const DEEP = 12;
export const LONG_TEXT = 1_000_000;

/**
 * A value as a text, null where nothing is said: texts as they are, texts in content parts ({ text }) line by line,
 * anything else as JSON, cut where it is too deep or too long.
 */
export function textOf(value: unknown): string | null {
  if (isAbsent(value)) return null;
  if (typeof value === 'string') return value.length > LONG_TEXT ? value.slice(0, LONG_TEXT) : value;
  if (Array.isArray(value) && value.length > 0 && value.every(isPart)) {
    const texts = value.map((part) => (typeof part === 'string' ? part : (own(part, 'text') ?? own(part, 'content'))));
    const joined = texts.filter((text) => typeof text === 'string').join('\n');
    return joined === '' ? null : joined.slice(0, LONG_TEXT);
  }
  const out: string[] = [];
  write(value, DEEP, out, { left: LONG_TEXT });
  return out.join('');
}

const isPart = (part: unknown): boolean => typeof part === 'string' || (isFields(part) && Object.hasOwn(part, 'type'));

function write(value: unknown, depth: number, out: string[], room: { left: number }): void {
  const put = (text: string): void => {
    if (room.left <= 0) return;
    out.push(text.slice(0, room.left));
    room.left -= text.length;
  };
  if (room.left <= 0) return;
  if (typeof value !== 'object' || value === null) return put(JSON.stringify(value) ?? 'null');
  if (depth === 0) return put('…');
  const isList = Array.isArray(value);
  put(isList ? '[' : '{');
  let isFirst = true;
  // names in order: the same arguments in another order are the same action
  for (const name of isList ? value.keys() : Object.keys(value).sort()) {
    if (room.left <= 0) return;
    if (!isFirst) put(',');
    isFirst = false;
    if (typeof name === 'string') put(`${JSON.stringify(name)}:`);
    write((value as Record<string | number, unknown>)[name], depth - 1, out, room);
  }
  put(isList ? ']' : '}');
}

/** A name in a sentence: cut, and never with line breaks. */
export const shown = (text: string, most = 60): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};
