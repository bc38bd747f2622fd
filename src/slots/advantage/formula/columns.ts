import { columnNames, columnOf, isMade, type BatchField, type ColumnName } from '../../../contract/columns.ts';
import type { ColumnSpec } from '../../../contract/columnTable.ts';

/** A column of the batch as formulas know it. */
export type FormulaColumn = {
  readonly name: BatchField;
  /** one number per episode (a column per task gives each episode that of its task) or per step */
  readonly type: 'row' | 'step';
  /** one number per task in the batch itself */
  readonly isPerTask: boolean;
  /** not every run has it: it is made where it is needed */
  readonly isExtra: boolean;
  /** a run on WebGPU has it on the device as f32; else such a formula is computed on the CPU */
  readonly onGpu: boolean;
};

/** Those that a device holds for estimators though the table gives them no section of their own. */
const GIVEN: readonly string[] = ['logpPhi'];

function described(name: ColumnName, spec: ColumnSpec): readonly FormulaColumn[] {
  const { per, width, type, device, isLabel } = spec;
  const isOne = width === undefined && (per === 'row' || per === 'task' || per === 'step' || per === 'stepAndEnd');
  if (!isOne || spec.inner || isLabel || isMade(name)) return [];
  const onGpu = type === 'f32' && (device !== undefined || per === 'task' || GIVEN.includes(name));
  const of = per === 'row' || per === 'task' ? 'row' : 'step';
  const made = { isPerTask: per === 'task', isExtra: spec.made !== 'always', onGpu };
  return [{ name: name as BatchField, type: of, ...made }]; // it is no inner one
}

/**
 * All columns that a formula may name: those of the table of columns with one number per task, row or step, save labels, with
 * which nothing is computed. Of a column that also knows the state after the last step a formula sees the state before each.
 */
export const formulaColumns: readonly FormulaColumn[] = columnNames.flatMap((name) => described(name, columnOf(name)));

export const columnNamed = (name: string): FormulaColumn | undefined =>
  formulaColumns.find((column) => column.name === name);
