import { assert } from '../../core/assert.ts';
import { columnNames, columnOf, isColumn, type Batch, type ExtraField } from '../../contract/columns.ts';

/** How a sentence names a column that not every run has; null: every run has it, or it is none. */
const wordsOf = (name: string): string | null => (isColumn(name) ? (columnOf(name).words ?? null) : null);

/** Columns that the engine computes where a module needs them. */
export const recorded: readonly string[] = columnNames.filter((name) => columnOf(name).made === 'need');

/** What a module needs and nobody produces, in words; null if there is nothing. */
export function missingNames(needs: readonly string[], produced: readonly string[] = recorded): string | null {
  const missing = needs.filter((name) => !produced.includes(name)).map(wordsOf);
  const names = [...new Set(missing.filter((words) => words !== null))];
  return names.length === 0 ? null : names.join(' and ');
}

/** The same as one sentence; null if the method can run. */
export function missingData(
  { title, needs }: { readonly title: string; readonly needs: readonly string[] },
  produced: readonly string[] = [],
): string | null {
  const names = missingNames(needs, produced);
  return names === null ? null : `${title} needs ${names}, which this experiment does not record`;
}

/** An optional array that the method said it needs. The form refuses the method where it does not exist. */
export function given<F extends ExtraField>(batch: Pick<Batch, F>, name: F): NonNullable<Batch[F]> {
  const value = batch[name];
  assert(value !== undefined, `The batch does not hold ${wordsOf(name) ?? name}.`);
  return value as NonNullable<Batch[F]>; // the assertion does not narrow an indexed type
}
