import { wilsonInterval } from '../../core/math/wilson.ts';
import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { percent } from '../format.ts';

/** Shares of episodes. Those of training are not independent trials: groups share a level. */
const SHARES: { readonly [id in MetricId]?: string } = {
  success: ' within these levels',
  evalSuccess: '',
  heldOutSuccess: ' on these levels',
};

/**
 * "57/64 episodes, 95 % interval 79 % … 94 %": the newest measured share of all seeds with its Wilson interval, `episodes` of
 * each seed; empty for a metric that is no share of episodes. A root and its forks are one cluster: with fewer `clusters`
 * than episodes the interval is that of as many trials, which is wider.
 */
export function shareWords(id: MetricId, series: SeriesFrame, episodes: number, clusters = episodes): string {
  const { [id]: where } = SHARES;
  if (where === undefined || episodes === 0) return '';
  const at = (k: number, s: number): number => series.values[(metricIndex[id] * series.S + s) * series.points + k]!;
  for (let k = series.points - 1; k >= 0; k--) {
    let successes = 0;
    for (let s = 0; s < series.S; s++) successes += Math.round(at(k, s) * episodes);
    if (Number.isNaN(successes)) continue;
    const n = series.S * episodes;
    const trials = id === 'success' ? series.S * clusters : n;
    const [low, high] = wilsonInterval((successes / n) * trials, trials);
    const forked = trials < n ? ` in ${trials} families` : '';
    return ` ${successes}/${n} episodes${forked}${where}, 95 % interval ${percent(low)} … ${percent(high)}.`;
  }
  return '';
}
