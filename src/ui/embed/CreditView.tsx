import { useMemo } from 'react';
import { estimators } from '../../slots/methods.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import '../credit/credit.css';
import { SignedScale } from '../credit/Legend.tsx';
import { FAINT, runScale } from '../credit/runScale.ts';
import { agreementSentence, stepSentence } from '../credit/sentences.ts';
import { Strip } from '../credit/Strip.tsx';
import { layersOf, limitOf } from '../credit/strips.ts';
import { useCells, useLayout } from '../credit/useCells.ts';
import { useRunConfig } from '../session.ts';
import { useShown } from '../stage/shown.ts';
import { look, useView } from '../stores/view.ts';
import type { ViewProps } from './views.tsx';

/** Credit of every step of the newest batch, above the exact advantage of the same steps. */
export function CreditView({ hasControls }: ViewProps) {
  const snapshot = useShown();
  if (!snapshot)
    return (
      <p className="quiet">
        After the first update, every step of every episode appears here as a cell: orange for “do this more”, purple
        for “do this less”.
      </p>
    );
  return <Strips snapshot={snapshot} hasControls={hasControls} />;
}

function Strips({ snapshot, hasControls }: { snapshot: Snapshot; hasControls: boolean }) {
  const id = useRunConfig()?.advantage.method;
  const method = estimators.find((e) => e.id === id)?.title ?? 'Credit';
  const part = useView((v) => v.part);
  const layers = useMemo(() => layersOf(snapshot, method), [snapshot, method]);
  const layer = layers.find((l) => l.id === part) ?? layers[0]!;
  const { layout, hasSigns } = useLayout(snapshot, 0.8);
  const { pinned, shown } = useCells(snapshot);
  const own = useMemo(() => limitOf(snapshot, layer.values), [snapshot, layer]);
  const agrees = useMemo(() => agreementSentence(snapshot, layer), [snapshot, layer]);
  const common = { snapshot, layout, shown, pinned, hasSigns };
  const exact = snapshot.exact && { id: 'exact', title: 'Exact advantage', values: snapshot.exact };
  const scale = runScale().exact || 1;
  return (
    <div className="credit">
      {hasControls && <PartAndSigns parts={layers.map((l) => l.id)} part={layer.id} hasSigns={hasSigns} />}
      <div className="embedside">
        <figure>
          <figcaption>
            {layer.title} <span className="quiet">how much the update will favor each step</span>
          </figcaption>
          <Strip {...common} layer={layer} limit={own} />
          <SignedScale limit={own} what="98 % of the values are within these limits" />
        </figure>
        {exact && (
          <figure>
            <figcaption>
              {exact.title} <span className="quiet">how much better each step was than average</span>
            </figcaption>
            <Strip {...common} layer={exact} limit={scale} least={FAINT * scale} />
            <SignedScale limit={scale} what="the largest value so far" />
          </figure>
        )}
      </div>
      <p className="told number">{stepSentence(snapshot, layer, shown.i, shown.t)}</p>
      {agrees !== null && <p className="sees">{agrees}</p>}
    </div>
  );
}

type Choice = { readonly parts: readonly string[]; readonly part: string; readonly hasSigns: boolean };

function PartAndSigns({ parts, part, hasSigns }: Choice) {
  return (
    <div className="embedchoice">
      {parts.length > 1 && (
        <label className="inline">
          Part{' '}
          <select value={part} onChange={(event) => look({ part: event.target.value })}>
            {parts.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
      <button type="button" aria-pressed={hasSigns} onClick={() => look({ hasSigns: !hasSigns })}>
        ▲▼ signs
      </button>
    </div>
  );
}
