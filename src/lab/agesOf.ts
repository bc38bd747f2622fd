import { unitVersions, type Rows } from '../engine/ages.ts';
import type { Plan } from '../engine/plan.ts';
import { stalenessStats } from '../core/math/staleness.ts';
import type { AgesView, WrittenView } from './snapshotTypes.ts';

/** Ages that are told apart in a histogram; older units are one bin. */
const MOST_AGES = 32;

/** How many units of a shown batch are how old; null on fresh data. The last bin holds what is older. */
export function agesOf(
  plan: Plan,
  rows: Rows,
  update: number,
  s: number,
  written: WrittenView | null,
): AgesView | null {
  const { lag } = plan.behavior;
  if (lag === 0) return null;
  const decided = written?.commands.map((c) => c.decided.filter(Boolean).length);
  const unitsAt = (step: number): number => (decided && written ? decided[written.command[step]!]! : 1);
  const bins = Math.min(lag + 1, MOST_AGES) + 1;
  return { bound: lag, units: stalenessStats(update, unitVersions(plan, rows, update, s, unitsAt), bins).histogram };
}
