import type { Config } from '../../config/slots.ts';
import { sumOfForeign } from '../../lab/runs/foreign.ts';
import { seedCountOf, type Curves, type Result } from '../../lab/runs/summary.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import type { Digest } from '../../worker/protocol.ts';
import { nullIfGone } from '../owed.ts';
import { lab, runConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';

/** What the run of the page has come to. */
export type ResultNow = Result & { readonly names: Digest; readonly curves: Curves; readonly config: Config };

/** The config of the run on the page, where its result may be asked for. */
function configOfResult(): Config | null {
  const config = runConfig();
  const { update, state } = useRun.getState();
  const waits = state === 'paused' || state === 'finished';
  return config && update > 0 && waits && useDraft.getState().config === config ? config : null;
}

/** True if there is a result; none of its curves is read. */
export const hasResultNow = (): boolean => configOfResult() !== null;

/** The result of the run on the page; null before the first update, while it trains, or where the draft is another one. */
export async function resultNow(): Promise<ResultNow | null> {
  const config = configOfResult();
  const { trainedOn: backend } = useRun.getState();
  if (!config) return null;
  const answers = Promise.all([lab().digest(), lab().curves()]);
  const [names, part] = (await answers.catch(nullIfGone)) ?? [null, null];
  // a run that has gone on meanwhile has no result yet
  if (!names || !part || names.update !== part.steps.length || part.steps.length === 0) return null;
  return { config, curves: { S: seedCountOf(config), part }, digest: names.result, backend, names };
}

/** Episodes of other tabs that have trained the run on the page so far, if it is the experiment on the screen. */
export async function foreignNow(): Promise<number> {
  const config = runConfig();
  if (!config || useRun.getState().update === 0 || useDraft.getState().config !== config) return 0;
  const column = await lab().column(metricIndex.peerRows).catch(nullIfGone);
  return column ? sumOfForeign(column.values) : 0;
}
