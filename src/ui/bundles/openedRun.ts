import { create } from 'zustand';
import type { TrainState } from '../../contract/state.ts';
import { bytesOfHex, type ReadRun } from '../../lab/bundle/readBundle.ts';
import type { HeldFile } from '../../lab/runs/heldFile.ts';
import { comeIn, lab } from '../session.ts';
import { say } from '../notices/say.ts';
import { report, useRun } from '../stores/run.ts';
import { lookAt } from '../timeline/story.ts';

/** What it takes to continue the run of a bundle; its curves are a file, which the browser need not hold in memory. */
export type OpenedRun = Pick<ReadRun, 'manifest' | 'config' | 'whyNot'> & {
  readonly state: () => Promise<TrainState>;
  readonly curves: HeldFile;
};

/** The run of the bundle that is open, as long as it is; null where it brought no weights. */
export const useOpenedRun = create<{ readonly run: OpenedRun | null }>(() => ({ run: null }));

/** The page has the run that has just come, and says where it trains. */
function hasCome(run: number): Promise<'cpu' | 'webgpu'> {
  return new Promise((done) => {
    const look = ({ run: own, state, backend, update }: ReturnType<typeof useRun.getState>): boolean => {
      const isThere = own === run && update > 0 && state !== 'empty';
      if (isThere) done(backend);
      return isThere;
    };
    if (look(useRun.getState())) return;
    const leave = useRun.subscribe((now) => void (look(now) && leave()));
  });
}

/**
 * The run of a bundle continues from its weights: with its curves, its digest, and a checkpoint where it stands, whose
 * batch is shown.
 */
export async function continueOpened({ config, curves, state: read, manifest }: OpenedRun): Promise<void> {
  const { backend, digests } = manifest;
  const state = await read().catch(() => null);
  if (!state) return say('The file of the bundle was changed or moved since it was opened. Open it again.');
  const checkpoint = { state, chain: (digests.perSeed ?? []).map(bytesOfHex) };
  const left = { checkpoint, curves: [curves], id: crypto.randomUUID(), trainedOn: backend };
  const fetch = async () => {
    const answer = await lab().takeOver(config, left);
    if (answer.ok) return { run: answer.run, config };
    report(answer.problem ?? { kind: 'workerSilent' });
    return null;
  };
  await comeIn(fetch, async ({ run }) => {
    const now = await hasCome(run);
    if (backend !== 'both' && now !== backend) report({ kind: 'backendChanged', update: state.update, backend: now });
    await lab().keepCheckpoint('opened from a bundle');
    await lookAt(state.update);
    return false;
  });
}
