import { fields, isActive, modulesOf, type Field } from '../../config/schema.ts';
import type { Config, Module } from '../../config/slots.ts';
import { optionNames, sourceOf, wordsOf } from '../../config/words/wordsOf.ts';

/** A setting that was found; `isUsed`: the chosen methods read it. */
export type Found = { readonly field: Field; readonly isUsed: boolean };

/** What a method is known by: its name, its paper, and other words for what it is about. */
function knownAs({ title, source, also }: Module): string[] {
  const paper = source && sourceOf(source);
  return [title, paper?.title ?? '', paper?.arxiv ?? '', wordsOf(also ?? '')];
}

/** Everything a person may remember of a setting: its name, help, formula, unit, options, and those of its method. */
function textOf({ setting, slot, module, path }: Field): string {
  const method = modulesOf(slot).find((m) => m.id === module);
  const options = setting?.kind === 'choice' ? optionNames(setting) : [];
  const methods =
    setting === null
      ? slot.modules.flatMap((m) => [...knownAs(m), wordsOf(m.doc), wordsOf(m.formula ?? '')])
      : method
        ? knownAs(method)
        : [];
  const own =
    setting === null ? [`${slot.title} method`] : [setting.label, wordsOf(setting.doc), wordsOf(setting.formula ?? '')];
  return [...own, setting?.unit ?? '', ...options, ...methods, slot.title, path].join(' ').toLowerCase();
}

let texts: readonly string[] | null = null;

/** What a setting is called, so that what people look for comes before what merely mentions it. */
const nameOf = ({ setting, slot }: Field): string => (setting?.label ?? `${slot.title} method`).toLowerCase();

/** Words of the name of a setting's method, or of all from which it chooses. */
function titleWords({ setting, slot, module }: Field): string[] {
  const own = setting === null ? slot.modules : modulesOf(slot).filter((m) => m.id === module);
  return own.flatMap(({ title }) => title.toLowerCase().split(/[\s()/,:]+/));
}

/**
 * Settings in which every word of the query occurs: first those in whose name it stands, as a whole word before a part of
 * one, then those of a method that is called so; of these first the ones that the chosen methods read.
 */
export function searchFields(query: string, config: Config): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  texts ??= fields.map(textOf);
  const rank = ({ field, isUsed }: Found): number => {
    const name = nameOf(field);
    const whole = name.split(/\s+/);
    const has = (all: { includes(word: string): boolean }): boolean => words.every((word) => all.includes(word));
    const place = has(whole) ? 0 : has(name) ? 2 : has(titleWords(field)) ? 4 : 6;
    return place + (isUsed ? 0 : 1);
  };
  return fields
    .filter((field, k) => canShow(field) && words.every((word) => texts![k]!.includes(word)))
    .map((field) => ({ field, isUsed: isActive(config, field) }))
    .sort((a, b) => rank(a) - rank(b));
}

/** A slot that follows another one has no choice of its own, and neither has one with a single method. */
const canShow = ({ setting, slot }: Field): boolean =>
  setting !== null || (slot.follows === undefined && slot.modules.length > 1);
