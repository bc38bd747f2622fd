import { useDeferredValue, useEffect, useMemo } from 'react';
import { estimators } from '../../slots/methods.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { Enlarge } from '../layout/Enlarge.tsx';
import { part } from '../Part.tsx';
import { useRunConfig } from '../session.ts';
import { isBeside } from '../stage/beside.ts';
import { useShown } from '../stage/shown.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { creditDoor } from './ask.ts';
import { compare, useCompare, type CreditView } from './compareStore.ts';
import './credit.css';

// There is nothing to draw before the first update, and only who compares or looks closely needs what that takes.
const WAIT = <p className="quiet">One moment.</p>;
export const OfTheRun = part(() => import('./OfTheRun.tsx').then((m) => m.OfTheRun), WAIT);
const CompareView = part(() => import('./CompareView.tsx').then((m) => m.CompareView), WAIT);
const NotOfTheBatch = part(() => import('../stage/NotOfTheBatch.tsx').then((m) => m.NotOfTheBatch), WAIT);
const StepInspector = part(() => import('../inspector/StepInspector.tsx').then((m) => m.StepInspector), WAIT);
const RewardView = part(() => import('../rewards/RewardView.tsx').then((m) => m.RewardView), WAIT);

const VIEWS: readonly { id: CreditView; label: string }[] = [
  { id: 'run', label: 'This run' },
  { id: 'compare', label: 'Compare estimators' },
  { id: 'step', label: 'One step' },
  { id: 'rewards', label: 'Rewards' },
];

/** What the stage shows, a little later: the stage comes first, the strips follow in pieces between which the page answers. */
function useLate(): Snapshot | null {
  const shown = useShown();
  const run = useRun((r) => r.run);
  const late = useDeferredValue(useMemo(() => ({ shown, run }), [shown, run]));
  // states of the run before are not those of the world that is there by now
  return late.run === run ? late.shown : null;
}

/** A batch that a person looks at for longer stays in the worker, so that it can still be asked about. */
function useHold(snapshot: Snapshot | null): void {
  const isFollowing = useView((v) => v.isFollowing);
  useEffect(() => {
    if (!snapshot || isFollowing) return;
    const { update, replica } = snapshot;
    // a worker that is gone holds nothing; the page says so elsewhere
    creditDoor()
      ?.hold({ update, replica })
      .catch(() => undefined);
  }, [snapshot, isFollowing]);
}

/** Credit of a batch: of the run itself, of several estimators side by side, of one step in every detail, or of what was paid. */
export function CreditStrips() {
  const snapshot = useLate();
  const config = useRunConfig();
  const view = useCompare((c) => c.view);
  const method = estimators.find((e) => e.id === config?.advantage.method)?.title ?? 'Credit';
  const isOpen = useView((v) => v.isCreditOpen);
  useHold(snapshot);
  if (!isOpen) return null;
  if (!snapshot)
    return (
      <section className="credit" id="credit" aria-label="Credit">
        <h2>Credit</h2>
        <p className="quiet">
          After the first update, every step of every episode appears here as a cell: orange for “do this more”, purple
          for “do this less”.
        </p>
      </section>
    );
  return (
    <section className="credit" id="credit" aria-label="Credit">
      <div className="panelhead">
        <h2>Credit</h2>
        <div className="segmented views" role="group" aria-label="Views of the credit">
          {VIEWS.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={view === id} onClick={() => compare({ view: id })}>
              {label}
            </button>
          ))}
        </div>
        <Enlarge panel="credit" name="the credit" />
      </div>
      {view === 'run' && <OfTheRun snapshot={snapshot} method={method} />}
      {view !== 'run' && isBeside(snapshot) ? (
        <NotOfTheBatch what="This view" />
      ) : (
        <>
          {view === 'compare' && <CompareView snapshot={snapshot} />}
          {view === 'step' && <StepInspector snapshot={snapshot} />}
          {view === 'rewards' && <RewardView snapshot={snapshot} />}
        </>
      )}
    </section>
  );
}
