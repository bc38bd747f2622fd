import { fieldAt, fields, getValue, setValue } from './schema.ts';
import type { Config } from './slots.ts';

/**
 * A live setting gets a new value: in force from this update on. Update 0 is the first. Or, at `reference`, the policy as
 * it enters the update becomes the reference, and the optimizer starts over.
 */
export type LiveEvent = { readonly update: number; readonly path: string; readonly value: number | typeof RESET };

/** What stands in place of a setting and of its value where the reference is reset by hand. */
export const REFERENCE = 'reference';
export const RESET = 'reset';

/** What stands in place of a setting where a message is labeled by hand: 1 = interesting, 0 = not. */
export const labelPath = (message: number): string => `label.${message}`;
/** The message of such a place, null where it is another. */
export function labeledMessage(path: string): number | null {
  const found = /^label\.(\d{1,7})$/.exec(path);
  return found ? Number(found[1]) : null;
}

export type ParsedEvents =
  { readonly ok: true; readonly events: readonly LiveEvent[] } | { readonly ok: false; readonly message: string };

/** Settings that may change in the middle of a run. */
export const livePaths: readonly string[] = fields.filter((f) => f.setting?.live).map((f) => f.path);

const LAST_UPDATE = 20_000;
const remembered = new Map<string, ParsedEvents>();

/**
 * Reads changes of a run, one a line or between semicolons: `update setting value`, such as
 * `40 optimizer.learningRate 0.001` or `40 reference reset`. They stand in the order in which they happen.
 */
export function parseEvents(text: string): ParsedEvents {
  let found = remembered.get(text);
  if (!found) {
    found = read(text);
    if (remembered.size > 64) remembered.clear();
    remembered.set(text, found);
  }
  return found;
}

function read(text: string): ParsedEvents {
  const events: LiveEvent[] = [];
  for (const line of text.split(/[\n;]/)) {
    const words = line.split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) continue;
    const event = readOne(words);
    if (typeof event === 'string') return { ok: false, message: event };
    const before = events.at(-1);
    if (before && before.update > event.update)
      return no(`goes back from update ${before.update} to ${event.update}: changes must be in the order of updates`);
    if (events.some((e) => e.update === event.update && e.path === event.path))
      return no(`changes ${labelOf(event.path)} twice at update ${event.update}`);
    events.push(event);
  }
  return { ok: true, events };
}

const no = (message: string): ParsedEvents => ({ ok: false, message });
const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const labelOf = (path: string): string => fieldAt(path)?.setting?.label.toLowerCase() ?? path;

function readOne(words: readonly string[]): LiveEvent | string {
  if (words.length !== 3)
    return `has “${short(words.join(' '))}” where an update, a setting and a value should be, such as “40 optimizer.learningRate 0.001”`;
  const [at, path, to] = words as [string, string, string];
  if (!/^\d{1,5}$/.test(at) || Number(at) > LAST_UPDATE)
    return `has “${short(at)}” where an update from 0 to ${LAST_UPDATE} should be`;
  if (path === REFERENCE)
    return to === RESET
      ? { update: Number(at), path, value: RESET }
      : `has “${short(to)}” at update ${at}, where the reference can only be “${RESET}”`;
  if (labeledMessage(path) !== null)
    return to === '0' || to === '1'
      ? { update: Number(at), path, value: Number(to) }
      : `labels a message “${short(to)}” at update ${at}: it must be 1 for interesting or 0 for not`;
  const setting = fieldAt(path)?.setting;
  if (!setting) return `changes “${short(path)}”, which is not a setting`;
  if (!setting.live || setting.kind !== 'number')
    return `changes “${path}”, which cannot change during a run; only ${livePaths.join(', ')} can`;
  const value = Number(to);
  if (!Number.isFinite(value) || value < setting.min || value > setting.max)
    return `sets ${labelOf(path)} to “${short(to)}” at update ${at}: it must be a number from ${setting.min} to ${setting.max}`;
  return { update: Number(at), path, value };
}

function eventsText(events: readonly LiveEvent[]): string {
  return events.map(({ update, path, value }) => `${update} ${path} ${value}`).join('\n');
}

/** The changes of a config; none where its text cannot be read, which the rules refuse. */
export function eventsOf(config: Config): readonly LiveEvent[] {
  const parsed = parseEvents(getValue(config, 'run.events') as string);
  return parsed.ok ? parsed.events : [];
}

/** Value of a setting in update u: that of the config, or of the last change until then. */
export function valueAt(config: Config, path: string, u: number): number {
  const last = eventsOf(config).findLast((e) => e.path === path && e.update <= u);
  return (last ? last.value : getValue(config, path)) as number;
}

/** True if the reference is reset by hand before update u. */
export function resetsAt(config: Config, u: number): boolean {
  return eventsOf(config).some((e) => e.update === u && e.value === RESET);
}

/** Labels that are given by hand before update u, or up to it. */
export function labelsAt(
  config: Config,
  u: number,
  upTo = false,
): readonly { message: number; isInteresting: boolean }[] {
  return eventsOf(config).flatMap(({ update, path, value }) => {
    const message = labeledMessage(path);
    const applies = update === u || (upTo && update < u);
    return message !== null && applies ? [{ message, isInteresting: value === 1 }] : [];
  });
}

/** The config with a change at an update; it takes the place of one of the same setting there. */
export function withEvent(config: Config, event: LiveEvent): Config {
  const others = eventsOf(config).filter((e) => e.path !== event.path || e.update !== event.update);
  // a value that is in force already needs no change
  const before = (): unknown =>
    labeledMessage(event.path) === null
      ? valueAt(withEvents(config, others), event.path, event.update)
      : others.findLast((e) => e.path === event.path && e.update <= event.update)?.value;
  const isNew = event.value === RESET || before() !== event.value;
  return withEvents(config, isNew ? [...others, event] : others);
}

export function withEvents(config: Config, events: readonly LiveEvent[]): Config {
  const order = [...events].sort((a, b) => a.update - b.update);
  return setValue(config, 'run.events', eventsText(order));
}

/**
 * The config whose run from update u on is that of `config`: values in force become its own, what is past is forgotten.
 * A reset or a label at u is still to come.
 */
export function settledAt(config: Config, u: number): Config {
  const future = eventsOf(config).filter(
    (e) => e.update > u || (e.update === u && (e.value === RESET || labeledMessage(e.path) !== null)),
  );
  const settled = livePaths.reduce((c, path) => setValue(c, path, valueAt(config, path, u)), config);
  return withEvents(settled, future);
}

/** "learning rate 0.001", "reference reset" */
export function eventWords({ path, value }: LiveEvent): string {
  const message = labeledMessage(path);
  if (message !== null) return `message ${message} is ${value === 1 ? 'interesting' : 'not interesting'}`;
  return `${labelOf(path)} ${value}`;
}
