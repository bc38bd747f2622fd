import { updateNumber } from '../../core/counting.ts';
import { create } from 'zustand';
import type { Alarm } from '../../worker/protocol.ts';
import { say } from '../notices/say.ts';
import { note } from '../stores/run.ts';

/** What the health monitor has said about the run, and what the person has put away. */
export type Health = {
  readonly alarms: readonly Alarm[];
  readonly dismissed: ReadonlySet<string>;
};

export const useHealth = create<Health>(() => ({ alarms: [], dismissed: new Set() }));

/** "in 2 of 3 seeds" */
function seedsOf({ replicas, S }: Alarm): string {
  if (S === 1) return '';
  return replicas.length === S ? `in all ${S} seeds` : `in ${replicas.length} of ${S} seeds`;
}

/** "In 2 of 3 seeds, since update 57." Updates are counted as on the charts. */
export function whenOf(alarm: Alarm): string {
  const since = `since update ${updateNumber(alarm.since)}`;
  const over = alarm.until === null ? '' : `, over by update ${updateNumber(alarm.until)}`;
  const words = [seedsOf(alarm), since].filter((w) => w !== '').join(', ') + over;
  return words[0]!.toUpperCase() + words.slice(1) + '.';
}

/** What to tell about a new list of alarms: those that were raised, and those that are over. */
function newsOf(before: readonly Alarm[], now: readonly Alarm[]): { raised: Alarm[]; over: Alarm[] } {
  const known = new Map(before.map((a) => [a.key, a]));
  return {
    raised: now.filter((a) => !known.has(a.key)),
    over: now.filter((a) => a.until !== null && known.get(a.key)?.until !== a.until),
  };
}

/** A frame has brought the alarms of the run: new ones are said once, politely, and written to the log. */
export function takeAlarms(alarms: readonly Alarm[]): void {
  const { raised, over } = newsOf(useHealth.getState().alarms, alarms);
  for (const alarm of raised) note(`alarm: ${alarm.title}. ${alarm.evidence} ${whenOf({ ...alarm, until: null })}`);
  for (const alarm of over) note(`over: ${alarm.title}, at update ${updateNumber(alarm.until!)}`);
  const newest = raised.at(-1);
  if (newest) say(`${newest.title}. ${newest.evidence}`, false);
  useHealth.setState({ alarms });
}

/** One row per condition: its newest episode, how often there was one, those that continue first. */
export type HealthRow = { readonly alarm: Alarm; readonly times: number };

export function rowsOf({ alarms, dismissed }: Health): HealthRow[] {
  const rows = new Map<string, HealthRow>();
  for (const alarm of alarms) rows.set(alarm.id, { alarm, times: (rows.get(alarm.id)?.times ?? 0) + 1 });
  return [...rows.values()]
    .filter(({ alarm }) => !dismissed.has(alarm.key))
    .sort((a, b) => Number(a.alarm.until !== null) - Number(b.alarm.until !== null) || a.alarm.since - b.alarm.since);
}

export function putAway(key: string): void {
  useHealth.setState(({ dismissed }) => ({ dismissed: new Set([...dismissed, key]) }));
}

/** A new run starts well. */
export function clearHealth(): void {
  useHealth.setState({ alarms: [], dismissed: new Set() });
}
