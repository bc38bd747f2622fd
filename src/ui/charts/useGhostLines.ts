import { useEffect, useState } from 'react';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { columnOf } from '../ghosts/columnOf.ts';
import { useGhosts, type Ghost } from '../ghosts/ghosts.ts';
import { ghostLine, type GhostLine } from '../ghosts/lines.ts';
import type { XAxis } from '../stores/view.ts';
import { useXAxis } from './useXAxis.ts';

const NONE: readonly GhostLine[] = [];

async function lineOf(ghost: Ghost, metric: number, xAxis: XAxis): Promise<GhostLine> {
  const clock = xAxis === 'simTime' ? columnOf(ghost, metricIndex.simTime) : null;
  const [column, times] = await Promise.all([columnOf(ghost, metric), clock]);
  const { name, S, firstSeed } = ghost;
  if (!column) return { name, points: [] };
  return { name, points: ghostLine({ S, firstSeed, ...column, metric }, times?.values ?? null, xAxis) };
}

/** The gray lines of a metric: they change with the kept runs and the axis, never while a run trains. */
export function useGhostLines(metric: number): readonly GhostLine[] {
  const ghosts = useGhosts((g) => g.ghosts);
  const xAxis = useXAxis();
  const about = `${metric} ${xAxis}`;
  const [known, setKnown] = useState({ about, lines: NONE });
  useEffect(() => {
    if (ghosts.length === 0) return;
    let isOver = false;
    void Promise.all(ghosts.map((ghost) => lineOf(ghost, metric, xAxis))).then(
      (lines) => !isOver && setKnown({ about, lines }),
    );
    return () => {
      isOver = true;
    };
  }, [ghosts, metric, xAxis, about]);
  return ghosts.length > 0 && known.about === about ? known.lines : NONE;
}
