import { formulaColumns, columnNamed } from '../../slots/advantage/formula/columns.ts';
import { typeWords } from '../../slots/advantage/formula/faults.ts';
import { exprsIn, readFormula, type Formula } from '../../slots/advantage/formula/formula.ts';
import { operationNamed, operations } from '../../slots/advantage/formula/operations.ts';
import { parseFormula } from '../../slots/advantage/formula/parse.ts';
import { RESERVED } from '../../slots/advantage/formula/syntax.ts';
import { tokensOf, type Token } from '../../slots/advantage/formula/tokens.ts';
import type { Expr, Operation, Parameter } from '../../slots/advantage/formula/types.ts';
import { wordsOf } from '../../config/words/wordsOf.ts';
import { columnDocs } from './columnDocs.ts';
import type { Fault, Offer, Piece, PieceKind, Reading, Slider, Told } from './reading.ts';

/** Why the experiment does not have a column; null: it has it. */
export type Why = (column: string) => string | null;

const EMPTY = 'Type a formula, or start from an estimator.';
const COMMENT = /(?:#|\/\/)[^\n]*/g;

const valueOf = ({ name, default: standard, words, isMany }: Parameter): string =>
  `${name}${isMany ? ', …' : ''}${standard !== undefined ? ` = ${standard}` : words ? `: ${words.join(' | ')}` : ''}`;

/** “returnsToGo(x, γ = 1)” */
export const signatureOf = ({ name, parameters }: Operation): string =>
  /^\p{L}/u.test(name) ? `${name}(${parameters.map(valueOf).join(', ')})` : `x ${name} y`;

const resultWords: Readonly<Record<string, string>> = {
  ...typeWords,
  first: 'as x is',
  widest: 'as x and y are',
};

/** What the editor knows about a text, in an experiment that has some columns and others not. */
export const readerOf =
  (why: Why) =>
  (text: string): Reading => {
    const { tokens, fault } = tokensOf(text);
    const found = readFormula(text);
    const formula = found.ok ? found.formula : null;
    const isEmpty = fault === null && tokens.every(({ kind }) => kind === 'end' || kind === 'line');
    return {
      text,
      pieces: piecesOf(text, tokens),
      faults: found.ok || isEmpty ? [] : found.faults.map(faultOf),
      sliders: formula ? slidersOf(formula) : [],
      sentence: formula ? sentenceOf(formula, tokens) : EMPTY,
      at: (place) => toldAt(tokens, formula, place),
      offersAt(place) {
        const from = wordStart(text, place);
        return { from, to: place, offers: offersIn({ tokens, formula, named: namesIn(text) }, from, why) };
      },
    };
  };

const faultOf = ({
  at,
  message,
  hint = '',
}: {
  at: readonly [number, number];
  message: string;
  hint?: string;
}): Fault => ({
  ...{ from: at[0], to: at[1] },
  message,
  hint,
});

function kindOf({ kind, text }: Token, after: Token | undefined): PieceKind | null {
  if (kind === 'number') return 'number';
  if (kind !== 'name') return null;
  if (RESERVED.includes(text)) return 'word';
  if (operationNamed(text) && after?.text === '(') return 'operation';
  return columnNamed(text) ? 'column' : 'name';
}

function piecesOf(text: string, tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  tokens.forEach((token, k) => {
    const [from, to] = token.at;
    for (const { index, 0: words } of text.slice(end, from).matchAll(COMMENT))
      pieces.push({ from: end + index, to: end + index + words.length, kind: 'comment' });
    const kind = kindOf(token, tokens[k + 1]);
    if (kind) pieces.push({ from, to, kind });
    end = to;
  });
  return pieces;
}

const slidersOf = ({ sliders }: Formula): Slider[] =>
  sliders.map(({ name, value, min, max, numberAt: [from, to] }) => ({ name, value, low: min, high: max, from, to }));

function sentenceOf({ parts, onGpu }: Formula, tokens: readonly Token[]): string {
  const named = [...new Set(tokens.flatMap(({ kind, text }) => (kind === 'name' && columnNamed(text) ? [text] : [])))];
  const made = parts.length > 0 ? `Credit of ${parts.length} parts` : 'One number per step';
  const from = named.length > 0 ? `, from ${named.join(', ')}` : '';
  return `${made}${from}.${onGpu ? '' : ' A run on WebGPU computes it on the CPU and waits for that.'}`;
}

const isIn = ({ at: [from, to] }: Token, place: number): boolean => from <= place && place <= to;

/** The token at a place: where two touch, the name or number. */
function tokenAt(tokens: readonly Token[], place: number): number {
  const at = tokens.flatMap((token, k) =>
    isIn(token, place) && token.kind !== 'end' && token.kind !== 'line' ? [k] : [],
  );
  return at.find((k) => tokens[k]!.kind !== 'mark') ?? at[0] ?? -1;
}

function toldAt(tokens: readonly Token[], formula: Formula | null, place: number): Told | null {
  const k = tokenAt(tokens, place);
  const token = tokens[k];
  // between brackets where nothing else means anything: what they belong to
  const outer = callAround(tokens, place)?.operation;
  const inCall = outer
    ? {
        ...{ from: place, to: place },
        name: signatureOf(outer),
        type: resultWords[outer.result]!,
        doc: wordsOf(outer.doc),
      }
    : null;
  if (!token) return inCall;
  const [from, to] = token.at;
  const told = (name: string, type: string, doc = ''): Told => ({ from, to, name, type, doc });
  const column = columnNamed(token.text);
  const operation = operationNamed(token.text);
  if (token.kind === 'number') return told(token.text, typeWords.number);
  if (operation && (token.kind === 'mark' || tokens[k + 1]?.text === '('))
    return told(signatureOf(operation), typeOf(formula, from, operation), wordsOf(operation.doc));
  const around = callAround(tokens, from);
  const parameter = around?.operation.parameters.find(({ words }) => words?.includes(token.text));
  if (parameter)
    return told(token.text, `${parameter.name} of ${around!.operation.name}`, `One of ${parameter.words!.join(', ')}.`);
  if (token.kind !== 'name') return inCall;
  if (column) return told(token.text, typeWords[column.type], docOf(column.name));
  if (formula?.named.has(token.text)) return told(token.text, typeNamed(formula, token.text), 'Named in this formula.');
  return inCall;
}

function docOf(column: string): string {
  const doc = columnDocs[column] ?? '';
  return `${doc.charAt(0).toUpperCase()}${doc.slice(1)}.`;
}

/** What an operation gives at its place in a formula; by its record where the formula has a fault. */
function typeOf(formula: Formula | null, from: number, operation: Operation): string {
  const roots: Expr[] = formula
    ? [...formula.named.values(), ...[formula.result, formula.target].filter((x) => x !== null)]
    : [];
  const seen = new Set<Expr>();
  for (const root of roots)
    for (const expr of exprsIn(root, seen))
      if (
        expr.kind === 'call' &&
        expr.operation === operation &&
        (expr.at[0] === from || /^\P{L}/u.test(operation.name))
      )
        return typeWords[expr.type];
  return resultWords[operation.result]!;
}

/** The operation in whose brackets a place lies, and how many arguments stand before it. */
function callAround(tokens: readonly Token[], place: number): { operation: Operation; at: number } | null {
  let depth = 0;
  let at = 0;
  for (let k = tokens.findLastIndex((token) => token.at[1] <= place && token.kind !== 'end'); k >= 0; k--) {
    const { text, kind } = tokens[k]!;
    if (kind !== 'mark') continue;
    if (text === ')') depth++;
    else if (text === ',' && depth === 0) at++;
    else if (text === '(' && depth-- === 0) {
      const operation = k > 0 ? operationNamed(tokens[k - 1]!.text) : undefined;
      return operation ? { operation, at } : null;
    }
  }
  return null;
}

/** Letters that few keyboards have. */
const LETTERS = { alpha: 'α', beta: 'β', gamma: 'γ', lambda: 'λ', omega: 'ω' } as const;

/** A word that is longer has nothing to be completed. */
const LONGEST = 60;
const wordStart = (text: string, place: number): number =>
  place - /(?:[\p{L}_][\p{L}\p{M}\p{N}_′]*)?$/u.exec(text.slice(Math.max(0, place - LONGEST), place))![0].length;

/** The names of a formula, also while it has a fault; those before a place of which no expression can be read. */
const namesIn = (text: string): string[] =>
  parseFormula(text).lines.flatMap((line) => (line.kind === 'result' ? [] : [line.name]));

const typeNamed = (formula: Formula | null, name: string): string => {
  const expr = formula?.named.get(name);
  return expr ? typeWords[expr.type] : 'named here';
};

type Scope = { readonly tokens: readonly Token[]; readonly formula: Formula | null; readonly named: readonly string[] };

function offersIn({ tokens, formula, named }: Scope, from: number, why: Why): Offer[] {
  const around = callAround(tokens, from);
  const offer = (kind: PieceKind, label: string, type: string, doc: string, more: Partial<Offer> = {}): Offer => {
    return { label, text: label, cursor: (more.text ?? label).length, kind, type, form: '', doc, why: null, ...more };
  };
  const asked = around?.operation.parameters ?? [];
  const words = asked.flatMap((p, at) =>
    at < around!.at
      ? []
      : (p.words ?? []).map((word) => offer('word', word, p.name, `${p.name} of ${around!.operation.name}.`)),
  );
  // a word comes next and nothing else fits
  if (asked[around?.at ?? 0]?.words) return words;
  const isLineStart = tokens.findLast((token) => token.at[1] <= from && token.kind !== 'end')?.kind !== 'mark';
  return [
    ...words,
    ...named.map((name) => offer('name', name, typeNamed(formula, name), 'Named in this formula.')),
    ...formulaColumns.map(({ name, type }) => offer('column', name, typeWords[type], docOf(name), { why: why(name) })),
    ...operations
      .filter(({ name }) => /^\p{L}/u.test(name) && name !== 'negative')
      .map((o) => {
        const text = `${o.name}(${o.parameters.length === 0 ? ')' : ''}`;
        const form = signatureOf(o);
        return offer('operation', o.name, resultWords[o.result]!, wordsOf(o.doc), { text, cursor: text.length, form });
      }),
    ...(isLineStart && !around
      ? [
          offer('word', 'let', 'a number with a slider', 'let ω = 1 in 0…4', { text: 'let ω = 1 in 0…4', cursor: 5 }),
          offer('word', 'part', 'a named part of the credit', 'The credit is the sum of its parts.', {
            text: 'part ',
            cursor: 5,
          }),
        ]
      : []),
    ...Object.entries(LETTERS).map(([name, letter]) =>
      offer('name', name, letter, 'The letter.', { text: letter, cursor: 1 }),
    ),
  ];
}
