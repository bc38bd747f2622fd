/** How a character of a formula is set: raised or lowered how often, or only there for a copy and a screen reader. */
export type Placed = { readonly ways: readonly ('sub' | 'sup')[]; readonly isMark: boolean };

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const CLOSES: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** Where what follows a mark ends: a group in brackets, or a sign and then letters and digits; `from` itself if nothing does. */
function endOf(text: string, from: number): number {
  const close = CLOSES[text[from]!];
  if (close !== undefined) {
    let depth = 0;
    for (let k = from; k < text.length; k++) {
      if (text[k] === text[from]) depth++;
      if (text[k] === close && --depth === 0) return k + 1;
    }
    return from;
  }
  let k = text[from] === '−' ? from + 1 : from;
  const first = k;
  while (k < text.length && LETTER.test(text[k]!)) k++;
  return k > first ? k : from;
}

/**
 * How each character of a formula in plain text is set: w_g lowers g, γ^(k−t) raises what is in the brackets, and marks and
 * outer brackets are no longer needed to see it.
 */
export function settingOf(text: string): Placed[] {
  const set: Placed[] = Array.from(text, () => ({ ways: [], isMark: false }));
  // astral letters have two places
  while (set.length < text.length) set.push({ ways: [], isMark: false });
  const mark = (k: number): void => void (set[k] = { ...set[k]!, isMark: true });
  for (let k = 1; k < text.length; k++) {
    const way = text[k] === '_' ? 'sub' : text[k] === '^' ? 'sup' : null;
    const end = way === null ? k + 1 : endOf(text, k + 1);
    if (way === null || end === k + 1) continue;
    const isGroup = CLOSES[text[k + 1]!] !== undefined;
    for (let i = k; i < end; i++) set[i] = { ...set[i]!, ways: [...set[i]!.ways, way] };
    mark(k);
    if (isGroup) [k + 1, end - 1].forEach(mark);
  }
  return set;
}

/** Characters that are set alike, one after the other. */
export type Stretch = Placed & { readonly text: string };

/** The part of a formula between two places in stretches. */
export function stretchesOf(text: string, set: readonly Placed[], from: number, to: number): Stretch[] {
  const found: Stretch[] = [];
  const isAlike = (a: Placed, b: Placed): boolean => a.isMark === b.isMark && a.ways.join() === b.ways.join();
  for (let k = from; k < to; k++) {
    const last = found.at(-1);
    if (last && isAlike(last, set[k]!)) found[found.length - 1] = { ...last, text: last.text + text[k]! };
    else found.push({ ...set[k]!, text: text[k]! });
  }
  return found;
}
