import type { Column, CreditOps, GpuCredit, SetRule, Sets } from '../../types.ts';
import { columnNamed } from './columns.ts';
import type { Formula } from './formula.ts';
import type { Expr, Value } from './types.ts';

/**
 * A formula on the operations of columns: on plain arrays it is the definition, on a device it records kernels. Each
 * expression is computed once, however often its name stands in the text.
 */
export function evaluate(formula: Formula, ops: CreditOps): GpuCredit {
  const of = evaluatorOf(ops);
  const column = (expr: Expr): Column => of(expr) as Column; // checked: one number per step
  const { result, parts, target, readsValues } = formula;
  const named = parts.map(({ name, expr }) => [name, column(expr)] as const);
  const A = result ? column(result) : named.map(([, part]) => part).reduce((sum, part) => ops.zip('add', sum, part));
  const learned = target ? column(target) : readsValues ? targetOf(formula, ops) : null;
  return {
    A,
    ...(result ? {} : { parts: Object.fromEntries(named) }),
    ...(learned ? { target: learned } : {}),
  };
}

/** What the critic learns unless the formula says so: the target of its first gae, else that of gae(1, 0.95). */
function targetOf({ gae }: Formula, ops: CreditOps): Column {
  const { gamma, lambda, cut } = gae ?? { gamma: 1, lambda: 0.95, cut: 'bootstrap' as const };
  return ops.tdSums(gamma, lambda, cut).target;
}

/** Computes expressions, each of them once. */
export function evaluatorOf(plain: CreditOps): (expr: Expr) => Value {
  const ops = onceEach(plain);
  const known = new Map<Expr, Value>();
  const of = (expr: Expr): Value => {
    switch (expr.kind) {
      case 'number':
        return expr.value;
      case 'word':
        return expr.word;
      case 'bound':
        return of(expr.of);
      default: {
        const found = known.get(expr);
        if (found !== undefined) return found;
        const made = expr.kind === 'column' ? columnOn(ops, expr.name) : expr.operation.run(ops, valuesOf(expr.args));
        known.set(expr, made);
        return made;
      }
    }
  };
  const valuesOf = (args: Readonly<Record<string, Expr>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, of(arg)]));
  return of;
}

/** A column by its name: the few that operations have by themselves, else by the table. */
function columnOn(ops: CreditOps, name: string): Column {
  switch (name) {
    case 'outcome':
    case 'reward':
    case 'value':
    case 'entropy':
    case 'logp':
    case 'logpPhi':
      return ops[name];
    default:
      return ops.column(columnNamed(name)!.name);
  }
}

/** The same operations, with sets and sums of TD errors that are found once. */
function onceEach(ops: CreditOps): CreditOps {
  const sets = new Map<string, Sets>();
  const sums = new Map<string, ReturnType<CreditOps['tdSums']>>();
  const once = <T>(known: Map<string, T>, key: string, make: () => T): T => {
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
  const own: Partial<CreditOps> = {
    sets: (rule: SetRule) => once(sets, `${rule.of} ${rule.past}`, () => ops.sets(rule)),
    tdSums: (gamma, lambda, cut) => once(sums, `${gamma} ${lambda} ${cut}`, () => ops.tdSums(gamma, lambda, cut)),
  };
  return new Proxy(ops, {
    get(target, name) {
      const replaced = own[name as keyof CreditOps];
      if (replaced !== undefined) return replaced;
      const field: unknown = Reflect.get(target, name, target);
      return typeof field === 'function' ? (field as (...args: unknown[]) => unknown).bind(target) : field;
    },
  });
}
