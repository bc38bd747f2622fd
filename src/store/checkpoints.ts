import * as v from 'valibot';
import { readDraft } from '../config/migrations.ts';
import { problemText } from '../config/problems.ts';
import { SCHEMA_VERSION } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { LAB_VERSION } from '../core/version.ts';
import type { NumberArray } from '../contract/numbers.ts';
import { parse } from '../core/settings.ts';
import { TRAINED_ON, type TrainedOn } from '../core/trainedOn.ts';
import type { Checkpoint } from '../engine/run.ts';
import type { SeriesPart } from '../engine/series.ts';
import { COLUMNS, inColumns, seedsOf } from '../lab/runs/soFar.ts';
import { revisionsOf } from '../lab/sweep/revisions.ts';
import { NOTHING, type Stored } from './curveParts.ts';
import type { Packed } from './packed.ts';

/** Everything that a run needs to continue as if it had never stopped, and its curves until there. */
export type KeptCheckpoint = {
  readonly config: Config;
  readonly checkpoint: Checkpoint;
  /** every update from the first on, but for those that are stored in parts */
  readonly curves: SeriesPart;
  readonly stored?: Stored | undefined;
  readonly backend: TrainedOn;
  /** it trained when this was written */
  readonly isRunning: boolean;
  /** that it has trained, of a run of a comparison */
  readonly seconds?: number | undefined;
};

const STATE = 'state.';
const LINK = 'chain.';

const storedSchema = v.object({ until: v.number(), sums: v.array(v.number()) });
const aboutSchema = v.object({
  version: v.string(),
  draft: v.object({ version: v.number(), config: v.record(v.string(), v.unknown()) }),
  methods: v.record(v.string(), v.number()),
  columns: v.array(v.string()),
  ...{ update: v.number(), steps: v.number(), backend: v.picklist(TRAINED_ON), isRunning: v.boolean() },
  seconds: v.optional(v.number()),
  stored: v.optional(storedSchema),
});

/** As what a file holds: the tensors of the state by their names, the links of the digest chain, the curves. */
export function packCheckpoint(kept: KeptCheckpoint): Packed {
  const { config, checkpoint, curves, stored, backend, isRunning, seconds } = kept;
  const { update, steps } = checkpoint.state;
  return {
    about: {
      ...{ version: LAB_VERSION, draft: { version: SCHEMA_VERSION, config }, methods: revisionsOf(config) },
      ...{ columns: COLUMNS, update, steps, backend, isRunning, seconds, stored },
    },
    arrays: {
      ...arraysOf(checkpoint),
      ...{ values: curves.values, times: curves.steps },
    },
  };
}

/** The tensors of the state and the links of the digest chain under names that do not meet. */
export function arraysOf({ state, chain }: Checkpoint): Record<string, NumberArray> {
  const tensors = Object.entries(state.tensors).map(([name, array]) => [STATE + name, array] as const);
  return Object.fromEntries([...tensors, ...chain.map((link, s) => [LINK + s, link] as const)]);
}

/** The checkpoint of S replicas that these arrays are; null where a link of the chain is missing. */
export function checkpointOf(
  { update, steps }: { readonly update: number; readonly steps: number },
  arrays: Packed['arrays'],
  S: number,
): Checkpoint | null {
  const chain = Array.from({ length: S }, (_, s) => arrays[LINK + s]);
  if (!chain.every((link) => link instanceof Uint8Array)) return null;
  const states = Object.entries(arrays).filter(([name]) => name.startsWith(STATE));
  const tensors = Object.fromEntries(states.map(([name, array]) => [name.slice(STATE.length), array]));
  return { state: { update, steps, tensors }, chain };
}

/** `columns`: what the numbers of stored parts are. */
export type ReadCheckpoint =
  | ({ readonly ok: true; readonly columns: readonly string[]; readonly stored: Stored } & KeptCheckpoint)
  | { readonly ok: false; readonly why: string };

const refused = (why: string): ReadCheckpoint => ({ ok: false, why });

/** What a file holds, as this version trains it on; or the sentence of why it would not be the same run any more. */
export function readCheckpoint({ about, arrays }: Packed): ReadCheckpoint {
  const parsed = parse(aboutSchema, about);
  if (!parsed.ok) return refused('Its description has another form.');
  const { version, draft, methods, columns, update, steps, backend, isRunning, seconds } = parsed.value;
  const { stored = NOTHING } = parsed.value;
  const read = readDraft(draft);
  if (!read.ok) return refused(problemText(read.problem).sentence);
  const config = read.value;
  const now = revisionsOf(config);
  const changed = Object.keys({ ...methods, ...now }).find((name) => methods[name] !== now[name]);
  if (changed !== undefined)
    return refused(`It was trained by version ${version} of the lab, with another revision of ${changed}.`);
  const { values, times } = arrays;
  if (!(values instanceof Float32Array) || !(times instanceof Float64Array) || stored.until + times.length !== update)
    return refused('Its curves are missing.');
  const S = seedsOf(config).length;
  const checkpoint = checkpointOf({ update, steps }, arrays, S);
  if (!checkpoint) return refused('Its digest is missing.');
  const part = { from: stored.until, values, steps: times };
  return {
    ok: true,
    ...{ config, checkpoint, curves: inColumns(part, columns, S) },
    ...{ backend, isRunning, seconds, stored, columns },
  };
}
