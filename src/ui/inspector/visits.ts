import type { Snapshot } from '../../worker/protocol.ts';

/** What came of one action in one state. */
export type ActionRow = {
  readonly action: number;
  readonly visits: number;
  readonly successes: number;
  /** mean reward from there on */
  readonly toGo: number;
};

/** Visits of a state by what was done there, the most frequent action first. */
export function byAction(
  { T, action, success }: Pick<Snapshot, 'T' | 'action' | 'success'>,
  visits: Uint32Array,
  toGo: Float32Array,
): ActionRow[] {
  const rows = new Map<number, { action: number; visits: number; successes: number; toGo: number }>();
  visits.forEach((k, at) => {
    const a = action[k]!;
    const row = rows.get(a) ?? { action: a, visits: 0, successes: 0, toGo: 0 };
    row.visits++;
    row.successes += success[Math.floor(k / T)]!;
    row.toGo += toGo[at]!;
    rows.set(a, row);
  });
  return [...rows.values()]
    .map((r) => ({ ...r, toGo: r.toGo / r.visits }))
    .sort((a, b) => b.visits - a.visits || a.action - b.action);
}
