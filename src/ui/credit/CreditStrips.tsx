import { useMemo, useState } from 'react';
import { estimators } from '../../methods/registry.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { useRunConfig } from '../session.ts';
import { useShown } from '../stage/shown.ts';
import { look, useView } from '../stores/view.ts';
import { useNeedsSigns } from '../useTheme.ts';
import { CreditTable } from './CreditTable.tsx';
import { layoutRows, rowHeightFor, type Cell } from './layout.ts';
import { SignedScale } from './Legend.tsx';
import { agreementSentence, stepSentence, whatOneSees } from './sentences.ts';
import { Strip } from './Strip.tsx';
import { layersOf, limitOf, type Layer } from './strips.ts';

/** Pixels between the rows of two tasks. */
const GAP = 5;
const EXACT = 'Exact advantage';

/** Per-step credit of a batch above the exact advantage of the same steps. */
export function CreditStrips() {
  const snapshot = useShown();
  const config = useRunConfig();
  const method = estimators.find((e) => e.id === config?.advantage.method)?.title ?? 'Credit';
  if (snapshot) return <Filled snapshot={snapshot} method={method} />;
  return (
    <section className="credit" aria-label="Credit">
      <h2>Credit</h2>
      <p className="quiet">
        After the first update every step of every episode appears here as one cell: orange for “do this more”, purple
        for “do this less”.
      </p>
    </section>
  );
}

const cellOf = (snapshot: Snapshot, i: number, t: number): Cell => {
  const row = Math.min(i, snapshot.B - 1);
  return { i: row, t: Math.max(0, Math.min(t, snapshot.length[row]! - 1)) };
};

function Filled({ snapshot, method }: { snapshot: Snapshot; method: string }) {
  const trajectory = useView((v) => v.trajectory);
  const step = useView((v) => v.step);
  const hovered = useView((v) => v.hovered);
  const part = useView((v) => v.part);
  const align = useView((v) => v.align);
  const wantsSigns = useView((v) => v.hasSigns);
  const needsSigns = useNeedsSigns();
  const hasSigns = wantsSigns || needsSigns;
  const [isTable, setTable] = useState(false);
  const layers = useMemo(() => layersOf(snapshot, method), [snapshot, method]);
  const layer = layers.find((l) => l.id === part) ?? layers[0]!;
  const exact: Layer | null = useMemo(
    () => snapshot.exact && { id: 'exact', title: EXACT, values: snapshot.exact },
    [snapshot],
  );
  const layout = useMemo(
    () => layoutRows(snapshot, align, rowHeightFor(snapshot.B, hasSigns), GAP),
    [snapshot, align, hasSigns],
  );
  const limits = useMemo(
    () => ({ own: limitOf(snapshot, layer.values), exact: exact ? limitOf(snapshot, exact.values) : 1 }),
    [snapshot, layer, exact],
  );
  const told = useMemo(() => whatOneSees(snapshot, layer), [snapshot, layer]);
  const agrees = useMemo(() => agreementSentence(snapshot, layer), [snapshot, layer]);
  const pinned = cellOf(snapshot, trajectory, step);
  const shown = hovered ? cellOf(snapshot, hovered.i, hovered.t) : pinned;
  const common = { snapshot, layout, shown, pinned, hasSigns };
  return (
    <section className="credit" aria-label="Credit">
      <div className="panelhead">
        <h2>Credit</h2>
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
        <button type="button" aria-pressed={hasSigns} onClick={() => look({ hasSigns: !wantsSigns })}>
          ▲▼ signs
        </button>
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
        before the row: it reached the goal. A click or the arrow keys pin a step.
        {!exact && ' This task is too large for live exact values.'}
      </p>
      {isTable && <CreditTable snapshot={snapshot} layers={exact ? [...layers, exact] : layers} cell={pinned} />}
    </section>
  );
}
