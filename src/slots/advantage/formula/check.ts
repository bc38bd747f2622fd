import { closest } from './closest.ts';
import { columnNamed, formulaColumns } from './columns.ts';
import { constant, operationNamed, operations } from './operations.ts';
import { nameFault, typeFault } from './faults.ts';
import { RESERVED, type Arg, type Fault, type Node, type Span } from './syntax.ts';
import type { CallExpr, Expr, FormulaType, Operation, Parameter } from './types.ts';

/** What has been named so far. Faults are collected; whatever contains one is null. */
export class Checker {
  readonly faults: Fault[] = [];
  readonly names = new Map<string, Expr | null>();

  private say(at: Span, message: string, hint?: string | null): null {
    this.faults.push({ at, message, ...(hint ? { hint } : {}) });
    return null;
  }

  /** Gives an expression a name; null: it has a fault of its own. */
  bind(name: string, at: Span, expr: Expr | null): void {
    if (this.names.has(name)) this.say(at, `${name} has a meaning already`, 'choose another name');
    else if (columnNamed(name)) this.say(at, `${name} is a column of the batch`, 'choose another name');
    else if (operationNamed(name)) this.say(at, `${name} is an operation`, 'choose another name');
    else this.names.set(name, expr);
  }

  /** The expression with its type, or null after a fault. */
  read(node: Node): Expr | null {
    switch (node.kind) {
      case 'number':
        return { kind: 'number', at: node.at, type: 'number', value: node.value };
      case 'name':
        return this.name(node.name, node.at);
      case 'call':
        return this.call(node);
    }
  }

  private name(name: string, at: Span): Expr | null {
    const bound = this.names.get(name);
    if (bound === null) return null; // said where it was named
    if (bound?.type === 'number' && bound.kind === 'number') return { ...bound, at, name };
    if (bound) return { kind: 'bound', at, type: bound.type, name, of: bound };
    const column = columnNamed(name);
    if (column) return { kind: 'column', at, type: column.type, name };
    const known = [...this.names.keys(), ...formulaColumns.map((c) => c.name), ...operations.map((o) => o.name)];
    this.faults.push(nameFault(name, at, closest(name, known)));
    return null;
  }

  private call({ at, name, nameAt, args }: Node & { kind: 'call' }): Expr | null {
    const operation = operationNamed(name);
    if (!operation) {
      const near = closest(
        name,
        operations.map((o) => o.name),
      );
      const isKnown = this.names.has(name) || columnNamed(name) !== undefined;
      const hint = isKnown ? `write ${name} × (…) for a product` : near && `did you mean ${near}?`;
      return this.say(nameAt, isKnown ? `${name} is not an operation` : `there is no operation ${name}`, hint);
    }
    const placed = this.place(operation, args, nameAt);
    if (!placed) return null;
    const read = placed.map(({ parameter, node }) => this.argument(operation, parameter, node, nameAt));
    if (read.some((x) => x === null)) return null;
    const exprs = read as readonly Expr[]; // those with a fault have ended it above
    const numbers = exprs.map((x) => (x.kind === 'number' ? x.value : null));
    if (operation.fold && numbers.every((x) => x !== null)) {
      const value = operation.fold(...numbers);
      if (!Number.isFinite(value)) return this.say(at, 'this is not a finite number');
      return { kind: 'number', at, type: 'number', value };
    }
    const type = resultOf(operation, exprs);
    // a function of one number, or a choice, whose other numbers are folded: a number stays what it is
    return { kind: 'call', at, type, operation, args: Object.fromEntries(placed.map((p, k) => [p.key, exprs[k]!])) };
  }

