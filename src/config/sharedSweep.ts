import * as v from 'valibot';
import { fail, ok, type Result } from '../core/problem.ts';
import { parse, type SettingValue } from '../core/settings.ts';
import { fieldAt, parseConfig, sameValue, setValue } from './schema.ts';
import type { Config } from './slots.ts';

/** A comparison in a link: what differs from its experiment, how often and how long each version trains. */
export type SharedSweep = {
  /** every combination of all values, or every value alone against the experiment as it is */
  readonly kind: 'grid' | 'single';
  readonly varied: readonly { readonly path: string; readonly values: readonly SettingValue[] }[];
  readonly seeds: number;
  /** what is equal in all versions, and how much of it */
  readonly match: 'updates' | 'gradientSteps' | 'environmentSteps' | 'seconds';
  readonly amount: number;
  readonly isSizeMatched: boolean;
};

/** Most runs that a link may ask for. */
export const MOST_SHARED = 256;

const whole = (most: number): v.GenericSchema<unknown, number> =>
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most));
const value = v.union([v.number(), v.string(), v.boolean(), v.array(v.number())]);
const schema = v.strictObject({
  k: v.picklist(['grid', 'single']),
  v: v.pipe(
    v.array(v.strictTuple([v.string(), v.pipe(v.array(value), v.minLength(1), v.maxLength(MOST_SHARED))])),
    v.minLength(1),
    v.maxLength(16),
  ),
  s: whole(MOST_SHARED),
  m: v.picklist(['updates', 'gradientSteps', 'environmentSteps', 'seconds']),
  n: whole(1e12),
  z: v.boolean(),
});

export const packSweep = ({ kind, varied, seeds, match, amount, isSizeMatched }: SharedSweep): unknown => ({
  ...{ k: kind, v: varied.map(({ path, values }) => [path, values]) },
  ...{ s: seeds, m: match, n: amount, z: isSizeMatched },
});

/** How many runs a comparison is, at most. */
export const runsOfSweep = ({ kind, varied, seeds }: SharedSweep): number =>
  seeds *
  (kind === 'grid'
    ? varied.reduce((n, { values }) => n * values.length, 1)
    : varied.reduce((n, { values }) => n + values.length, 1));

const bad = (detail: string): Result<never> => fail({ kind: 'linkRejected', reason: 'badValue', detail });

/** Reads the comparison of a stranger's link over its experiment. */
export function readSweep(raw: unknown, config: Config): Result<SharedSweep> {
  const parsed = parse(schema, raw);
  if (!parsed.ok) return bad('Its comparison does not have the form of one.');
  const { k: kind, v: rows, s: seeds, m: match, n: amount, z: isSizeMatched } = parsed.value;
  const varied = rows.map(([path, values]) => ({ path, values }));
  const sweep = { kind, varied, seeds, match, amount, isSizeMatched };
  // before any value is checked: each takes a check of the whole experiment, and a short link can ask for thousands
  if (runsOfSweep(sweep) > MOST_SHARED) return bad(`Its comparison asks for more than ${MOST_SHARED} runs.`);
  for (const [at, { path, values }] of varied.entries()) {
    const isTwice = varied.findIndex((other) => other.path === path) < at;
    if (!fieldAt(path) || path.startsWith('run.') || isTwice)
      return bad(`Its comparison varies “${path.slice(0, 60)}”, which cannot be.`);
    const isWrong = (one: SettingValue, n: number): boolean =>
      values.findIndex((other) => sameValue(one, other)) < n || !parseConfig(setValue(config, path, one)).ok;
    if (values.some(isWrong)) return bad(`A value of “${path}” in its comparison is impossible.`);
  }
  return ok(sweep);
}
