/**
 * Rows of a batch: one line each, of which `taskIndex` alone says to what group it belongs. Groups may be unequal.
 * Estimators, objectives and metrics ask a row whether it `trains` and whether it is `measured`, never why.
 */

/** Where a row comes from. The column `origin` holds its place in this list. */
export const ORIGINS = ['own', 'late', 'fork', 'replay', 'peer', 'demo', 'hint', 'search'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Metrics of the policy and success curves count these; forked ones share their prefix, so a root and its forks are one cluster. */
const MEASURED: ReadonlySet<Origin> = new Set(['own', 'late', 'fork']);

/** Whether rows of an origin are measured, given its place in ORIGINS. */
export const countsOrigin = (origin: number): boolean => MEASURED.has(ORIGINS[origin]!);

export const originOf = (origin: Origin): number => ORIGINS.indexOf(origin);

/** One row, as a rollout scheme plans it. */
export type RowPlan = {
  /** group, 0 ≤ task < P */
  readonly task: number;
  readonly origin: Origin;
  /** row that it continues from before step `branchStep`: that row's prefix is stored again in this one */
  readonly parent?: number;
  readonly branchStep?: number;
  /** of a fork: bits of the actions that it does not begin with, unless no other is legal */
  readonly without?: number;
  /** actions that are played in place of the policy's, from the first step on */
  readonly actions?: readonly number[];
  /** bits of the actions of which it takes the most likely one wherever one of them is legal; of equal ones the first */
  readonly likely?: number;
  /** chance of the world that it is played with, as where these actions come from; its own where it is not said */
  readonly episodeSeed?: number;
  /** does it train (yes), and do metrics of the policy count it (as its origin says)? */
  readonly trains?: boolean;
  readonly measured?: boolean;
};

/** Columns of rows that only some schemes make; where they are missing or empty every row is an ordinary one. */
type RowColumns = {
  readonly measured?: ArrayLike<number> | undefined;
  readonly trains?: ArrayLike<number> | undefined;
};

/** True if metrics of the policy and success curves count a row. */
export const isMeasured = ({ measured }: Pick<RowColumns, 'measured'>, row: number): boolean => measured?.[row] !== 0;

/** Numbers of the columns of a planned row. */
export function columnsOfRow({
  origin,
  trains = true,
  measured,
}: RowPlan): Readonly<Record<(typeof ROW_COLUMNS)[number], number>> {
  const at = originOf(origin);
  return { origin: at, trains: Number(trains), measured: Number(measured ?? countsOrigin(at)) };
}

/** Columns that a scheme makes whose rows are not all of the policy's own from the start. */
export const ROW_COLUMNS = ['origin', 'measured', 'trains'] as const;

/** Columns that a scheme makes whose rows may continue from others. */
export const BRANCH_COLUMNS = ['branchParent', 'branchStep'] as const;
