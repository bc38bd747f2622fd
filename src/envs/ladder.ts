import { rungOf } from '../contract/taskContext.ts';
import type { AnyValues } from '../core/settings.ts';

/**
 * A kind of level whose difficulty is a row of a table: what each row changes in the settings of the task, the easiest
 * first. All levels of all families have the same size, so that one policy sees them all.
 */
export type Family = { readonly id: string; readonly title: string; readonly rows: readonly AnyValues[] };

/** Most families of a task, each with a metric of its own, and most rows of a family; a level seed has 3 and 5 bits for them. */
export const LADDER = { families: 5, rows: 30 } as const;

/** Why a table of states cannot serve a ladder. */
export const NOT_NUMBERED = 'has levels with different states, which no table can number; use a neural network';

/** The settings of a task at the rung of a level seed. */
export function climbed(settings: AnyValues, families: readonly Family[], levelSeed: number): AnyValues {
  const { family, row } = rungOf(
    levelSeed,
    families.map(({ rows }) => rows.length),
  );
  return { ...settings, ...families[family]!.rows[row] };
}
