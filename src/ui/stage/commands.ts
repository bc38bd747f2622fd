/** A command line: typed words against the names of the actions. */

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/**
 * Actions whose words begin, in order, with the typed ones, and may skip words in between: “t r” finds “take red key”,
 * “east” finds “go east”. Exact names come first, then those that are possible now.
 */
export function matching(typed: string, names: readonly string[], possible: readonly boolean[]): number[] {
  const words = wordsOf(typed);
  const fits = (name: string): boolean => {
    let at = 0;
    for (const word of wordsOf(name)) if (at < words.length && word.startsWith(words[at]!)) at++;
    return at === words.length;
  };
  const rank = (a: number): number => (names[a] === words.join(' ') ? 0 : possible[a] ? 1 : 2);
  return names.flatMap((name, a) => (fits(name) ? [a] : [])).sort((a, b) => rank(a) - rank(b) || a - b);
}

/** The action that a line means: an exact name, or the only one that fits among the possible or among all; −1 if none. */
export function meant(typed: string, names: readonly string[], possible: readonly boolean[]): number {
  if (wordsOf(typed).length === 0) return -1;
  const found = matching(typed, names, possible);
  const first = found[0];
  if (first === undefined) return -1;
  if (names[first] === wordsOf(typed).join(' ') || found.length === 1) return first;
  const now = found.filter((a) => possible[a]);
  return now.length === 1 ? now[0]! : -1;
}

/** Groups of actions by their first word, for buttons: go, take, unlock, and what stands alone. */
export function groupsOf(names: readonly string[]): { verb: string; actions: number[] }[] {
  const groups = new Map<string, number[]>();
  names.forEach((name, a) => {
    const verb = name.includes(' ') ? name.split(' ')[0]! : '';
    groups.set(verb, [...(groups.get(verb) ?? []), a]);
  });
  return [...groups].map(([verb, actions]) => ({ verb, actions }));
}
