import { closest } from '../slots/advantage/formula/closest.ts';
import type { Fault, Node, Span } from '../slots/advantage/formula/syntax.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { readExpression } from './format/expression.ts';
import { measureNamed, measures } from './measures/registry.ts';
import type { Kind, Measure } from './measures/types.ts';

/** An expression whose every name is known: what it calls, with arguments of the right kinds. */
export type Bound =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'arm' | 'metric' | 'word'; readonly name: string }
  | { readonly kind: 'call'; readonly measure: Measure; readonly args: readonly Bound[]; readonly text: string };

/** What names of an expression may stand for. */
export type Scope = {
  readonly arms: readonly string[];
  /** values that have names already, such as those of a formula that come before */
  readonly values?: ReadonlyMap<string, Bound>;
};

export type Bindings = { readonly bound: Bound } | { readonly fault: Fault };

class Unbound extends Error {
  readonly fault: Fault;
  constructor(at: Span, message: string, hint?: string | null) {
    super(message);
    this.fault = { at, message, ...(hint ? { hint } : {}) };
  }
}

/** Reads an expression and looks up its names. The first fault has its place in the text and a sentence. */
export function bindExpression(written: string | number, scope: Scope): Bindings {
  const read = readExpression(written);
  if ('fault' in read) return read;
  try {
    return { bound: bind(read.node, 'value', scope) };
  } catch (error) {
    if (error instanceof Unbound) return { fault: error.fault };
    throw error;
  }
}

const words: Readonly<Record<Kind, string>> = {
  arm: 'an arm',
  metric: 'a metric',
  value: 'a number',
  number: 'a number',
  'number?': 'a number',
  word: 'a word',
  'word?': 'a word',
};
const near = (name: string, known: readonly string[]): string | null => {
  const found = closest(name, known);
  return found === null ? null : `did you mean ${found}?`;
};

function bind(node: Node, wanted: Kind, scope: Scope): Bound {
  if (wanted === 'arm' || wanted === 'metric') return named(node, wanted, scope);
  if (wanted === 'word' || wanted === 'word?') {
    if (node.kind === 'name') return { kind: 'word', name: node.name };
    throw new Unbound(node.at, 'a word is expected here');
  }
  if (node.kind === 'number') return { kind: 'number', value: node.value };
  if (node.kind === 'call') return call(node, scope);
  const value = scope.values?.get(node.name);
  if (value) return value;
  const hint = scope.arms.includes(node.name)
    ? `${node.name} is an arm: write last(${node.name}, success), say`
    : near(node.name, [...(scope.values?.keys() ?? [])]);
  throw new Unbound(node.at, `${node.name} is not a number`, hint);
}

/** The name of an arm or a metric. */
function named(node: Node, kind: 'arm' | 'metric', { arms }: Scope): Bound {
  if (node.kind !== 'name') throw new Unbound(node.at, `${words[kind]} is expected here`);
  const known = kind === 'arm' ? arms : Object.keys(metricIndex);
  if (known.includes(node.name)) return { kind, name: node.name };
  const hint = near(node.name, known) ?? (kind === 'arm' ? `the arms are ${arms.join(', ')}` : null);
  throw new Unbound(node.at, `there is no ${kind} “${node.name}”`, hint);
}

function call({ at, name, nameAt, args }: Node & { kind: 'call' }, scope: Scope): Bound {
  const found = measureNamed(name);
  if (!found)
    throw new Unbound(
      nameAt,
      `there is no measure “${name}”`,
      near(
        name,
        measures.map((m) => m.id),
      ),
    );
  const { takes } = found;
  const least = takes.filter((kind) => !kind.endsWith('?')).length;
  if (args.length < least || args.length > takes.length) {
    const many = least === takes.length ? `${least}` : `${least} to ${takes.length}`;
    throw new Unbound(at, `${name} takes ${many} values, not ${args.length}`, found.doc);
  }
  const bound = args.map((arg, k) => {
    if (arg.nameAt) throw new Unbound(arg.nameAt, 'values have no names here');
    return bind(arg.node, takes[k]!, scope);
  });
  if (found.watch) for (const [k, arg] of bound.entries()) plainOnly(arg, args[k]!.node.at, name);
  return { kind: 'call', measure: found, args: bound, text: textOf(name, bound) };
}

/** What watches while an arm trains must know what it looks for before. */
function plainOnly(arg: Bound, at: Span, name: string): void {
  if (arg.kind === 'call')
    throw new Unbound(at, `${name} watches the training, so this must be a plain number or name`);
}

/** Equal calls have equal texts, however they were written. */
function textOf(name: string, args: readonly Bound[]): string {
  const one = (arg: Bound): string =>
    arg.kind === 'number' ? String(arg.value) : arg.kind === 'call' ? arg.text : arg.name;
  return `${name}(${args.map(one).join(', ')})`;
}

/** All calls in an expression, inner ones first. */
export function callsIn(bound: Bound): readonly (Bound & { kind: 'call' })[] {
  return bound.kind === 'call' ? [...bound.args.flatMap(callsIn), bound] : [];
}

/** The arms that an expression is about. */
export function armsIn(bound: Bound): readonly string[] {
  if (bound.kind === 'arm') return [bound.name];
  return bound.kind === 'call' ? [...new Set(bound.args.flatMap(armsIn))] : [];
}
