import { useEffect, useState } from 'react';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import type { RunState } from '../../worker/protocol.ts';
import { newestSeries } from '../frames.ts';
import { useRun, type Doing } from '../stores/run.ts';
import { progressSentence } from './progress.ts';
import { onSay } from './say.ts';

const QUIET_MS = 5000;
/** An answer to something that a person did can be read this long. */
const SHOWN_MS = 4000;

/** Mean over the seeds of the newest value of each metric. */
async function newest(...ids: readonly MetricId[]): Promise<number[]> {
  // the dictionary of metrics comes with the charts, not with the page
  const { metricIndex } = await import('../../slots/metrics/metrics.ts');
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

/** Something that takes longer than this is said. */
const SLOW_MS = 1000;
const WORKING: Readonly<Record<Doing, string>> = {
  preparing: 'Preparing the run.',
  starting: 'Starting the run.',
  pausing: 'Pausing after this update.',
  stepping: 'Making one update.',
  stopping: 'Stopping after this update.',
  resetting: 'Preparing the run again.',
};

/** How a run that no longer trains is called. */
const STILL: { readonly [state in RunState]?: string } = { finished: 'Finished', paused: 'Paused', failed: 'Failed' };

/**
 * Screen readers hear how training goes: at most one sentence in five seconds, and one when it ends. Answers to what was
 * asked for, such as a copied link, are seen as well.
 */
export function LiveRegions() {
  const [sentence, setSentence] = useState('');
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    let hiding: ReturnType<typeof setTimeout> | undefined;
    onSay((answer, isSeen) => {
      setSentence(answer);
      setShown(isSeen);
      clearTimeout(hiding);
      hiding = setTimeout(() => setShown(false), SHOWN_MS);
    });
    const tell = (when: string): Promise<void> =>
      newest('success', 'entropy').then(([success, entropy]) => {
        setSentence(progressSentence(when, success!, entropy!));
        setShown(false);
      });
    const timer = setInterval(() => {
      const { state, update } = useRun.getState();
      if (state === 'running' && update > 0) void tell(`Update ${update}`);
    }, QUIET_MS);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const forget = useRun.subscribe((now, before) => {
      if (now.doing !== before.doing) {
        clearTimeout(waiting);
        // what is done at once is heard by what comes of it
        if (now.doing) waiting = setTimeout(setSentence, SLOW_MS, `${WORKING[now.doing]} This takes a moment.`);
      }
      const hasTrained = now.run === before.run && (before.state === 'running' || now.update > before.update);
      const still = STILL[now.state];
      if (hasTrained && still && now.update > 0) void tell(`${still} at update ${now.update}`);
    });
    return () => {
      forget();
      onSay(null);
      clearTimeout(waiting);
      clearInterval(timer);
      clearTimeout(hiding);
    };
  }, []);
  return (
    <p className={isShown ? 'toast' : 'visually-hidden'} role="status">
      {sentence}
    </p>
  );
}
