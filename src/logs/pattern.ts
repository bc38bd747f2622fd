/** Characters of a text that a pattern sees, and of the pattern itself. */
export const PATTERN_SEES = 1000;
const LONGEST_PATTERN = 200;
/** Repetitions without a small limit that a pattern may have. */
const MOST_OPEN = 3;
/** A repetition up to this many times is a small one. */
const SMALL = 20;

/** A pattern that is safe to use, or the sentence of why it is not. */
export type Pattern =
  | { readonly ok: true; readonly find: (text: string) => string | null }
  | { readonly ok: false; readonly sentence: string };

/**
 * A regular expression of a stranger, from a safe subset: no repeated group that repeats or chooses inside, no reference to
 * a group, no looking around, and at most three open repetitions. With p of them a text of n characters takes at most
 * about n^(p + 1) steps, and n is cut at 1000; in practice it is a few n.
 * `find` gives what the groups of the first match hold, line by line, the whole match where there is no group, and null
 * where nothing matches.
 */
export function patternOf(source: string): Pattern {
  const refused = refusal(source);
  if (refused) return { ok: false, sentence: refused };
  let expression: RegExp;
  try {
    expression = new RegExp(source, 'iu');
  } catch {
    return { ok: false, sentence: 'The pattern is not a regular expression.' };
  }
  return {
    ok: true,
    find(text) {
      const found = expression.exec(text.length > PATTERN_SEES ? text.slice(0, PATTERN_SEES) : text);
      if (!found) return null;
      return found.length > 1
        ? found
            .slice(1)
            .map((part) => part ?? '')
            .join('\n')
        : found[0];
    },
  };
}

function refusal(source: string): string | null {
  if (source === '') return 'The pattern is empty.';
  if (source.length > LONGEST_PATTERN) return `The pattern is longer than ${LONGEST_PATTERN} characters.`;
  /** for each open bracket: whether something inside repeats or chooses */
  const groups: boolean[] = [];
  let open = 0;
  let last = false;
  for (let at = 0; at < source.length; at++) {
    const c = source[at]!;
    const wasComplex = last;
    last = false;
    if (c === '\\') {
      if (/[1-9k]/.test(source[at + 1] ?? '')) return 'The pattern refers back to a group, which can take forever.';
      at++;
    } else if (c === '[') {
      at = endOfClass(source, at);
    } else if (c === '(') {
      if (/^\(\?(=|!|<=|<!)/.test(source.slice(at)))
        return 'The pattern looks ahead or behind, which is not offered here.';
      groups.push(false);
    } else if (c === ')') {
      last = groups.pop() ?? false;
      if (last && groups.length > 0) groups[groups.length - 1] = true;
    } else if (c === '|') {
      if (groups.length > 0) groups[groups.length - 1] = true;
    } else {
      const isGroupMark = c === '?' && source[at - 1] === '(';
      const repeats = isGroupMark ? null : repetition(source, at);
      if (!repeats) continue;
      if (wasComplex && repeats.most > 1)
        return 'The pattern repeats a group that repeats or chooses inside, which can take forever.';
      if (repeats.most > SMALL && ++open > MOST_OPEN)
        return `The pattern has more than ${MOST_OPEN} open repetitions (*, + or {n,}), which can take very long.`;
      if (groups.length > 0) groups[groups.length - 1] = true;
      at = repeats.end;
      // a lazy repetition is marked by one more sign
      if (source[at + 1] === '?') at++;
    }
  }
  return null;
}

function endOfClass(source: string, from: number): number {
  let at = from + 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at;
}

function repetition(source: string, at: number): { readonly most: number; readonly end: number } | null {
  const c = source[at]!;
  if (c === '*' || c === '+') return { most: Infinity, end: at };
  if (c === '?') return { most: 1, end: at };
  const braces = c === '{' ? /^\{(\d+)(,(\d*))?\}/.exec(source.slice(at)) : null;
  if (!braces) return null;
  const most = braces[2] === undefined ? Number(braces[1]) : braces[3] === '' ? Infinity : Number(braces[3]);
  return { most, end: at + braces[0].length - 1 };
}
