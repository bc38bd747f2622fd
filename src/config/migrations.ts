import defaults1 from './defaults/1.json' with { type: 'json' };
import { defaultConfig } from './schema.ts';
import type { Config } from './slots.ts';

type Json = { [name: string]: unknown };

/** Defaults of every released schema version, kept for ever: a link is a difference to them. */
const frozen: Readonly<Record<number, Json>> = { 1: defaults1 };

/** steps[n] turns a full config of version n into one of version n + 1. Pure. None yet. */
const steps: Readonly<Record<number, (config: Json) => Json>> = {};

/**
 * The frozen defaults of a version. Fields that came later (a new method and its settings) are filled in from today's
 * defaults: a config that was made before them does not use them.
 */
export function defaultsOfVersion(version: number): Config {
  return fill(frozen[version] ?? {}, defaultConfig() as unknown as Json) as unknown as Config;
}

function fill(old: Json, live: Json): Json {
  const result: Json = { ...old };
  for (const [name, value] of Object.entries(live)) {
    if (!Object.hasOwn(old, name)) result[name] = value;
    else if (isRecord(value) && isRecord(old[name])) result[name] = fill(old[name], value);
  }
  return result;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Carries a full config of an older version up to the current one. */
export function migrate(config: Json, version: number, chain: typeof steps = steps): Json {
  let result = config;
  for (let n = version; Object.hasOwn(chain, n); n++) result = chain[n]!(result);
  return result;
}
