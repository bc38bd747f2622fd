import { useMemo } from 'react';
import { useGhosts } from '../ghosts/ghosts.ts';
import { ghostLine, type GhostLine } from '../ghosts/lines.ts';
import { useXAxis } from './useXAxis.ts';

/** The gray lines of a metric: they change with the kept runs and the axis, never while a run trains. */
export function useGhostLines(metric: number): readonly GhostLine[] {
  const ghosts = useGhosts((g) => g.ghosts);
  const xAxis = useXAxis();
  return useMemo(() => ghosts.map((ghost) => ghostLine(ghost, metric, xAxis)), [ghosts, metric, xAxis]);
}
