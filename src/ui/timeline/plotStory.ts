import { useMemo } from 'react';
import { updateNumber } from '../../core/counting.ts';
import { parentOf } from '../../config/fork.ts';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { newestSeries } from '../frames.ts';
import { useWholeConfig } from '../session.ts';
import { hasClock, timeAt } from '../charts/rows.ts';
import { useXAxis } from '../charts/useXAxis.ts';
import type { XAxis } from '../stores/view.ts';
import { useTimeline } from './timelineStore.ts';
import { useRun } from '../stores/run.ts';
import { allChanges } from './words.ts';

/** What the story of a run adds to every chart: places on the x axis. */
export type PlotStory = {
  readonly changes: readonly { readonly x: number; readonly words: string; readonly isOpen: boolean }[];
  /** up to here the curves are the parent's */
  readonly forkX: number | null;
  /** the update that is looked at, whose batch is on the stage; what comes after it is dimmed */
  readonly pastX: number | null;
};

/** Place on the x axis of update n, or of the policy after it, which is the same. */
export function placeOf(series: SeriesFrame | null, update: number, xAxis: XAxis): number {
  if (!series || xAxis === 'update' || (xAxis === 'simTime' && !hasClock(series))) return update;
  const at = (k: number): number => (xAxis === 'simTime' ? timeAt(series, k) : series.envSteps[k]!);
  for (let k = series.points - 1; k >= 0; k--) if (series.update[k]! <= update) return at(k);
  return 0;
}

export function usePlotStory(): PlotStory {
  const config = useWholeConfig();
  const past = useTimeline((t) => t.past);
  const shown = useTimeline((t) => t.shownEvent);
  const xAxis = useXAxis();
  const stretches = useRun((r) => r.stretches);
  const changes = useMemo(() => (config ? allChanges(config, stretches) : []), [config, stretches]);
  const forkedAt = useMemo(() => (config ? (parentOf(config)?.at ?? null) : null), [config]);
  const series = newestSeries.get();
  const reached = series ? (series.update[series.points - 1] ?? 0) : 0;
  const place = (update: number): number => placeOf(series, update, xAxis);
  return {
    // a planned change that the run has not reached has no place on the curves yet
    changes: changes
      .filter(({ update }) => update <= reached)
      .map(({ update, words }) => ({
        x: place(updateNumber(update)),
        words: `from ${updateNumber(update)}: ${words}`,
        isOpen: shown === update,
      })),
    forkX: forkedAt === null ? null : place(forkedAt),
    pastX: past === null ? null : place(updateNumber(past)),
  };
}
