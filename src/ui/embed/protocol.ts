import * as v from 'valibot';
import { EMBED_THEMES, EMBED_VIEWS } from './embedAddress.ts';

// `union`, where `variant` would do: the first load of the lab has it already, and valibot is one file
/** Every message is JSON in a string and names this; a version that changes a message has another name. */
export const PROTOCOL = 'lab/1';
export const LIMITS = { bytes: 64 * 1024, perSecond: 20, metricsPerSecond: 4 } as const;

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const count = (most = 1_000_000) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));
const name = v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/));

const message = <T extends string, F extends v.ObjectEntries>(type: T, fields: F) =>
  v.strictObject({
    lab: v.literal(PROTOCOL),
    type: v.literal(type),
    // the host numbers what it wants an answer to
    re: v.optional(count(1_000_000_000)),
    ...fields,
  });

export const WHATS = ['state', 'metrics', 'link', 'digest', 'svg'] as const;
const what = v.picklist(WHATS);
const OVERLAYS = ['policy', 'visits', 'credit', 'entropy', 'change'] as const;

/** What the host may say. */
const fromHost = v.union([
  message('hello', { nonce: name }),
  message('load', { payload: text(16_384) }),
  message('run', {}),
  message('pause', {}),
  message('step', { slot: v.optional(name) }),
  message('seek', { update: count() }),
  message('select', { trajectory: count(), step: count() }),
  message('view', {
    overlay: v.optional(v.picklist(OVERLAYS)),
    replica: v.optional(count(1000)),
    theme: v.optional(v.picklist(EMBED_THEMES)),
    metrics: v.optional(v.pipe(v.array(name), v.minLength(1), v.maxLength(6))),
    updatesPerSecond: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0.1), v.maxValue(10_000)))),
  }),
  message('get', { what }),
]);

const state = v.strictObject({
  state: v.picklist(['empty', 'ready', 'running', 'paused', 'finished', 'failed']),
  update: count(),
  updates: count(),
  experiment: text(200),
  isSeen: v.boolean(),
  waitsForSight: v.boolean(),
  ignored: count(),
});
const values = v.record(name, v.nullable(v.number()));
const digest = v.strictObject({ config: text(20), result: text(80), update: count() });

/** What the frame says. */
const toHost = v.union([
  message('ready', { version: text(40), views: v.array(v.picklist(EMBED_VIEWS)), nonce: v.optional(name) }),
  // what the run does, by itself whenever that changes; and whatever was asked for by `get`
  message('state', {
    what,
    value: v.union([state, v.strictObject({ update: count(), values }), text(65_000), digest]),
  }),
  message('metric', { update: count(), values }),
  message('selected', { trajectory: count(), step: count() }),
  message('check', { lesson: name, id: text(140), passed: v.boolean(), value: v.nullable(v.number()) }),
  message('done', { digest }),
  message('resize', { height: count(100_000) }),
  message('error', { id: name, text: text(2_000) }),
]);

type Bare<T> = T extends { lab: unknown } ? Omit<T, 'lab'> : never;
export type FromHost = v.InferOutput<typeof fromHost>;
export type ToHost = Bare<v.InferOutput<typeof toHost>>;
export type StateNow = v.InferOutput<typeof state>;

const bytesOf = (words: string): number => new TextEncoder().encode(words).length;

/** A message of the host; null if it is none, for whatever reason. Never throws, whatever it is given. */
export function readMessage(data: unknown): FromHost | null {
  if (typeof data !== 'string' || data.length > LIMITS.bytes || bytesOf(data) > LIMITS.bytes) return null;
  try {
    const read = v.safeParse(fromHost, JSON.parse(data));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

/** A message to the host as it is sent; null where it is larger than a message may be. Throws on one that is not in the list. */
export function writeMessage(said: ToHost): string | null {
  const checked = v.safeParse(toHost, { lab: PROTOCOL, ...said });
  if (!checked.success) throw new Error(`“${said.type}” is not said like this: ${checked.issues[0].message}`);
  const written = JSON.stringify(checked.output);
  return bytesOf(written) > LIMITS.bytes ? null : written;
}
