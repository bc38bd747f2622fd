import type { Config } from '../../config/slots.ts';
import { sumOfForeign, type Reached } from '../../lab/runs/foreign.ts';
import { expectBy, OF_SUMMARY, seedCountOf } from '../../lab/runs/summary.ts';
import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import type { Digest, LabWorker } from '../../worker/protocol.ts';
import { nullIfGone } from '../owed.ts';
import { lab, runConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';

/** What the run of the page has come to; its curves stay in the worker. */
export type ResultNow = Reached & { readonly names: Digest };

/** The config of the run on the page, where its result may be asked for. */
function configOfResult(): Config | null {
  const config = runConfig();
  const { update, state } = useRun.getState();
  const waits = state === 'paused' || state === 'finished';
  return config && update > 0 && waits && useDraft.getState().config === config ? config : null;
}

/** True if there is a result; none of its curves is read. */
export const hasResultNow = (): boolean => configOfResult() !== null;

/** The few metrics that a result is made of; null where they are not of so many updates: the run has gone on meanwhile. */
async function metricsAfter(updates: number, worker: LabWorker): Promise<ReadonlyMap<MetricId, Float32Array> | null> {
  const found = new Map<MetricId, Float32Array>();
  for (const id of [...OF_SUMMARY, 'peerRows'] as const) {
    const column = await worker.column(metricIndex[id]);
    if (column?.steps.length !== updates) return null;
    found.set(id, column.values);
  }
  return found;
}

/** The result of the run on the page; null before the first update, while it trains, or where the draft is another one. */
export async function resultNow(): Promise<ResultNow | null> {
  const config = configOfResult();
  const { trainedOn: backend } = useRun.getState();
  if (!config) return null;
  const worker = lab();
  const names = await worker.digest().catch(nullIfGone);
  if (!names || names.update === 0) return null;
  const columns = await metricsAfter(names.update, worker).catch(nullIfGone);
  if (!columns) return null;
  const S = seedCountOf(config);
  const numbers = {
    S,
    updates: names.update,
    at: (u: number, s: number, id: MetricId) => columns.get(id)![u * S + s]!,
  };
  const expect = expectBy({ config, digest: names.result, backend }, numbers);
  return { config, expect, foreign: sumOfForeign(columns.get('peerRows')!), names };
}

/** Episodes of other tabs that have trained the run on the page so far, if it is the experiment on the screen. */
export async function foreignNow(): Promise<number> {
  const config = runConfig();
  if (!config || useRun.getState().update === 0 || useDraft.getState().config !== config) return 0;
  const column = await lab().column(metricIndex.peerRows).catch(nullIfGone);
  return column ? sumOfForeign(column.values) : 0;
}
