import { problemText } from '../../config/problems.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { compare } from '../credit/compareStore.ts';
import type { Visit } from '../ownVisit.ts';
import { begin } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { look, type View } from '../stores/view.ts';
import type { EmbedView } from './embedAddress.ts';
import { giveUp, setEmbed, useEmbed } from './embedStore.ts';
import { bring, metricsOf, pace } from './experiment.ts';

/** Curves of a frame whose address names none. */
const FIRST: readonly MetricId[] = ['success', 'entropy'];

/** What of the lab a view stands for: “Open in the lab” leads there. */
const PLACE: Readonly<Record<EmbedView, Partial<View>>> = {
  stage: { tab: 'watch' },
  charts: { tab: 'charts' },
  credit: { tab: 'watch', isCreditOpen: true },
  compare: { tab: 'watch', isCreditOpen: true },
  graph: { tab: 'episodes', dock: 'graph' },
  lesson: {},
};

/** A frame keeps nothing: its experiment comes with its address or from its host. */
const embedVisit: Visit = {
  keeps: false,
  open: async () => undefined,
  drafted: () => undefined,
  settled: () => undefined,
};

let begun: Promise<void> = Promise.resolve();

/**
 * Reads what the address or the host asks for, and starts the worker, once. What cannot be shown is said, and nothing is
 * started; a host may then bring something else.
 */
export function beginEmbed(): Promise<void> {
  begun = begun.catch(() => undefined).then(beginNow);
  return begun;
}

async function beginNow(): Promise<void> {
  const { x, view, options, trouble, hasBegun } = useEmbed.getState();
  if (hasBegun || trouble !== null || !view) return;
  const metrics = metricsOf(options.metrics);
  if ('unknown' in metrics)
    return giveUp(
      `There is no metric “${metrics.unknown.slice(0, 40)}”; the lab lists their names under Save all curves.`,
    );
  const problem = x === null ? pace(useDraft.getState().config) : await bring(x);
  if (problem) {
    const { title, sentence } = problemText(problem);
    return giveUp(`${title}: ${sentence} Ask for a new link, or open the lab.`);
  }
  look(PLACE[view]);
  compare({ view: view === 'compare' ? 'compare' : 'run' });
  // in a file of its own, which workers import, too
  if (origin === 'null') (await import('./sandbox.ts')).bringWorkersToSandbox();
  setEmbed({ metrics: metrics.length > 0 ? metrics : FIRST, hasBegun: true });
  await begin(embedVisit);
}
