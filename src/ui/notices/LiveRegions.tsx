import { useEffect, useState } from 'react';
import type { MetricId } from '../../methods/analysis/metrics.ts';
import { newestSeries } from '../frames.ts';
import { percent, value } from '../format.ts';
import { useRun } from '../stores/run.ts';
import { onSay } from './say.ts';

const QUIET_MS = 5000;

/** Mean over the seeds of the newest value of each metric. */
async function newest(...ids: readonly MetricId[]): Promise<number[]> {
  // the dictionary of metrics comes with the charts, not with the page
  const { metricIndex } = await import('../../methods/analysis/metrics.ts');
  return ids.map((id) => meanOf(metricIndex[id]));
}

function meanOf(metric: number): number {
  const series = newestSeries.get();
  if (!series || series.points === 0) return NaN;
  let total = 0;
  for (let s = 0; s < series.S; s++) {
    total += series.values[(metric * series.S + s) * series.points + series.points - 1]!;
  }
  return total / series.S;
}

/** Screen readers hear how training goes: at most one sentence in five seconds. */
export function LiveRegions() {
  const [sentence, setSentence] = useState('');
  useEffect(() => {
    onSay(setSentence);
    const timer = setInterval(() => {
      const { state, update } = useRun.getState();
      if (state === 'running' && update > 0) {
        void newest('success', 'entropy').then(([success, entropy]) =>
          setSentence(`Update ${update}: success ${percent(success!)}, entropy ${value(entropy!)} nats.`),
        );
      }
    }, QUIET_MS);
    return () => {
      onSay(null);
      clearInterval(timer);
    };
  }, []);
  return (
    <p className="visually-hidden" role="status">
      {sentence}
    </p>
  );
}
