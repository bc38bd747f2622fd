import { eventsOf } from './events.ts';
import { parentOf } from './fork.ts';
import { shownNumber } from '../core/settings.ts';
import { changedFields } from './changedFields.ts';
import { getValue, type Field } from './schema.ts';
import type { Config } from './slots.ts';
import { optionNames } from './words/wordsOf.ts';

/** One changed setting, in words. */
export type Change = { readonly path: string; readonly words: string };

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(' × ');
  if (typeof value === 'string' && value.length > 24) return `“${value.slice(0, 20).replaceAll('\n', '/')}…”`;
  return String(value).replace(/^-/, '−');
}

/** A value as the form shows it: "GiGPO", "from a queue with a bound", a reward of "−0.1". */
export function shownValue({ setting, slot }: Field, value: unknown): string {
  if (setting === null) return slot.modules.find((m) => m.id === value)?.title ?? String(value);
  if (setting.kind === 'choice') return optionNames(setting)[setting.options.indexOf(String(value))] ?? String(value);
  if (typeof value !== 'number' || !('per' in setting)) return valueText(value);
  return valueText(shownNumber(setting, value));
}

/** "group size 8 → 16". Changes during a run and forks are written for machines: they are counted, and the timeline tells them. */
function wordsOf(before: Config, after: Config, field: Field): string {
  const { path, setting, slot } = field;
  if (path === 'run.events') {
    const n = eventsOf(after).length;
    return n === 0 ? 'no change during the run' : n === 1 ? '1 change during the run' : `${n} changes during the run`;
  }
  if (path === 'run.fork') {
    if (getValue(after, path) === '') return 'no fork';
    const origin = parentOf(after);
    return `fork of another run${origin ? ` at update ${origin.at}` : ''}`;
  }
  const label = setting === null ? slot.title.toLowerCase() : setting.label.toLowerCase();
  return `${label} ${shownValue(field, getValue(before, path))} → ${shownValue(field, getValue(after, path))}`;
}

/** What differs between two configs, in words. */
export function changesBetween(before: Config, after: Config): Change[] {
  return changedFields(before, after).map((field) => ({ path: field.path, words: wordsOf(before, after, field) }));
}

/** "advantage GRPO → GiGPO, group size 8 → 16"; "no change" if equal. */
export function diffText(before: Config, after: Config): string {
  const changes = changesBetween(before, after);
  return changes.length === 0 ? 'no change' : changes.map((c) => c.words).join(', ');
}
