import { canonicalJson } from '../../config/canonical.ts';
import { decodeLink } from '../../config/link.ts';
import { prepareTask } from '../../config/level.ts';
import { presetConfig, presets } from '../../config/presets.ts';
import { getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Problem } from '../../core/problem.ts';
import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { refusalOfLink } from '../judge.ts';
import { takeShared } from '../share/shownMoment.ts';
import { startFrom, useDraft } from '../stores/draft.ts';
import { SLOW } from '../stores/looks.ts';
import { look } from '../stores/view.ts';

/** Seconds that a long run takes at least, so that it can be watched. */
const WATCHED_S = 8;

/**
 * The experiment of a payload becomes that of the page; the trouble if it cannot be, and then nothing has changed. What is
 * larger than the caps is such a trouble: a frame never starts it.
 */
export async function bring(payload: string): Promise<Problem | null> {
  const shared = decodeLink(payload);
  if (!shared.ok) return shared.problem;
  const { config, title = '', note = '' } = shared.value;
  await prepareTask(config);
  const refusal = refusalOfLink(config);
  if (refusal) return refusal;
  const wanted = canonicalJson(config);
  const preset = presets.find((p) => canonicalJson(presetConfig(p)) === wanted);
  startFrom(config, preset?.title ?? 'An experiment');
  useDraft.setState({ title, note });
  takeShared(shared.value);
  pace(config);
  return null;
}

/** As fast as a person can follow: the pace of the lab would take longer than a frame starts by itself. */
export function pace(config: Config): void {
  look({ pace: Math.max(SLOW, (getValue(config, 'run.updates') as number) / WATCHED_S) });
}

/** Names of curves that exist, or the first one that does not. */
export function metricsOf(names: readonly string[]): readonly MetricId[] | { readonly unknown: string } {
  const unknown = names.find((name) => !Object.hasOwn(metricIndex, name));
  return unknown === undefined ? (names as readonly MetricId[]) : { unknown };
}
