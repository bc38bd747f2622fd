import { useEffect, useState } from 'react';
import type { Metric } from '../../slots/metrics/metrics.ts';
import { metricOf } from '../../store/metricOf.ts';
import { drawable, type Drawable } from './lines.ts';

type Known = ReadonlyMap<string, Drawable | null>;
const NONE: Known = new Map();

/** Points of all runs together, and of one at most and at least; a run of usual length has fewer. */
const POINTS = 400_000;
const [MOST, LEAST] = [2 ** 15, 2 ** 9];

/** Points that each of so many runs may have: a power of two, so that one more seldom means that all are read again. */
const pointsOf = (runs: number): number =>
  Math.max(LEAST, Math.min(MOST, 2 ** Math.floor(Math.log2(POINTS / Math.max(1, runs)))));

/** A metric of these runs, read when it is wanted and held until another one is; null: a run does not have it. */
export function useCurves(ids: readonly string[], metric: Metric, isWanted: boolean): Known {
  const most = pointsOf(ids.length);
  const key = `${metric.id} ${most}`;
  const [known, setKnown] = useState<{ readonly key: string; readonly all: Known }>({ key, all: NONE });
  const all = isWanted && known.key === key ? known.all : NONE;
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    const missing = ids.filter((id) => !all.has(id));
    if (missing.length === 0) return;
    const read = async (): Promise<void> => {
      const found = new Map<string, Drawable | null>(missing.map((id) => [id, null]));
      try {
        for await (const [id, one] of metricOf(missing, metric)) {
          if (isOver) return;
          found.set(id, one && drawable(one, most));
        }
      } catch {
        // what could not be read is missing, and told as that
      }
      if (!isOver) setKnown({ key, all: new Map(ids.map((id) => [id, found.get(id) ?? all.get(id) ?? null])) });
    };
    void read();
    return () => {
      isOver = true;
    };
  }, [ids, isWanted, all, key, metric, most]);
  return all;
}
