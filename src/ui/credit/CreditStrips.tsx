import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { estimators } from '../../methods/registry.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { useRunConfig } from '../session.ts';
import { useShown } from '../stage/shown.ts';
import { look, useView } from '../stores/view.ts';
import { creditDoor } from './ask.ts';
import { compare, useCompare, type CreditView } from './compareStore.ts';
import './credit.css';
import { CreditTable } from './CreditTable.tsx';
import { SignedScale } from './Legend.tsx';
import { agreementSentence, stepSentence, whatOneSees } from './sentences.ts';
import { Strip } from './Strip.tsx';
import { layersOf, limitOf, type Layer } from './strips.ts';
import { useCells, useLayout } from './useCells.ts';

// Only who compares or looks closely loads what that takes.
const CompareView = lazy(() => import('./CompareView.tsx').then((m) => ({ default: m.CompareView })));
const StepInspector = lazy(() => import('../inspector/StepInspector.tsx').then((m) => ({ default: m.StepInspector })));

const EXACT = 'Exact advantage';
const VIEWS: readonly { id: CreditView; label: string }[] = [
  { id: 'run', label: 'This run' },
  { id: 'compare', label: 'Compare estimators' },
  { id: 'step', label: 'One step' },
];

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

/** Credit of a batch: of the run itself, of several estimators side by side, or of one step in every detail. */
export function CreditStrips() {
  const snapshot = useShown();
  const config = useRunConfig();
  const view = useCompare((c) => c.view);
  const method = estimators.find((e) => e.id === config?.advantage.method)?.title ?? 'Credit';
  useHold(snapshot);
  if (!snapshot)
    return (
      <section className="credit" aria-label="Credit">
        <h2>Credit</h2>
        <p className="quiet">
          After the first update every step of every episode appears here as one cell: orange for “do this more”, purple
          for “do this less”.
        </p>
      </section>
    );
  return (
    <section className="credit" aria-label="Credit">
      <div className="panelhead">
        <h2>Credit</h2>
        <div className="segmented views" role="group" aria-label="Look at">
          {VIEWS.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={view === id} onClick={() => compare({ view: id })}>
              {label}
            </button>
          ))}
        </div>
      </div>
      {view === 'run' && <OfTheRun snapshot={snapshot} method={method} />}
      <Suspense fallback={<p className="quiet">One moment.</p>}>
        {view === 'compare' && <CompareView snapshot={snapshot} />}
        {view === 'step' && <StepInspector snapshot={snapshot} />}
      </Suspense>
    </section>
  );
}

function OfTheRun({ snapshot, method }: { snapshot: Snapshot; method: string }) {
  const part = useView((v) => v.part);
  const align = useView((v) => v.align);
  const [isTable, setTable] = useState(false);
  const layers = useMemo(() => layersOf(snapshot, method), [snapshot, method]);
  const layer = layers.find((l) => l.id === part) ?? layers[0]!;
  const exact: Layer | null = useMemo(
    () => snapshot.exact && { id: 'exact', title: EXACT, values: snapshot.exact },
    [snapshot],
  );
  const { layout, hasSigns } = useLayout(snapshot);
  const limits = useMemo(
    () => ({ own: limitOf(snapshot, layer.values), exact: exact ? limitOf(snapshot, exact.values) : 1 }),
    [snapshot, layer, exact],
  );
  const told = useMemo(() => whatOneSees(snapshot, layer), [snapshot, layer]);
  const agrees = useMemo(() => agreementSentence(snapshot, layer), [snapshot, layer]);
  const { pinned, shown } = useCells(snapshot);
  const common = { snapshot, layout, shown, pinned, hasSigns };
  return (
    <>
      <div className="panelhead tools">
        {layers.length > 1 && (
          <div className="segmented" role="group" aria-label="Part of the credit">
            {layers.map((l) => (
              <button key={l.id} type="button" aria-pressed={l === layer} onClick={() => look({ part: l.id })}>
                {l.id}
              </button>
            ))}
          </div>
        )}
        <button
          type="button"
          aria-pressed={align === 'end'}
          title="Line the rows up at the last step instead of the first"
          onClick={() => look({ align: align === 'end' ? 'start' : 'end' })}
        >
          Align ends
        </button>
        <SignsButton hasSigns={hasSigns} />
        <button type="button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Hide table' : 'Show as table'}
        </button>
      </div>
      <p className="sees">{told}</p>
      <figure>
        <figcaption>
          {layer.title} <span className="quiet">how much the update will favor each step</span>
        </figcaption>
        <Strip {...common} layer={layer} limit={limits.own} />
        <SignedScale limit={limits.own} what="98 % of the values are within these limits" />
      </figure>
      {exact && (
        <figure>
          <figcaption>
            {EXACT} <span className="quiet">how much better the move was than the policy’s average, computed</span>
          </figcaption>
          <Strip {...common} layer={exact} limit={limits.exact} />
          <SignedScale limit={limits.exact} what="on its own scale" />
        </figure>
      )}
      <p className="told number">{stepSentence(snapshot, layer, shown.i, shown.t)}</p>
      {agrees !== null && <p className="sees">{agrees}</p>}
      <p className="quiet">
        One row is one episode, from its {align === 'end' ? 'beginning up to its last step' : 'first step on'}; a bar
        before the row: it reached the goal. A click or the arrow keys pin a step; “One step” tells where its number
        comes from.
        {!exact && ' This task has no live exact values; “Compare estimators” says why and what there is instead.'}
      </p>
      {isTable && <CreditTable snapshot={snapshot} layers={exact ? [...layers, exact] : layers} cell={pinned} />}
    </>
  );
}

function SignsButton({ hasSigns }: { hasSigns: boolean }) {
  const wantsSigns = useView((v) => v.hasSigns);
  return (
    <button type="button" aria-pressed={hasSigns} onClick={() => look({ hasSigns: !wantsSigns })}>
      ▲▼ signs
    </button>
  );
}
