import { create } from 'zustand';
import { bytesOfHex, type ReadRun } from '../../lab/bundle/readBundle.ts';
import { comeIn, lab } from '../session.ts';
import { report, useRun } from '../stores/run.ts';
import { lookAt } from '../timeline/story.ts';

/** The run of the bundle that is open, as long as it is. */
export const useOpenedRun = create<{ readonly run: ReadRun | null }>(() => ({ run: null }));

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
export async function continueOpened({ config, curves, state, manifest }: ReadRun): Promise<void> {
  if (!state) return;
  const { backend, digests } = manifest;
  const checkpoint = { state, chain: (digests.perSeed ?? []).map(bytesOfHex) };
  const left = { checkpoint, curves: [curves.part], id: crypto.randomUUID(), trainedOn: backend };
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
