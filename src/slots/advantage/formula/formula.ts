import type { BatchField } from '../../../contract/columns.ts';
import { Checker, fit } from './check.ts';
import { columnNamed } from './columns.ts';
import { operationNamed } from './operations.ts';
import { parseFormula } from './parse.ts';
import { typeWords } from './faults.ts';
import type { Fault, Line, SliderLine, Span } from './syntax.ts';
import type { Expr } from './types.ts';

/** A named part of the credit. */
export type FormulaPart = { readonly name: string; readonly nameAt: Span; readonly expr: Expr };

export type GaeSettings = {
  readonly gamma: number;
  readonly lambda: number;
  readonly cut: 'bootstrap' | 'zero' | 'egae';
};

/** A formula that was read without a fault: a tree that nothing but the evaluator walks. */
export type Formula = {
  readonly text: string;
  readonly sliders: readonly SliderLine[];
  /** the credit, one number per step; with parts their sum, and then this is null */
  readonly result: Expr | null;
  readonly parts: readonly FormulaPart[];
  /** what the critic learns, where the formula says so */
  readonly target: Expr | null;
  /** all named expressions in their order, for hovers */
  readonly named: ReadonlyMap<string, Expr>;
  /** exactly the columns that it reads */
  readonly needs: readonly BatchField[];
  /** it reads values, and so a run trains a critic */
  readonly readsValues: boolean;
  /** settings of its first gae, whose target the critic learns */
  readonly gae: GaeSettings | null;
  /** every column that it reads is on the device in a run on WebGPU */
  readonly onGpu: boolean;
};

export type Reading =
  | { readonly ok: true; readonly formula: Formula }
  /** in the order of the text; at least one */
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

let known: { readonly text: string; readonly reading: Reading } | null = null;

/** Reads and checks a formula. Never throws; what is wrong comes back with its place. The latest one is remembered. */
export function readFormula(text: string): Reading {
  if (known?.text !== text) known = { text, reading: read(text) };
  return known.reading;
}

function read(text: string): Reading {
  const { lines, fault } = parseFormula(text);
  if (fault) return { ok: false, faults: [fault] };
  const checker = new Checker();
  const parts: FormulaPart[] = [];
  const results: { expr: Expr | null; at: Span }[] = [];
  let target: Expr | null = null;
  for (const line of lines) {
    if (line.kind === 'slider') {
      const { value, numberAt, name } = line;
      checker.bind(name, line.nameAt, { kind: 'number', at: numberAt, type: 'number', value, name });
      continue;
    }
    const expr = checker.read(line.node);
    if (line.kind === 'result') results.push({ expr: perStep(checker, expr), at: line.node.at });
    else if (line.kind === 'part') {
      const made = perStep(checker, expr);
      if (made) parts.push({ name: line.name, nameAt: line.nameAt, expr: made });
      checker.bind(line.name, line.nameAt, made);
    } else if (line.name === 'target') target = perStep(checker, expr);
    else checker.bind(line.name, line.nameAt, expr);
  }
  const { faults } = checker;
  const isPart = lines.some((line) => line.kind === 'part');
  const [first, second] = results;
  const ends = (at: Span, message: string, hint: string): void => void faults.push({ at, message, hint });
  if (second)
    ends(second.at, 'the credit is given twice', 'one line alone is the credit; give the others names: G = …');
  else if (first && isPart)
    ends(first.at, 'the credit of a formula with parts is their sum', 'make this a part, or the parts plain names');
  else if (!first && !isPart)
    ends(lastLine(text, lines), 'the formula gives no credit', 'end with an expression: normalize(outcome, task)');
  const [one, ...more] = [...faults].sort((a, b) => a.at[0] - b.at[0]);
  if (one) return { ok: false, faults: [one, ...more] };
  return { ok: true, formula: formulaOf(text, lines, { result: first?.expr ?? null, parts, target }, checker.names) };
}

/** The credit of steps: a number, or one per episode, counts for all of them. */
function perStep(checker: Checker, expr: Expr | null): Expr | null {
  const made = expr && fit(expr, 'step');
  if (expr && !made) {
    const message = `the credit is one number per step, and this is ${typeWords[expr.type]}`;
    checker.faults.push({
      at: expr.at,
      message,
      hint: 'compare within sets by normalizeSets(x, sets) or meanOver(x, sets)',
    });
  }
  return made;
}

