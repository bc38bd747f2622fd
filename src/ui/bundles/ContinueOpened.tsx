import { useState } from 'react';
import { canonicalJson } from '../../config/canonical.ts';
import { useShared } from '../share/shownMoment.ts';
import { useDraft } from '../stores/draft.ts';
import { continueOpened, useOpenedRun } from './openedRun.ts';

/** The weights that came with the bundle that is open: training continues from them, or one sentence says why not. */
export function ContinueOpened() {
  const run = useOpenedRun((o) => o.run);
  const shared = useShared((s) => s.config);
  const config = useDraft((d) => d.config);
  const isOpen = useDraft((d) => d.own !== null);
  const [isBusy, setBusy] = useState(false);
  if (!run || !isOpen || shared !== run.config) return null;
  const update = run.manifest.updates;
  const isSame = config === shared || canonicalJson(config) === canonicalJson(shared);
  const go = async (): Promise<void> => {
    setBusy(true);
    await continueOpened(run).finally(() => setBusy(false));
  };
  return (
    <p>
      {run.whyNot ?? (
        <>
          It comes with its weights after {update === 1 ? '1 update' : `${update} updates`}.{' '}
          {isSame ? (
            <button
              type="button"
              disabled={isBusy}
              title="Shows episodes of this policy; it can be trained on, or forked with a change"
              onClick={() => void go()}
            >
              Continue from its weights
            </button>
          ) : (
            'The settings have been changed since; a fork from its weights can have other ones.'
          )}
        </>
      )}
    </p>
  );
}
