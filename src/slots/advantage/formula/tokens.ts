import { LIMITS, type Fault, type Span } from './syntax.ts';

/** `line` ends a line, unless a bracket is open, the line ends with an operator or the next one begins with one. */
export type Token = {
  readonly kind: 'number' | 'name' | 'mark' | 'line' | 'end';
  readonly text: string;
  readonly at: Span;
};

/** Other spellings of a mark, for keyboards that lack it. */
const SAME: Readonly<Record<string, string>> = {
  ...{ '-': '−', '*': '×', '·': '×', '/': '÷', '<=': '≤', '>=': '≥', '!=': '≠', '==': '=' },
  ...{ '..': '…', '...': '…' },
};
const SPACE = /[ \t\r\u00a0\u2009\u202f]+|(?:#|\/\/)[^\n]*/y;
const LINE = /[\n;]/y;
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_′]*/uy;
const MARK = /…|\.\.\.?|<=|>=|!=|==|[-+−*×·/÷<>≤≥≠=(),:]/y;
/** Operators that a line may begin with: it then continues the line before. */
const CONTINUES = /^[+×÷<>≤≥≠…),]$/;

/** The tokens of a text, or the first letter that means nothing. One pass, in time that grows with the text. */
export function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly fault: Fault | null } {
  if (text.length > LIMITS.characters) {
    const message = `the formula has ${text.length} characters, and at most ${LIMITS.characters} are read`;
    return { tokens: [], fault: { at: [LIMITS.characters, text.length], message } };
  }
  const tokens: Token[] = [];
  let at = 0;
  let open = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  const add = (kind: Token['kind'], found: string): void => {
    const plain = kind === 'mark' ? (SAME[found] ?? found) : found.normalize('NFC');
    if (plain === '(') open++;
    if (plain === ')') open = Math.max(0, open - 1);
    const before = tokens.at(-1);
    // a line that begins with an operator goes on with the one before
    if (kind === 'mark' && CONTINUES.test(plain) && before?.kind === 'line') tokens.pop();
    tokens.push({ kind, text: plain, at: [at, at + found.length] });
    at += found.length;
  };
  while (at < text.length) {
    const space = take(SPACE);
    if (space !== null) {
      at += space.length;
      continue;
    }
    const line = take(LINE);
    if (line !== null) {
      const before = tokens.at(-1);
      const isOpen = before?.kind === 'mark' && before.text !== ')';
      if (line === '\n' && (open > 0 || isOpen)) at++;
      else add('line', line);
      continue;
    }
    const number = take(NUMBER);
    const name = number === null ? take(NAME) : null;
    const mark = number === null && name === null ? take(MARK) : null;
    if (number !== null) add('number', number);
    else if (name !== null) add('name', name);
    else if (mark !== null) add('mark', mark);
    else return { tokens, fault: strange(text, at) };
  }
  tokens.push({ kind: 'end', text: '', at: [at, at] });
  return { tokens, fault: null };
}

/** A letter that no formula has. */
function strange(text: string, at: number): Fault {
  const letter = String.fromCodePoint(text.codePointAt(at)!);
  const span: Span = [at, at + letter.length];
  if (letter === '^') return { at: span, message: '“^” is not read here', hint: 'write x × x, or exp(a × log(x))' };
  if (/["'“”‘’«»`]/.test(letter))
    return { at: span, message: 'a formula has no texts', hint: 'write words such as task without quotes' };
  if (/[[\]{}]/.test(letter)) return { at: span, message: `“${letter}” is not read here`, hint: 'use round brackets' };
  return { at: span, message: `“${letter}” is not read here` };
}
