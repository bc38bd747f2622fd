import { useEffect, useState } from 'react';
import { metricIndex } from '../../methods/analysis/metrics.ts';
import { newestSeries } from '../frames.ts';
import { percent, value } from '../format.ts';
import { useRun } from '../stores/run.ts';
import { onSay } from './say.ts';

const QUIET_MS = 5000;

/** Mean over the seeds of the newest value of a metric. */
function newest(id: keyof typeof metricIndex): number {
  const series = newestSeries.get();
  if (!series || series.points === 0) return NaN;
  let total = 0;
  for (let s = 0; s < series.S; s++) {
    total += series.values[(metricIndex[id] * series.S + s) * series.points + series.points - 1]!;
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
        setSentence(
          `Update ${update}: success ${percent(newest('success'))}, entropy ${value(newest('entropy'))} nats.`,
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
