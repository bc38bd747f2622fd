import { Gathering, type Measurements } from '../lab/runs/measured.ts';
import type { RunCurves } from '../lab/runs/record.ts';
import { PART, partsOf } from './curveParts.ts';
import { open } from './database.ts';

type Asked = { readonly id: string; readonly isBefore?: boolean };
type Older = NonNullable<RunCurves['older']>;
/** A run whose first updates are in parts, and the columns of its curves. */
type Long = { readonly id: string; readonly older: Older; readonly columns: readonly string[] };

/** Seeds of a run that are read together: their parts are the same, and what is found of each is in memory until the end. */
const AT_ONCE = 16;

const curvesOf = async (id: string): Promise<RunCurves | undefined> => (await open()).get('curves', id);

/**
 * One metric of each of these runs, in any order; null: a run has no curves, or not this metric. Curves are read one after
 * the other, those in parts part after part, and only the metric is kept of them.
 */
export async function* metricOf(
  ids: readonly string[],
  { id: metric, isBefore = false }: Asked,
): AsyncGenerator<readonly [run: string, Measurements | null]> {
  const long = new Map<string, Long[]>();
  for (const id of ids) {
    const { columns = [], older, part } = (await curvesOf(id)) ?? {};
    const column = columns.indexOf(metric);
    if (column < 0) yield [id, null];
    else if (older) {
      const key = `${older.run} ${older.S} ${older.stored.sums.join()} ${columns.join()}`;
      long.set(key, [...(long.get(key) ?? []), { id, older, columns }]);
    } else {
      const gathering = new Gathering(column, isBefore);
      gathering.take(part!, columns.length);
      yield [id, gathering.found];
    }
  }
  for (const runs of long.values())
    for (let k = 0; k < runs.length; k += AT_ONCE) yield* inParts(runs.slice(k, k + AT_ONCE), metric, isBefore);
}

/** The same of seeds of one run, whose parts are read once. */
async function* inParts(
  runs: readonly Long[],
  metric: string,
  isBefore: boolean,
): AsyncGenerator<readonly [run: string, Measurements]> {
  const { older, columns } = runs[0]!;
  const gathered = runs.map(() => new Gathering(columns.indexOf(metric), isBefore));
  for await (const found of partsOf(older.run, older.stored))
    for (const [k, gathering] of gathered.entries())
      if (found) gathering.take(found, columns.length, older.S, runs[k]!.older.s);
      else gathering.skip(PART);
  for (const [k, gathering] of gathered.entries()) {
    const { id } = runs[k]!;
    // the newest updates, as they are with these parts
    const now = await curvesOf(id);
    if (now?.older?.stored.until === older.stored.until) gathering.take(now.part, columns.length);
    yield [id, gathering.found];
  }
}
