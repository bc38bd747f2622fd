import type { Fault, Span } from './syntax.ts';
import type { Expr, FormulaType, Operation, Parameter } from './types.ts';

/** A type in words. */
export const typeWords: Readonly<Record<FormulaType, string>> = {
  number: 'a number',
  row: 'one number per episode',
  step: 'one number per step',
  sets: 'sets of steps',
  levels: 'weighted sets of steps',
  word: 'a word',
};

const wanted: Readonly<Record<Parameter['type'], string>> = {
  ...typeWords,
  value: 'a number or a column',
  column: 'a column',
};

export function nameFault(name: string, at: Span, near: string | null): Fault {
  return {
    at,
    message: `${name} is not known here`,
    hint: near ? `did you mean ${near}?` : `name it before: ${name} = …`,
  };
}

/** An argument of another type than its parameter takes. */
export function typeFault(operation: Operation, parameter: Parameter, { at, type }: Expr): Fault {
  const place = operation.parameters.length > 1 ? ` as ${parameter.name}` : '';
  const message = `${operation.name} takes ${wanted[parameter.type]}${place}, and this is ${typeWords[type]}`;
  const hint =
    parameter.type === 'sets'
      ? 'write sets(state), sets(edge) or sets(time)'
      : parameter.type === 'levels'
        ? 'write levels(2) or level(sets(state), 1)'
        : type === 'sets'
          ? 'compare within sets by normalizeSets(x, sets) or meanOver(x, sets)'
          : parameter.type === 'row' && type === 'step'
            ? 'outcome is one number per episode'
            : undefined;
  return { at, message, ...(hint ? { hint } : {}) };
}
