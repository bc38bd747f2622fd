import { LAB_COMMIT, LAB_VERSION } from '../../core/version.ts';
import type { RunToPack } from '../../lab/bundle/runBundle.ts';
import type { BatchToKeep } from '../../lab/bundle/trajectories.ts';
import { ofHeld } from '../../lab/runs/inParts.ts';
import { seedsOf } from '../../lab/runs/soFar.ts';
import { seedCountOf } from '../../lab/runs/summary.ts';
import { newestSnapshot } from '../frames.ts';
import { nullIfGone } from '../owed.ts';
import { lab, present } from '../session.ts';
import { resultNow } from '../share/resultNow.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';

/** Address of the lab, for links. */
export const site = (): string => `${location.origin}${location.pathname}`;

/** The batch on the stage, if it is one of the run as it is now. */
function batchNow(seeds: readonly number[], updates: number): BatchToKeep[] {
  const shown = newestSnapshot.get();
  if (!shown || shown.update >= updates) return [];
  const { replica, update, judged } = shown;
  return [{ ...shown, seed: seeds[replica]!, update: update + 1, seen: judged?.reward ?? null }];
}

/** The run on the page with everything that is known of it; null before the first update and while it trains. */
export async function runNow(): Promise<RunToPack | null> {
  const result = await resultNow();
  if (!result) return null;
  const held = await lab().curves().catch(nullIfGone);
  const { config, expect, names } = result;
  const updates = expect.summary.updates;
  const curves = held && ofHeld(held, seedCountOf(config));
  // the run has gone on meanwhile
  if (curves?.updates !== updates) return null;
  const { title, note } = useDraft.getState();
  const state = present()?.held?.checkpoint.state ?? null;
  return {
    ...{ config, title, note, curves, backend: expect.backend },
    digests: { all: names.result, perSeed: names.perSeed },
    ...{ adapter: useRun.getState().backendName, lab: LAB_VERSION, commit: LAB_COMMIT, seconds: null },
    ...{ at: Date.now(), site: site(), doi: null },
    state: state?.update === updates ? state : null,
    batches: batchNow(seedsOf(config), updates),
  };
}