  /** Which argument is which parameter; words and numbers that are left out take their defaults. */
  private place(operation: Operation, args: readonly Arg[], nameAt: Span) {
    const { parameters } = operation;
    const found = new Map<string, Node>();
    let place = 0;
    for (const { name, nameAt: at, node } of args) {
      const parameter = name === undefined ? parameters[place] : parameters.find((p) => p.name === name);
      if (!parameter && name !== undefined) {
        const near = closest(
          name,
          parameters.map((p) => p.name),
        );
        const all = parameters.map((p) => p.name).join(', ');
        return this.say(at!, `${operation.name} has no ${name}`, near ? `did you mean ${near}?` : `it has ${all}`);
      }
      if (!parameter) return this.say(node.at, `${operation.name} takes no more than ${countOf(parameters.length)}`);
      if (parameter.isMany && name === undefined) {
        // the next ones are its own, as long as they are no word of a later parameter
        const later = parameters.slice(place + 1).some((p) => isWordOf(p, node));
        const n = [...found.keys()].filter((key) => key.startsWith(`${parameter.name} `)).length;
        if (!later) {
          found.set(`${parameter.name} ${n}`, node);
          continue;
        }
        place++;
        found.set(parameters[place]!.name, node);
        place++;
        continue;
      }
      const key = parameter.isMany ? `${parameter.name} 0` : parameter.name;
      if (found.has(key)) return this.say(at ?? node.at, `${parameter.name} is given twice`);
      found.set(key, node);
      if (name === undefined) place++;
    }
    const placed: { parameter: Parameter; key: string; node: Node | null }[] = [];
    for (const parameter of parameters) {
      const keys = parameter.isMany
        ? [...found.keys()].filter((k) => k.startsWith(`${parameter.name} `))
        : [parameter.name];
      if (keys.length === 0 || (!found.has(keys[0]!) && parameter.default === undefined)) {
        const wanted = parameter.words ? `${parameter.name}: ${parameter.words.join(', ')}` : parameter.name;
        return this.say(nameAt, `${operation.name} needs ${wanted}`, `for example ${operation.example}`);
      }
      for (const key of keys) placed.push({ parameter, key, node: found.get(key) ?? null });
    }
    return placed;
  }

  /** An argument as its parameter takes it. */
  private argument(operation: Operation, parameter: Parameter, node: Node | null, callAt: Span): Expr | null {
    const { type, words } = parameter;
    if (node === null) {
      const of = parameter.default!;
      return typeof of === 'number'
        ? { kind: 'number', at: callAt, type: 'number', value: of }
        : { kind: 'word', at: callAt, type: 'word', word: of };
    }
    if (words) {
      if (isWordOf(parameter, node)) return { kind: 'word', at: node.at, type: 'word', word: node.name };
      const near = node.kind === 'name' ? closest(node.name, words) : null;
      const message = `${operation.name} needs one of these here: ${words.join(', ')}`;
      return this.say(node.at, message, near && `did you mean ${near}?`);
    }
    const expr = this.read(node);
    if (!expr) return null;
    if (type === 'number') return this.number(operation, parameter, expr);
    const fitted = fit(expr, type);
    if (!fitted) this.faults.push(typeFault(operation, parameter, expr));
    return fitted;
  }

  private number(
    operation: Operation,
    { name, min = -Infinity, max = Infinity, isWhole }: Parameter,
    expr: Expr,
  ): Expr | null {
    if (expr.kind !== 'number') {
      const hint = 'a number is written out, or comes from let';
      return this.say(
        expr.at,
        `${name} of ${operation.name} has to be a number, and this differs from step to step`,
        hint,
      );
    }
    const { value, at } = expr;
    if (isWhole && !Number.isInteger(value))
      return this.say(at, `${name} of ${operation.name} has to be a whole number`);
    if (value < min || value > max)
      return this.say(at, `${name} of ${operation.name} has to be between ${min} and ${max}`);
    return expr;
  }
}

const isWordOf = (parameter: Parameter, node: Node): node is Node & { kind: 'name' } =>
  node.kind === 'name' && parameter.words?.includes(node.name) === true;

const countOf = (n: number): string => `${n} ${n === 1 ? 'argument' : 'arguments'}`;

/** A number or a column where a column is taken: broadcast, or the number on every step. Null: it is none of these. */
export function fit(expr: Expr, type: Parameter['type']): Expr | null {
  const { type: own, at } = expr;
  const isColumn = own === 'row' || own === 'step';
  const called = (operation: Operation): CallExpr => ({ kind: 'call', at, type: 'step', operation, args: { x: expr } });
  switch (type) {
    case 'value':
      return own === 'number' || isColumn ? expr : null;
    case 'column':
      return own === 'number' ? called(constant) : isColumn ? expr : null;
    case 'step':
      return own === 'number'
        ? called(constant)
        : own === 'row'
          ? called(operationNamed('broadcast')!)
          : own === 'step'
            ? expr
            : null;
    default:
      return own === type ? expr : null;
  }
}

function resultOf({ result }: Operation, args: readonly Expr[]): FormulaType {
  if (result === 'first') return args[0]!.type;
  if (result !== 'widest') return result;
  const types = args.map((x) => x.type);
  return types.includes('step') ? 'step' : types.includes('row') ? 'row' : 'number';
}

/** Names that completion may offer beside columns and operations. */
export const keywords: readonly string[] = RESERVED;
