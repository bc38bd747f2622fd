import type { BatchField } from '../../../contract/columns.ts';
import type { Column, CreditOps, Level, Sets } from '../../types.ts';
import type { Span } from './syntax.ts';

/**
 * What an expression is: a number that is known when the formula is read; one number per episode (`row`) or per step; sets of
 * steps; weighted sets; a word that chooses.
 */
export type FormulaType = 'number' | 'row' | 'step' | 'sets' | 'levels' | 'word';

/** What an expression becomes on a batch. */
export type Value = number | string | Column | Sets | readonly Level[];

/** A checked expression. Two places that mean the same bound name hold the same object. */
export type Expr = { readonly at: Span; readonly type: FormulaType } & (
  | { readonly kind: 'number'; readonly value: number; readonly name?: string }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'bound'; readonly name: string; readonly of: Expr }
  | { readonly kind: 'call'; readonly operation: Operation; readonly args: Readonly<Record<string, Expr>> }
);
export type CallExpr = Extract<Expr, { kind: 'call' }>;

/**
 * What a parameter takes. `value`: a number or a column, as it is; `column`: a column, and a number counts for every step;
 * `step`: the same, and a number per episode counts for all its steps; `row`: a number per episode only.
 */
export type ParameterType = 'number' | 'value' | 'column' | 'step' | 'row' | 'sets' | 'levels' | 'word';
export type Parameter = {
  readonly name: string;
  readonly type: ParameterType;
  /** the words it may be */
  readonly words?: readonly string[];
  /** bounds of a number, and whether it has to be whole */
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  /** left out it is this; without it, it has to be given */
  readonly default?: number | string;
  /** takes any number of arguments, at least one; its arguments are named `levels 0`, `levels 1` … */
  readonly isMany?: boolean;
};

export type Args = Readonly<Record<string, Value>>;

/** One operation of the language: the checker, completion, the page of the docs and the tests read this record. */
export type Operation = {
  readonly name: string;
  /** where it stands in the table of the docs */
  readonly group: 'arithmetic' | 'time' | 'comparison' | 'sets' | 'batch';
  readonly parameters: readonly Parameter[];
  /** `widest`: that of its widest argument; `first`: that of its first */
  readonly result: FormulaType | 'widest' | 'first';
  readonly doc: string;
  /** an expression that uses it and is well typed */
  readonly example: string;
  /** columns of the batch that it reads beside its arguments and `length` */
  readonly reads?: (words: Readonly<Record<string, string>>) => readonly BatchField[];
  /** the same on plain numbers, where all arguments are numbers */
  readonly fold?: (...x: readonly number[]) => number;
  readonly run: (ops: CreditOps, args: Args) => Value;
};