const lastLine = (text: string, lines: readonly Line[]): Span => {
  const last = lines.at(-1);
  if (!last || last.kind === 'slider') return [text.length, text.length];
  return last.kind === 'result' ? last.node.at : last.nameAt;
};

type Ends = Pick<Formula, 'result' | 'parts' | 'target'>;
function formulaOf(text: string, lines: readonly Line[], ends: Ends, names: Checker['names']): Formula {
  const roots = [ends.result, ends.target, ...ends.parts.map(({ expr }) => expr)];
  const needs = new Set<BatchField>(['length']);
  for (const root of roots) if (root) collect(root, needs, new Set());
  const readsValues = needs.has('value') || needs.has('valueFinal');
  if (readsValues && !ends.target) for (const name of operationNamed('gae')!.reads!({})) needs.add(name);
  const named = new Map([...names].flatMap(([name, expr]) => (expr ? [[name, expr] as const] : [])));
  const columns = roots.flatMap((root) => (root ? columnsIn(root, new Set()) : []));
  return {
    ...{ text, ...ends, named, readsValues, gae: gaeOf(roots) },
    sliders: lines.filter((line): line is SliderLine => line.kind === 'slider'),
    needs: [...needs],
    onGpu: columns.every((name) => columnNamed(name)!.onGpu),
  };
}

/** Every expression of a tree, outer ones first; shared ones once. */
export function* exprsIn(root: Expr, seen = new Set<Expr>()): Generator<Expr> {
  if (seen.has(root)) return;
  seen.add(root);
  yield root;
  if (root.kind === 'bound') yield* exprsIn(root.of, seen);
  if (root.kind === 'call') for (const arg of Object.values(root.args)) yield* exprsIn(arg, seen);
}

function collect(root: Expr, needs: Set<BatchField>, seen: Set<Expr>): void {
  for (const expr of exprsIn(root, seen)) {
    if (expr.kind === 'column') {
      const column = columnNamed(expr.name)!;
      needs.add(column.name);
      if (column.isPerTask) needs.add('taskIndex');
    }
    if (expr.kind !== 'call') continue;
    const words = Object.entries(expr.args).flatMap(([name, x]) =>
      x.kind === 'word' ? [[name, x.word] as const] : [],
    );
    for (const name of expr.operation.reads?.(Object.fromEntries(words)) ?? []) needs.add(name);
  }
}

/** The settings of the first gae among these expressions. */
function gaeOf(roots: readonly (Expr | null)[]): GaeSettings | null {
  const seen = new Set<Expr>();
  for (const expr of roots.flatMap((root) => (root ? [...exprsIn(root, seen)] : []))) {
    if (expr.kind !== 'call' || expr.operation.name !== 'gae') continue;
    const number = (name: string): number => (expr.args[name] as Extract<Expr, { kind: 'number' }>).value;
    const { word } = expr.args['cut'] as Extract<Expr, { kind: 'word' }>;
    return { gamma: number('γ'), lambda: number('λ'), cut: word as GaeSettings['cut'] };
  }
  return null;
}

const columnsIn = (root: Expr, seen: Set<Expr>): string[] =>
  [...exprsIn(root, seen)].flatMap((expr) => (expr.kind === 'column' ? [expr.name] : []));

/** The text with another number at a slider; the text as it is where it has no such slider. */
export function withSlider(text: string, name: string, value: number): string {
  const slider = parseFormula(text).lines.find(
    (line): line is SliderLine => line.kind === 'slider' && line.name === name,
  );
  if (!slider) return text;
  const [from, to] = slider.numberAt;
  return `${text.slice(0, from)}${value < 0 ? `−${-value}` : value}${text.slice(to)}`;
}

/** Line and column, counted from 1, of a place in a text. */
export function lineOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: [...before.at(-1)!].length + 1 };
}

/** A fault in one sentence without its full stop: where, what, and the way out. */
export function faultText(text: string, { at, message, hint }: Fault): string {
  const { line, column } = lineOf(text, at[0]);
  return `line ${line}, column ${column}: ${message}${hint ? `; ${hint}` : ''}`.replace(/\?$/, '');
}
