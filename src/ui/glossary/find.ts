import { TERMS, type Term } from './terms.ts';

/** A formula in pieces: plain text, or a symbol with its term. */
export type Piece = { readonly text: string; readonly term: Term | null };

const isWithin = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}.`);

/** What is no end of a symbol: an index, a bar or a prime makes another one of it. */
const MORE = '(?![\\p{M}_′⁺⁻₀-₉]|\\^τ)';

/** A Latin letter stands by itself, else it is part of a word; a Greek one may stand beside others, as in Aρ and γV. */
function patternOf(symbol: string): string {
  const text = symbol.replace('^', '\\^');
  return /^[A-Za-z]/.test(symbol) ? `(?<!\\p{Script=Latin})${text}(?!\\p{Script=Latin})` : text;
}

/** The terms of a path: the one whose `where` is longest wins a symbol, so that a method may mean something else by it. */
function termsOf(path: string): ReadonlyMap<string, Term> {
  const found = new Map<string, { term: Term; length: number }>();
  for (const term of TERMS) {
    const lengths = (term.where ?? ['']).filter((w) => w === '' || isWithin(path, w)).map((w) => w.length);
    if (lengths.length === 0) continue;
    const length = Math.max(...lengths);
    for (const symbol of term.symbols) {
      if (length >= (found.get(symbol)?.length ?? 0)) found.set(symbol, { term, length });
    }
  }
  return new Map([...found].map(([symbol, { term }]) => [symbol, term]));
}

/** The pieces of a formula that belongs to a path such as `advantage.gigpo`: a letter means what it means there. */
export function piecesOf(formula: string, path: string): Piece[] {
  const terms = termsOf(path);
  if (terms.size === 0) return [{ text: formula, term: null }];
  const symbols = [...terms.keys()].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(`(?<![_^])(?:${symbols.join('|')})${MORE}`, 'gu');
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of formula.matchAll(pattern)) {
    if (match.index > at) pieces.push({ text: formula.slice(at, match.index), term: null });
    pieces.push({ text: match[0], term: terms.get(match[0])! });
    at = match.index + match[0].length;
  }
  if (at < formula.length) pieces.push({ text: formula.slice(at), term: null });
  return pieces;
}

/** The term that the head of a chart carries, if any. */
export function termOfMetric(metric: string): Term | null {
  return TERMS.find((term) => term.metrics?.includes(metric)) ?? null;
}

export function termOf(id: string): Term {
  return TERMS.find((term) => term.id === id)!;
}
