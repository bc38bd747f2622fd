import { eventsOf, eventWords, type LiveEvent } from '../../config/events.ts';
import { stagesOf } from '../../config/fork.ts';
import type { Config } from '../../config/slots.ts';
import type { Mark, Stretch } from '../../worker/protocol.ts';
import { pathChangesOf } from './pathChanges.ts';

/** "power of two, best evaluation 0.93" */
export function reasonsOf(mark: Mark): string {
  return mark.reasons.map((r) => r.words).join(', ');
}

/** Changes of a run by update, those of a fork's parents among them: "learning rate 0.001, temperature 2". */
export function changesOf(config: Config): { update: number; words: string }[] {
  const byUpdate = new Map<number, string[]>();
  for (const event of allEvents(config)) {
    byUpdate.set(event.update, [...(byUpdate.get(event.update) ?? []), eventWords(event)]);
  }
  return [...byUpdate].map(([update, words]) => ({ update, words: words.join(', ') }));
}

/** Everything that changed during a run. */
export const allChanges = (config: Config, stretches: readonly Stretch[]): { update: number; words: string }[] => [
  ...changesOf(config),
  ...pathChangesOf(stretches),
];

function allEvents(config: Config): LiveEvent[] {
  const stages = stagesOf(config);
  const past = stages.ok ? stages.stages : [];
  return [...past.map((s) => s.config), config].flatMap((stage, k) => {
    const [from, until] = [past[k - 1]?.until ?? 0, past[k]?.until ?? Infinity];
    return eventsOf(stage).filter(({ update }) => update >= from && update < until);
  });
}

/** What is lost when a run continues from an earlier update, in words. */
export function lossOf(config: Config, from: number, to: number): string {
  const updates = to - from === 1 ? 'The last update' : `The last ${to - from} updates`;
  const n = eventsOf(config).filter((e) => e.update >= from && e.update <= to).length;
  const changes = n === 0 ? '' : n === 1 ? ' and the change made in them' : ` and the ${n} changes made in them`;
  return `${updates}${changes} will be dropped. Undo, beside Reset, takes that back.`;
}

/** The kept update nearest to one that is pointed at; null for now, the newest one. */
export function nearestMark(marks: readonly Mark[], now: number, to: number): number | null {
  let best: number | null = null;
  let distance = Math.abs(now - Math.min(to, now));
  for (const { update } of marks) {
    if (update >= now || Math.abs(update - to) >= distance) continue;
    best = update;
    distance = Math.abs(update - to);
  }
  return best;
}
