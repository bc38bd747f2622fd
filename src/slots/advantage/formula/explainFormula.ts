import type { Batch } from '../../../contract/columns.ts';
import type { Column, Explanation, Quantity, Term } from '../../types.ts';
import { creditOpsOf, dataOf } from '../creditOps.ts';
import { after, comparedTerm, quantitiesOf, show, type Comparison } from '../explain.ts';
import { comparisonAt, type Looked } from './comparisonAt.ts';
import { evaluatorOf } from './evaluate.ts';
import { exprsIn, type Formula } from './formula.ts';
import { isInfix, printed } from './print.ts';
import type { CallExpr, Expr } from './types.ts';

/**
 * How the credit of a step came about: a term for each part of the formula, or one for all of it. What a term says is the
 * part with the numbers of this step, after the comparisons in it, each with the set it was made in.
 */
export function explainFormula(formula: Formula, batch: Batch, step: number): Explanation {
  const looked: Looked = { batch, step, of: evaluatorOf(creditOpsOf(batch)) };
  const { result, parts } = formula;
  if (result) return { terms: [termOf('credit', result, looked)] };
  return { terms: parts.map(({ name, expr }) => termOf(name, expr, looked)) };
}

/** What an expression is worth at the step. */
function valueAt(expr: Expr, { batch, step, of }: Looked): number {
  const value = of(expr);
  if (typeof value === 'number') return value;
  const column = value as Column; // only numbers and columns are asked for
  return dataOf(column)[column.per === 'step' ? step : Math.floor(step / batch.T)]!;
}

const isColumn = ({ type }: Expr): boolean => type === 'row' || type === 'step';
/** Written into a formula where a column has to stand, and names: what they stand for. */
const unwrapped = (expr: Expr): Expr => {
  if (expr.kind === 'bound') return unwrapped(expr.of);
  const isPlain = expr.kind === 'call' && (expr.operation.name === 'broadcast' || expr.operation.name === 'constant');
  return isPlain ? unwrapped(expr.args['x']!) : expr;
};
/** Arithmetic is shown with its numbers; any other call is shown as the number that it gave. */
const isArithmetic = (expr: Expr): boolean =>
  expr.kind === 'call' && (isInfix(expr) || expr.operation.name === 'negative');

function termOf(name: string, root: Expr, looked: Looked): Term {
  const value = valueAt(root, looked);
  const inner = unwrapped(root);
  const calls = [...exprsIn(root)].filter((expr): expr is CallExpr => isOpaque(expr)).reverse();
  const comparisons = calls.map((call) => ({ call, comparison: comparisonAt(call, looked) }));
  const own = comparisons.find(({ call }) => call === inner)?.comparison;
  const lines = comparisons
    .filter(({ call }) => call !== inner)
    .map(({ call, comparison }) => `${printed(call)} = ${filledCall(call, comparison, looked)}`);
  const shown = comparisons.findLast(({ comparison }) => comparison !== null);
  const filled = own
    ? comparedTerm(name, value, own).filled
    : inner.kind === 'call'
      ? `${filledIn(inner, looked)} = ${show(value)}`
      : show(value);
  const compared = shown?.comparison;
  return {
    ...{ name, value, formula: printed(inner) },
    filled: [...lines, filled].join('; '),
    quantities: quantities(root, compared ?? null, looked),
    ...(compared ? { compared: membersOf(compared) } : {}),
  };
}

const membersOf = ({ of, members, values, at }: Comparison) => ({ of, members, values, at });

const isOpaque = (expr: Expr): boolean =>
  expr.kind === 'call' &&
  isColumn(expr) &&
  !isArithmetic(expr) &&
  expr.operation.name !== 'broadcast' &&
  expr.operation.name !== 'constant';

/** A comparison with its numbers, or the number that another call gave. */
function filledCall(call: CallExpr, comparison: Comparison | null, looked: Looked): string {
  const value = valueAt(call, looked);
  return comparison ? comparedTerm('', value, comparison).filled : show(value);
}

/** Arithmetic with the numbers of the step in it. */
function filledIn(expr: Expr, looked: Looked): string {
  if (isOpaque(expr)) return printed(expr);
  const text = printed(expr, (leaf) => {
    if (isArithmetic(leaf)) return null;
    const plain = unwrapped(leaf);
    if (plain !== leaf && isArithmetic(plain)) return `(${filledIn(plain, looked)})`;
    return leaf.type === 'number' || isColumn(leaf) ? after(valueAt(leaf, looked)) : null;
  });
  return text.replaceAll(' × ', ' · ').replaceAll(' ÷ ', ' / ');
}

/** The letters of a part: what was compared, the columns that it reads at this step, and settings. */
function quantities(root: Expr, compared: Comparison | null, looked: Looked): readonly Quantity[] {
  const found = new Map<string, Quantity>();
  const add = (quantity: Quantity): void => void (found.has(quantity.symbol) || found.set(quantity.symbol, quantity));
  if (compared) quantitiesOf(compared).forEach(add);
  const settings: Quantity[] = [];
  for (const expr of exprsIn(root)) {
    if (expr.kind === 'column') add({ symbol: expr.name, value: valueAt(expr, looked), what: 'at this step' });
    if (expr.kind === 'bound' && isColumn(expr))
      add({ symbol: expr.name, value: valueAt(expr, looked), what: printed(expr.of) });
    if (expr.kind === 'number' && expr.name !== undefined)
      settings.push({ symbol: expr.name, value: expr.value, what: 'set in the formula' });
  }
  settings.forEach(add);
  return [...found.values()];
}
