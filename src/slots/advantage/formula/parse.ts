import { LIMITS, RESERVED, type Arg, type Fault, type Line, type Node, type SliderLine, type Span } from './syntax.ts';
import { tokensOf, type Token } from './tokens.ts';

export type Parsed = { readonly lines: readonly Line[]; readonly fault: Fault | null };

const COMPARE: readonly string[] = ['<', '≤', '>', '≥', '≠', '='];
const SUM: readonly string[] = ['+', '−'];
const PRODUCT: readonly string[] = ['×', '÷'];

/**
 * Reads a formula by recursive descent:
 *
 *   formula = line { newline line }
 *   line    = "let" bind { "," bind } | ["part"] name "=" expr | expr
 *   bind    = name "=" ( number "in" number "…" number | expr )
 *   expr    = sum [ ("<" | "≤" | ">" | "≥" | "=" | "≠") sum ]
 *   sum     = product { ("+" | "−") product }        product = factor { ("×" | "÷") factor }
 *   factor  = "−" factor | number | name [ "(" [ arg { "," arg } ] ")" ] | "(" expr ")"
 *   arg     = [ name ":" ] expr
 *
 * Never throws: the first fault ends it, and every loop and every call looks for one.
 */
export function parseFormula(text: string): Parsed {
  const { tokens, fault } = tokensOf(text);
  if (fault) return { lines: [], fault };
  return new Parser(tokens).read();
}

const same = (at: Span, other: Span): Span => [at[0], other[1]];
/** What a fault found, in words. */
const words = ({ kind, text }: Token): string =>
  kind === 'end' ? 'the end' : kind === 'line' ? 'the end of the line' : `“${text}”`;

class Parser {
  private at = 0;
  private nodes = 0;
  private depth = 0;
  private fault: Fault | null = null;
  private readonly lines: Line[] = [];
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  read(): Parsed {
    while (!this.fault && !this.isAt('end')) {
      if (this.isAt('line')) {
        this.at++;
        continue;
      }
      this.line();
      if (!this.fault && !this.isAt('line') && !this.isAt('end')) this.unexpected('a new line');
    }
    return { lines: this.lines, fault: this.fault };
  }

  private get now(): Token {
    return this.tokens[this.at]!; // the last token is the end, and nothing moves beyond it
  }
  private isAt(kind: Token['kind']): boolean {
    return this.now.kind === kind;
  }
  private is(...marks: readonly string[]): boolean {
    return this.now.kind === 'mark' && marks.includes(this.now.text);
  }
  private isWord(word: string): boolean {
    return this.now.kind === 'name' && this.now.text === word;
  }
  private next(): Token {
    const token = this.now;
    if (token.kind !== 'end') this.at++;
    return token;
  }
  private say(at: Span, message: string, hint?: string): void {
    this.fault ??= { at, message, ...(hint === undefined ? {} : { hint }) };
  }
  private unexpected(wanted: string): void {
    const { kind, text, at } = this.now;
    const hint =
      text === '=' && kind === 'mark'
        ? 'give a name at the start of a line: G = …'
        : text === 'in' && kind === 'name'
          ? 'only a number has a slider: let ω = 1 in 0…4'
          : undefined;
    this.say(at, `${wanted} is expected here, not ${words(this.now)}`, hint);
  }
  private expect(mark: string): void {
    if (this.is(mark)) this.at++;
    else this.unexpected(`“${mark}”`);
  }

  private line(): void {
    if (this.isWord('let')) {
      this.at++;
      do this.bind();
      while (!this.fault && this.is(',') && this.next());
      return;
    }
    const isPart = this.isWord('part');
    if (isPart) this.at++;
    const after = this.tokens[this.at + 1];
    if (isPart || (this.now.kind === 'name' && after?.kind === 'mark' && after.text === '=')) {
      const named = this.name();
      this.expect('=');
      const node = this.expr();
      if (!isPart && named.name === 'A') this.lines.push({ kind: 'result', node });
      else this.lines.push({ kind: isPart ? 'part' : 'bind', ...named, node });
      return;
    }
    this.lines.push({ kind: 'result', node: this.expr() });
  }

