import * as v from 'valibot';
import { SCHEMA_VERSION } from '../../config/schema.ts';
import { parse } from '../../core/settings.ts';
import { TRAINED_ON, type TrainedOn } from '../../core/trainedOn.ts';

export const RUN_KIND = 'horizon-lab run';
export const SWEEP_KIND = 'horizon-lab sweep';
const VERSION = 1;

/** What a run bundle says of itself. */
export type Manifest = {
  readonly kind: typeof RUN_KIND;
  readonly version: number;
  /** version of the schema of its config */
  readonly schema: number;
  /** version of the lab that trained it, and the commit where that is known */
  readonly lab: string;
  readonly commit: string | null;
  readonly title: string;
  readonly note: string;
  /** when the bundle was written */
  readonly createdAt: string;
  readonly backend: TrainedOn;
  /** the device or path in words */
  readonly adapter: string;
  readonly seconds: number | null;
  readonly updates: number;
  readonly seeds: readonly number[];
  readonly digests: {
    /** short name of the experiment */
    readonly config: string;
    /** exact digest of all seeds, and the chain of each; null where only the first is known */
    readonly exact: string;
    readonly perSeed: readonly string[] | null;
    /** second level: see config/expect.ts */
    readonly summary: string;
  };
  /** DOI of an archive that it was deposited in */
  readonly doi: string | null;
  /** SHA-256 of every other file */
  readonly files: Readonly<Record<string, string>>;
};

const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const words = (most: number): v.GenericSchema<unknown, string> => v.pipe(v.string(), v.maxLength(most));
const count = (most: number): v.GenericSchema<unknown, number> =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));

const schema = v.strictObject({
  kind: v.literal(RUN_KIND),
  version: v.literal(VERSION),
  schema: v.pipe(count(9999), v.minValue(1)),
  lab: v.pipe(v.string(), v.regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/)),
  commit: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{7,64}$/))),
  title: words(120),
  note: words(1000),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  backend: v.picklist(TRAINED_ON),
  adapter: words(200),
  seconds: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1e9))),
  updates: v.pipe(count(20_000), v.minValue(1)),
  seeds: v.pipe(v.array(count(2 ** 32 - 1)), v.minLength(1), v.maxLength(256)),
  digests: v.strictObject({
    config: v.pipe(v.string(), v.regex(/^[a-z2-7]{10}$/)),
    exact: hex,
    perSeed: v.nullable(v.array(hex)),
    summary: words(120),
  }),
  doi: v.nullable(v.pipe(v.string(), v.regex(/^10\.\d{4,9}\/[\w.()/:;-]{1,100}$/))),
  files: v.record(v.string(), hex),
});

export const newManifest = (facts: Omit<Manifest, 'kind' | 'version' | 'schema'>): Manifest => ({
  ...{ kind: RUN_KIND, version: VERSION, schema: SCHEMA_VERSION },
  ...facts,
});

/** Reads the manifest of a stranger. A text is the sentence of what is wrong with it. */
export function readManifest(raw: unknown): Manifest | string {
  const { kind, version } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  if (kind !== RUN_KIND) return 'It is not the bundle of a run.';
  if (typeof version === 'number' && version > VERSION) return 'It was written by a newer version of the lab.';
  const parsed = parse<Manifest>(schema, raw);
  if (!parsed.ok) return `Its manifest has something wrong at “${parsed.issues[0]!.path.slice(0, 60)}”.`;
  if (parsed.value.schema > SCHEMA_VERSION) return 'It was written by a newer version of the lab.';
  return parsed.value;
}
