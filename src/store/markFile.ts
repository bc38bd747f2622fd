import * as v from 'valibot';
import { canonicalJson } from '../config/canonical.ts';
import { eventsOf } from '../config/events.ts';
import type { Config } from '../config/slots.ts';
import { parse } from '../core/settings.ts';
import { LAB_VERSION } from '../core/version.ts';
import type { Checkpoint } from '../engine/run.ts';
import type { SeriesPart } from '../engine/series.ts';
import { COLUMNS, inColumns, seedsOf } from '../lab/runs/soFar.ts';
import { revisionsOf } from '../lab/sweep/revisions.ts';
import { arraysOf, checkpointOf } from './checkpoints.ts';
import { pack, unpack } from './packed.ts';

const aboutSchema = v.object({
  version: v.string(),
  methods: v.record(v.string(), v.number()),
  columns: v.array(v.string()),
  changes: v.string(),
  ...{ update: v.number(), steps: v.number() },
});

/** What was changed before an update: the same curves until there may still lead to another state. */
const changesBefore = (config: Config, update: number): string =>
  canonicalJson(eventsOf(config).filter((event) => event.update < update));

/**
 * An earlier checkpoint of a run as the bytes of one file, with the curves of the last update before it and the changes until
 * there. These show which past it belongs to: a run that went back and took another turn has others.
 */
export function packMark(config: Config, { state, chain }: Checkpoint, row: SeriesPart): Uint8Array<ArrayBuffer> {
  const { update, steps } = state;
  const changes = changesBefore(config, update);
  const about = { version: LAB_VERSION, methods: revisionsOf(config), columns: COLUMNS, changes, update, steps };
  return pack({ about, arrays: { ...arraysOf({ state, chain }), values: row.values, times: row.steps } }, 0);
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.prototype.every.call(a, (x: number, k: number) => Object.is(x, b[k]));

/** A run as it continues; `rowOf`: its own curves of one update. */
type Continued = { readonly config: Config; readonly rowOf: (update: number) => SeriesPart };

/**
 * The checkpoint in these bytes. `damaged`: they cannot be used; `other`: they are of another past of the run, or of
 * methods that have another revision by now.
 */
export function readMark(bytes: Uint8Array, { config, rowOf }: Continued): Checkpoint | 'damaged' | 'other' {
  const found = unpack(bytes);
  if (!found.ok) return 'damaged';
  const { about, arrays } = found.packed;
  const parsed = parse(aboutSchema, about);
  const { values, times } = arrays;
  if (!parsed.ok || !(values instanceof Float32Array) || !(times instanceof Float64Array)) return 'damaged';
  const { methods, columns, changes, update, steps } = parsed.value;
  const now = revisionsOf(config);
  if (Object.keys({ ...methods, ...now }).some((name) => methods[name] !== now[name])) return 'other';
  if (changes !== changesBefore(config, update)) return 'other';
  const S = seedsOf(config).length;
  const row = inColumns({ from: update - 1, values, steps: times }, columns, S);
  const own = rowOf(update - 1);
  if (!isSame(row.values, own.values) || !isSame(row.steps, own.steps)) return 'other';
  return checkpointOf({ update, steps }, arrays, S) ?? 'damaged';
}
