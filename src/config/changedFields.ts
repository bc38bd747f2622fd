import { fields, getValue, isActive, sameValue, type Field } from './schema.ts';
import type { Config } from './slots.ts';

/** What differs between two configs, in the order of the form; settings that neither of them uses are left out. */
export function changedFields(before: Config, after: Config): Field[] {
  if (before === after) return [];
  return fields
    .filter((field) => !sameValue(getValue(before, field.path), getValue(after, field.path)))
    .filter((field) => isActive(after, field) || isActive(before, field));
}
