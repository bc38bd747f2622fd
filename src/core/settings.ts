import * as v from 'valibot';
import type { ConfigIssue } from './problem.ts';

/**
 * A setting is written once, here; form, link check, docs, command line and tests read it.
 * `doc` is one sentence of at most 90 characters for someone who has not read the paper.
 */
type Common = {
  readonly label: string;
  readonly doc: string;
  readonly unit?: string;
  /** may be changed in the middle of a run */
  readonly live?: boolean;
  /** formula in plain Unicode, shown in the help */
  readonly formula?: string;
  /** heading of a fold in the form, for what few people change; settings of one heading stand together */
  readonly group?: string;
  /** shown only when this sibling setting has one of these values */
  readonly when?: { readonly setting: string; readonly is: readonly (string | boolean)[] };
};
export type NumberSetting = Common & {
  readonly kind: 'number' | 'integer';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly scale?: 'log';
  /** the config holds whole parts, this many to the 1 that people read and type: 1000 where it counts thousandths */
  readonly per?: number;
};
export type ChoiceSetting = Common & {
  readonly kind: 'choice';
  readonly default: string;
  readonly options: readonly string[];
  readonly optionLabels?: readonly string[];
};
export type SwitchSetting = Common & { readonly kind: 'switch'; readonly default: boolean };
export type TextSetting = Common & { readonly kind: 'text'; readonly default: string; readonly maxLength: number };
export type IntegersSetting = Common & {
  readonly kind: 'integers';
  readonly default: readonly number[];
  readonly min: number;
  readonly max: number;
  readonly minItems: number;
  readonly maxItems: number;
};
export type Setting = NumberSetting | ChoiceSetting | SwitchSetting | TextSetting | IntegersSetting;
export type Settings = { readonly [name: string]: Setting };
export type SettingValue = number | string | boolean | readonly number[];

type ValueOf<S extends Setting> = S extends { kind: 'number' | 'integer' }
  ? number
  : S extends { kind: 'choice'; options: readonly (infer O)[] }
    ? O
    : S extends { kind: 'switch' }
      ? boolean
      : S extends { kind: 'integers' }
        ? readonly number[]
        : string;
/** The record of values that belongs to a record of settings. */
export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: ValueOf<S[K]> };
/** Values when the concrete settings are not known, as in generic code over a registry. */
export type AnyValues = { readonly [name: string]: SettingValue };

/** Keeps the literal types of choices, so that `ValuesOf` knows the options. */
export function settings<const S extends Settings>(record: S): S {
  return record;
}

function schemaOf(setting: Setting): v.GenericSchema {
  switch (setting.kind) {
    case 'number':
    case 'integer': {
      const range = `must be between ${setting.min} and ${setting.max}${setting.per ? ` (${setting.per} is 1.0)` : ''}`;
      const number = v.pipe(
        v.number('must be a number'),
        v.finite('must be a finite number'),
        v.minValue(setting.min, range),
        v.maxValue(setting.max, range),
      );
      return setting.kind === 'integer'
        ? v.pipe(number, v.integer('must be a whole number'), v.metadata({ setting }))
        : v.pipe(number, v.metadata({ setting }));
    }
    case 'choice':
      return v.pipe(
        v.picklist(setting.options, `must be one of ${setting.options.join(', ')}`),
        v.metadata({ setting }),
      );
    case 'switch':
      return v.pipe(v.boolean('must be on or off'), v.metadata({ setting }));
    case 'text':
      return v.pipe(
        v.string('must be text'),
        v.maxLength(setting.maxLength, `must have at most ${setting.maxLength} characters`),
        v.metadata({ setting }),
      );
    case 'integers':
      return v.pipe(
        v.array(
          v.pipe(
            v.number('must be whole numbers'),
            v.integer('must be whole numbers'),
            v.minValue(setting.min, `each must be at least ${setting.min}`),
            v.maxValue(setting.max, `each must be at most ${setting.max}`),
          ),
          'must be a list of whole numbers',
        ),
        v.minLength(setting.minItems, `needs at least ${setting.minItems} entries`),
        v.maxLength(setting.maxItems, `may have at most ${setting.maxItems} entries`),
        v.metadata({ setting }),
      );
  }
}

/** The valibot schema of a record of settings: every key required, no other key allowed. */
export function settingsSchema(record: Settings): v.GenericSchema {
  return v.strictObject(Object.fromEntries(Object.entries(record).map(([name, setting]) => [name, schemaOf(setting)])));
}

/** A number of the config as people read it: 1500 thousandths are 1.5. */
export const shownNumber = ({ per = 1 }: Pick<NumberSetting, 'per'>, held: number): number => held / per;

/** A number as people type it, as the config holds it: 0.29 is 290 thousandths, whatever the rounding of 0.29. */
export const heldNumber = ({ per = 1 }: Pick<NumberSetting, 'per'>, shown: number): number =>
  per === 1 ? shown : Number((shown * per).toPrecision(12));

/** The default of every setting; lists are copies. */
export function defaultsOf<S extends Settings>(record: S): ValuesOf<S> {
  return Object.fromEntries(
    Object.entries(record).map(([name, s]) => [name, s.kind === 'integers' ? [...s.default] : s.default]),
  ) as ValuesOf<S>;
}

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly ConfigIssue[] };

/**
 * Reads an untrusted value. Never throws, reports every issue with its path, reads own keys only.
 * A value that parses once parses again to the same value.
 */
export function parse<T>(schema: v.GenericSchema<unknown, T>, raw: unknown): Parsed<T> {
  const plain = plainCopy(raw, 0);
  if (plain === REFUSED) {
    return { ok: false, issues: [{ path: '', message: 'is nested too deeply or has a forbidden name' }] };
  }
  const result = v.safeParse(schema, plain);
  if (result.success) return { ok: true, value: result.output };
  return {
    ok: false,
    issues: result.issues.map((issue) => ({
      path: v.getDotPath(issue) ?? '',
      message: issue.type === 'strict_object' ? strictMessage(issue) : issue.message,
    })),
  };
}

function strictMessage(issue: v.BaseIssue<unknown>): string {
  return issue.expected === 'never'
    ? 'is not a known field'
    : issue.input === undefined
      ? 'is missing'
      : 'must be a group of fields';
}

const REFUSED = Symbol('refused');

/** A copy from own enumerable keys only, without a prototype to pollute. */
function plainCopy(raw: unknown, depth: number): unknown {
  if (depth > 12) return REFUSED;
  if (Array.isArray(raw)) {
    const list: unknown[] = [];
    for (const item of raw) {
      const copy = plainCopy(item, depth + 1);
      if (copy === REFUSED) return REFUSED;
      list.push(copy);
    }
    return list;
  }
  if (typeof raw === 'object' && raw !== null) {
    const record: Record<string, unknown> = {};
    for (const name of Object.keys(raw)) {
      if (name === '__proto__' || name === 'constructor' || name === 'prototype') return REFUSED;
      const copy = plainCopy((raw as Record<string, unknown>)[name], depth + 1);
      if (copy === REFUSED) return REFUSED;
      record[name] = copy;
    }
    return record;
  }
  return raw;
}
