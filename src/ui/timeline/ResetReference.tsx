import { Anchor } from 'lucide-react';
import { useId } from 'react';
import { REFERENCE, RESET, valueAt } from '../../config/events.ts';
import { stageAt } from '../../config/fork.ts';
import { turnsAlone } from '../../config/controlRules.ts';
import { useWholeConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { isUnderWay } from './live.ts';

const DOC =
  'Before the next update, the current policy becomes the reference and the optimizer restarts. KL to the reference drops to 0.';
const WITHOUT_KL = 'The KL coefficient is 0, so only the optimizer restarts.';

/** The reference of a run under way is reset by hand: an event of the run, like a change of a live setting. */
export function ResetReference() {
  const helpId = useId();
  const isFork = useDraft((d) => d.fork !== null);
  const isLive = useRun(isUnderWay);
  const run = useWholeConfig();
  const update = useRun((r) => r.update);
  if (!isLive || isFork || !run) return null;
  const holds = turnsAlone(stageAt(run, update), 'klCoef') !== null || valueAt(run, 'objective.klCoef', update) > 0;
  const help = holds ? DOC : `${DOC} ${WITHOUT_KL}`;
  const reset = (): void => void import('./story.ts').then(({ changeLive }) => changeLive(REFERENCE, RESET));
  return (
    <div className="field">
      <button type="button" title={help} aria-describedby={helpId} onClick={reset}>
        <Anchor aria-hidden size={16} /> Reset reference
      </button>
      <p id={helpId} className="help">
        {help}
      </p>
    </div>
  );
}
