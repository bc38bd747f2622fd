import type { SharedGroup, SharedRow } from '../../contract/peers.ts';

/** Of what is said between tabs; another one is not understood. */
export const PROTOCOL = 'horizon-lab peers 1';
/** Characters of a message at most, rows of a group, steps of a row. */
export const LONGEST = 65_536;
const ROWS = 512;
const STEPS = 4096;

/** A tab is there, it leaves, or it tells of a group. `task`: short name of the world in which it plays. */
export type Message = { readonly task: string; readonly sender: string } & (
  { readonly kind: 'hello' | 'bye' } | { readonly kind: 'group'; readonly group: SharedGroup }
);

/** The text of a message; null: it would be too long. No observations, no weights, no code: what was done, and what came of it. */
export function writeMessage(message: Message): string | null {
  const { task, sender, kind } = message;
  const head = { protocol: PROTOCOL, task, sender, kind };
  const text = JSON.stringify(message.kind === 'group' ? { ...head, ...bodyOf(message.group) } : head);
  return text.length <= LONGEST ? text : null;
}

const bodyOf = ({ name, version, rows }: SharedGroup) => ({
  level: [name.levelSeed, name.maxSteps, name.variant],
  version,
  rows: rows.map(({ episodeSeed, actions, outcome, logp }) => ({
    ...{ seed: episodeSeed, length: actions.length, actions, outcome },
    ...(logp && { logp }),
  })),
});

/** What somebody else has said; null: nothing that can be understood. Only its form is checked: it may still be a lie. */
export function readMessage(data: unknown): Message | null {
  if (typeof data !== 'string' || data.length > LONGEST) return null;
  const said = objectIn(data);
  if (!said || said['protocol'] !== PROTOCOL) return null;
  const { task, sender, kind } = said;
  if (!isName(task) || !isName(sender)) return null;
  if (kind === 'hello' || kind === 'bye') return { task, sender, kind };
  const group = kind === 'group' ? groupIn(said) : null;
  return group && { task, sender, kind: 'group', group };
}

type Said = Readonly<Record<string, unknown>>;

function objectIn(text: string): Said | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9]{1,32}$/.test(value);
const isBelow = (value: unknown, end: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < end;
const isFinite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function groupIn({ level, version, rows }: Said): SharedGroup | null {
  if (!Array.isArray(level) || level.length !== 3 || !Array.isArray(rows)) return null;
  const [levelSeed, maxSteps, variant] = level as readonly unknown[];
  if (!isBelow(levelSeed, 2 ** 32) || !isBelow(maxSteps, STEPS) || !isBelow(variant, 512)) return null;
  if (!isBelow(version, 2 ** 32) || rows.length < 2 || rows.length > ROWS) return null;
  const read = rows.map(rowIn);
  if (read.includes(null)) return null;
  return { name: { levelSeed, maxSteps, variant }, version, rows: read as readonly SharedRow[] };
}

function rowIn(row: unknown): SharedRow | null {
  if (!isObject(row)) return null;
  const { seed, length, actions, outcome, logp } = row;
  if (!isBelow(seed, 2 ** 32) || !isFinite(outcome)) return null;
  if (!Array.isArray(actions) || actions.length > STEPS || length !== actions.length) return null;
  if (!actions.every((action) => isBelow(action, 32))) return null;
  const played = { episodeSeed: seed, actions: actions as readonly number[], outcome };
  if (logp === undefined) return played;
  // a logarithm of a probability
  if (!Array.isArray(logp) || !logp.every((x) => isFinite(x) && x <= 0)) return null;
  return { ...played, logp: logp as readonly number[] };
}
