import { updateNumber } from '../../core/counting.ts';
import { newestSeries } from '../frames.ts';
import { useXAxis } from '../charts/useXAxis.ts';
import { placeOf } from '../timeline/plotStory.ts';
import { useHealth } from './healthStore.ts';

/** Where an alarm was raised, on the x axis of every chart. */
export type AlarmLine = { readonly key: string; readonly x: number; readonly words: string };

/** The newest of them: more lines than this would hide the curves. */
const MOST_LINES = 12;

export function useAlarmLines(): AlarmLine[] {
  const alarms = useHealth((h) => h.alarms);
  const xAxis = useXAxis();
  const series = newestSeries.get();
  return alarms.slice(-MOST_LINES).map(({ key, since, title }) => ({
    key,
    x: placeOf(series, updateNumber(since), xAxis),
    words: `alarm at ${updateNumber(since)}: ${title}`,
  }));
}