  private bind(): void {
    const named = this.name();
    this.expect('=');
    const from = this.now.at;
    const node = this.expr();
    if (this.fault || !this.isWord('in')) {
      this.lines.push({ kind: 'bind', ...named, node });
      return;
    }
    const value = numberOf(node);
    if (value === null) return this.unexpected('a new line');
    this.at++;
    const min = this.number();
    if (!this.fault && !this.is('…')) this.unexpected('“…”');
    this.next();
    const max = this.number();
    if (this.fault) return;
    const at: Span = [from[0], node.at[1]];
    const slider: SliderLine = { kind: 'slider', ...named, value, min, max, numberAt: at };
    if (!(min < max)) this.say(at, `the slider of ${named.name} has no range`, 'write the smaller end first: 0…4');
    else if (value < min || value > max) this.say(at, `${value} is not between ${min} and ${max}`);
    this.lines.push(slider);
  }

  /** A number with its sign, as ends of sliders have it. */
  private number(): number {
    const value = this.fault ? null : numberOf(this.factor());
    if (value === null) this.say(this.tokens[Math.max(0, this.at - 1)]!.at, 'a number is expected here');
    return value ?? 0;
  }

  private name(): { name: string; nameAt: Span } {
    const { kind, text, at } = this.now;
    if (kind !== 'name') this.unexpected('a name');
    else if (RESERVED.includes(text)) this.say(at, `“${text}” cannot be a name`);
    else this.at++;
    return { name: text, nameAt: at };
  }

  private expr(): Node {
    return this.deeper(() => {
      const x = this.sum();
      if (this.fault || !this.is(...COMPARE)) return x;
      const made = this.operator(x, () => this.sum());
      if (!this.fault && this.is(...COMPARE))
        this.say(this.now.at, 'two comparisons in a row are not read', 'write (a < b) × (b < c)');
      return made;
    });
  }
  private sum(): Node {
    let x = this.product();
    while (!this.fault && this.is(...SUM)) x = this.operator(x, () => this.product());
    return x;
  }
  private product(): Node {
    let x = this.factor();
    while (!this.fault && this.is(...PRODUCT)) x = this.operator(x, () => this.factor());
    return x;
  }
  /** An operator with what is right of it: a call of the operation that has its sign. */
  private operator(x: Node, right: () => Node): Node {
    const { text: name, at: nameAt } = this.next();
    const y = right();
    return this.made({ kind: 'call', at: same(x.at, y.at), name, nameAt, args: [{ node: x }, { node: y }] });
  }

  private factor(): Node {
    return this.deeper(() => {
      const token = this.now;
      if (this.is('−')) {
        this.at++;
        const x = this.factor();
        const at = same(token.at, x.at);
        if (x.kind === 'number') return this.made({ kind: 'number', at, value: -x.value });
        return this.made({ kind: 'call', at, name: 'negative', nameAt: token.at, args: [{ node: x }] });
      }
      if (this.is('(')) {
        this.at++;
        const x = this.expr();
        this.expect(')');
        return x;
      }
      if (token.kind === 'number') {
        this.at++;
        const value = Number(token.text);
        if (!Number.isFinite(value)) this.say(token.at, 'this number is too large');
        return this.made({ kind: 'number', at: token.at, value });
      }
      if (token.kind !== 'name') this.unexpected('a number, a column or an operation');
      const { name, nameAt } = this.fault ? { name: '', nameAt: token.at } : this.name();
      if (this.fault || !this.is('(')) return this.made({ kind: 'name', at: nameAt, name });
      this.at++;
      const args: Arg[] = [];
      while (!this.fault && !this.is(')')) {
        args.push(this.arg());
        if (!this.fault && !this.is(')')) this.expect(',');
      }
      const end = this.now.at;
      this.expect(')');
      return this.made({ kind: 'call', at: same(nameAt, end), name, nameAt, args });
    });
  }

  private arg(): Arg {
    const after = this.tokens[this.at + 1];
    if (this.now.kind === 'name' && after?.kind === 'mark' && after.text === ':') {
      const { text: name, at: nameAt } = this.next();
      this.at++;
      return { name, nameAt, node: this.expr() };
    }
    return { node: this.expr() };
  }

  private made(node: Node): Node {
    this.nodes++;
    if (this.nodes > LIMITS.nodes) this.say(node.at, `the formula has more than ${LIMITS.nodes} pieces`);
    return node;
  }
  /** Brackets, calls and signs in one another, so many at most: the stack stays small. */
  private deeper(read: () => Node): Node {
    const { at } = this.now;
    if (this.depth >= LIMITS.depth) this.say(at, `more than ${LIMITS.depth} brackets are open here`);
    if (this.fault) return { kind: 'number', at, value: 0 };
    this.depth++;
    const node = read();
    this.depth--;
    return node;
  }
}

const numberOf = (node: Node): number | null => (node.kind === 'number' ? node.value : null);
