import { timeWords } from '../../core/paceOf.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { between, useSecondsOfDraft } from './seconds.ts';

const WHY =
  'The range of short trials on this device, with episodes as long as there; during training, of the latest updates. Other work on this device and shorter episodes change it.';
const WHY_ABOUT =
  'The mean of the latest updates with their evaluations, times the updates that are left. Other work on this device and shorter episodes change it.';

/** Shorter times are told as a range: a rounded second is much of them. */
const LEAST = 3;

/** What the run will take, and while it trains what is left of it: as a range, and once the pace is known as one number. */
export function Cost() {
  const update = useRun((r) => r.update);
  const isRunning = useRun((r) => r.state === 'running');
  const left = useRun((r) => r.leftBetween);
  const isByHand = useView((v) => v.pace === 0);
  const whole = useSecondsOfDraft();
  if (isByHand) return null;
  if (isRunning && left && left[0] === left[1] && left[0] >= LEAST)
    return <span title={WHY_ABOUT}>about {timeWords(left[0])} left</span>;
  if (isRunning && left) return <span title={WHY}>{between(...left)} left</span>;
  // until enough updates are made, what was known before still counts
  return whole && (update === 0 || isRunning) ? <span title={WHY}>takes {between(...whole)}</span> : null;
}
