import type { Config } from '../../../config/slots.ts';
import type { AnyValues, Settings, ValuesOf } from '../../../core/settings.ts';
import type { Plan } from '../../../engine/plan.ts';
import type { Run } from '../../../engine/run.ts';

/** One line of what was measured: a name, a number, or null where there is nothing to measure. */
export type MeasuredRow = readonly (string | number | null)[];

/** Follows one run. What it does changes nothing of the run. */
export type Observer = {
  /** between two updates; the newest batch is that of the last one */
  readonly after: (run: Run) => Promise<void>;
  readonly rows: () => readonly MeasuredRow[];
};

/**
 * What is measured beside a cell of a sweep and stands in none of its metrics: one file, and one line in the registry. The
 * cell stays the same, bit for bit; the rows are a file beside its own.
 */
export type Measure<S extends Settings = Settings> = {
  /** name of the file and of the export; stands in descriptions and in the files of cells */
  readonly id: string;
  readonly title: string;
  /** goes up when the numbers change */
  readonly rev: number;
  /** what it does, for the docs */
  readonly doc: string;
  readonly params: S;
  readonly columns: readonly string[];
  /** revisions of the modules that it asks besides those that the cell trains with, by full name */
  uses(config: Config, params: ValuesOf<S>): Readonly<Record<string, number>>;
  /** why it cannot be had in a cell, as one sentence; null if it can */
  refusal(plan: Plan, params: ValuesOf<S>): string | null;
  begin(plan: Plan, params: ValuesOf<S>): Observer;
};

/** The identity; it infers the type of the settings. */
export function defineMeasure<const S extends Settings>(measure: Measure<S>): Measure {
  return measure as unknown as Measure;
}

/** A measure as a description asks for it: its settings stand beside its name, those left out have their defaults. */
export type AskedMeasure = { readonly method: string } & AnyValues;

/** The measure of a cell. */
export type CellMeasure = {
  readonly id: string;
  readonly params: AnyValues;
  /** digest of the measure, its settings, and the revisions of what it asks: its part of the name of the file */
  readonly address: string;
};
