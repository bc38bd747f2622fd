import { fields, getValue, isActive, sameValue } from './schema.ts';
import type { Config } from './slots.ts';

/** One changed setting, in words. */
export type Change = { readonly path: string; readonly label: string; readonly from: string; readonly to: string };

export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(' × ');
  if (typeof value === 'string' && value.length > 24) return `“${value.slice(0, 20).replaceAll('\n', '/')}…”`;
  return String(value);
}

/** A fork is written for machines; the timeline names its parent. */
function textOf(path: string, value: unknown): string {
  return path === 'run.fork' ? (value === '' ? 'nothing' : 'another run') : valueText(value);
}

/** What differs between two configs, in the order of the form; settings that neither of them uses are left out. */
export function changesBetween(before: Config, after: Config): Change[] {
  return fields
    .filter((field) => isActive(after, field) || isActive(before, field))
    .filter((field) => !sameValue(getValue(before, field.path), getValue(after, field.path)))
    .map((field) => ({
      path: field.path,
      label: field.setting === null ? field.slot.title.toLowerCase() : field.setting.label.toLowerCase(),
      from: textOf(field.path, getValue(before, field.path)),
      to: textOf(field.path, getValue(after, field.path)),
    }));
}

/** "advantage grpo → gigpo, group size 8 → 16"; "no change" if equal. */
export function diffText(before: Config, after: Config): string {
  const changes = changesBetween(before, after);
  return changes.length === 0 ? 'no change' : changes.map((c) => `${c.label} ${c.from} → ${c.to}`).join(', ');
}
