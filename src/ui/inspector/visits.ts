import type { Snapshot } from '../../worker/protocol.ts';

/** What came of one action in one state. */
export type ActionRow = {
  readonly action: number;
  readonly visits: number;
  readonly successes: number;
  /** mean of what the world paid from there on, and of what the estimator sees of it */
  readonly toGo: number;
  readonly judged: number;
};

/** Visits of a state by what was done there, the most frequent action first. */
export function byAction(
  { T, action, success }: Pick<Snapshot, 'T' | 'action' | 'success'>,
  visits: Uint32Array,
  toGo: Float32Array,
  judged: Float32Array = toGo,
): ActionRow[] {
  const rows = new Map<number, { -readonly [K in keyof ActionRow]: ActionRow[K] }>();
  visits.forEach((k, at) => {
    const a = action[k]!;
    const row = rows.get(a) ?? { action: a, visits: 0, successes: 0, toGo: 0, judged: 0 };
    row.visits++;
    row.successes += success[Math.floor(k / T)]!;
    row.toGo += toGo[at]!;
    row.judged += judged[at]!;
    rows.set(a, row);
  });
  return [...rows.values()]
    .map((r) => ({ ...r, toGo: r.toGo / r.visits, judged: r.judged / r.visits }))
    .sort((a, b) => b.visits - a.visits || a.action - b.action);
}
