import type { CallExpr, Expr } from './types.ts';

/** How strongly what stands between two sides binds them. */
const BINDS: Readonly<Record<string, number>> = {
  ...{ '<': 1, '≤': 1, '>': 1, '≥': 1, '=': 1, '≠': 1 },
  ...{ '+': 2, '−': 2, '×': 3, '÷': 3, negative: 4 },
};
export const bindingOf = (expr: Expr): number => (expr.kind === 'call' ? (BINDS[expr.operation.name] ?? 9) : 9);
export const isInfix = ({ operation }: CallExpr): boolean => (BINDS[operation.name] ?? 9) < 4;

/** A number of a formula as text, without digits that it was not written with. */
export const numberText = (x: number): string => (x < 0 ? `−${-x}` : String(x));

/**
 * A tree as text that reads back as the same tree; `leaf` may put something else in the place of an expression, null leaves
 * it.
 */
export function printed(expr: Expr, leaf: (expr: Expr) => string | null = () => null): string {
  const own = leaf(expr);
  if (own !== null) return own;
  switch (expr.kind) {
    case 'number':
      return expr.name ?? numberText(expr.value);
    case 'column':
      return expr.name;
    case 'word':
      return expr.word;
    case 'bound':
      return expr.name;
    case 'call':
      return calls(expr, leaf);
  }
}

function calls(expr: CallExpr, leaf: (expr: Expr) => string | null): string {
  const { operation, args } = expr;
  const { name } = operation;
  const own = bindingOf(expr);
  /** brackets where a side binds less than its operator */
  const side = (of: Expr, least: number): string => {
    const text = printed(of, leaf);
    const isShort = leaf(of) !== null;
    return !isShort && bindingOf(of) < least ? `(${text})` : text;
  };
  if (name === 'constant' || (name === 'broadcast' && expr.at === args['x']!.at)) return printed(args['x']!, leaf);
  if (name === 'negative') return `−${side(args['x']!, own)}`;
  // of comparisons two in a row are not read
  if (isInfix(expr)) return `${side(args['x']!, Math.max(own, 2))} ${name} ${side(args['y']!, own + 1)}`;
  const list = Object.entries(args).flatMap(([key, arg]) => {
    const parameter = operation.parameters.find((p) => p.name === key);
    const value = arg.kind === 'word' ? arg.word : arg.kind === 'number' ? arg.value : null;
    const isDefault = parameter?.default !== undefined && parameter.default === value && !('name' in arg && arg.name);
    return isDefault ? [] : [{ key, text: printed(arg, leaf) }];
  });
  // what follows an argument that is left out is named
  const given = Object.keys(args);
  const texts = list.map(({ key, text }, k) => (given[k] === key || key.includes(' ') ? text : `${key}: ${text}`));
  return `${name}(${texts.join(', ')})`;
}
