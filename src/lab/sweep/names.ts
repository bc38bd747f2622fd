import { shownValue } from '../../config/diff.ts';
import { fields, getValue, isActive, sameValue, type Field } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';

/** What never tells two groups apart: they are everything but the seed, on whatever machine. */
const NEVER = ['run.seed', 'run.seeds', 'run.backend'];

/** The fields in which some of the configs differ: methods, then the rest in the order of the form; what none of them uses is left out. */
export function differingFields(configs: readonly Config[]): Field[] {
  const [first, ...rest] = configs;
  if (!first) return [];
  const differing = fields.filter(
    (field) =>
      !NEVER.includes(field.path) &&
      rest.some((config) => !sameValue(getValue(first, field.path), getValue(config, field.path))) &&
      configs.some((config) => isActive(config, field)),
  );
  return [...differing.filter((f) => f.setting === null), ...differing.filter((f) => f.setting !== null)];
}

/** "GiGPO", "group size 16", "matched update size on"; the path where two of the fields have the same label. */
function part(config: Config, field: Field, all: readonly Field[], among: readonly Config[]): string {
  const value = valueOf(config, field, among);
  if (field.setting === null) return value;
  const { label } = field.setting;
  const isPlain = all.every((other) => other === field || other.setting?.label !== label);
  return `${isPlain ? label.toLowerCase() : field.path} ${value}`;
}

/** Longest text that is a name. */
const LONGEST = 60;

/** The value as the form shows it. Of texts only what is between their common beginning and their common end. */
function valueOf(config: Config, field: Field, among: readonly Config[]): string {
  const own = getValue(config, field.path);
  if (field.setting?.kind !== 'text') return shownValue(field, own);
  const texts = among.filter((other) => isActive(other, field)).map((c) => piecesOf(String(getValue(c, field.path))));
  const [pieces, least] = [piecesOf(String(own)), Math.min(...texts.map((text) => text.length))];
  const same = (at: number): boolean => texts.every((text) => text.at(at) === pieces.at(at));
  let from = 0;
  while (from < least && same(from)) from++;
  let to = 0;
  while (to < least - from && same(-1 - to)) to++;
  // a number alone says little: with the word and the sign before it
  const cut = pieces.slice(Math.max(0, from - 3), pieces.length - to).join(' ');
  const name = cut.replaceAll(/ ?([().,:…]) ?/g, '$1').replace(/^[^\p{L}\p{N}−-]+/u, '');
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}
/** Words, numbers and signs. */
const piecesOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}_]+|[\d.]*\d|[^\s]/gu) ?? [];

/** Names by difference: what sets each config apart from the others, methods by their titles; fields that it does not use are left out. */
export function namesByDifference(configs: readonly Config[]): string[] {
  const differing = differingFields(configs);
  return configs.map((config) => {
    const own = differing.filter((field) => isActive(config, field));
    return own.length === 0 ? 'base' : own.map((field) => part(config, field, differing, configs)).join(', ');
  });
}
