import { useMemo, useState } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { look, useView } from '../stores/view.ts';
import { part } from '../Part.tsx';
import { batchOf } from '../stage/beside.ts';
import { CreditTable } from './CreditTable.tsx';
import { GhostStrips } from './GhostStrips.tsx';
import { termOf } from '../glossary/find.ts';
import { Meaning } from '../glossary/Meaning.tsx';
import { firstMethods, useCompare } from './compareStore.ts';
import { Mark } from './Mark.tsx';
import { useRunConfig } from '../session.ts';
import { SignedScale } from './Legend.tsx';
import { FAINT, runScale } from './runScale.ts';
import { agreementSentence, stepSentence, whatOneSees } from './sentences.ts';
import { Strip } from './Strip.tsx';
import { layersOf, limitOf, type Layer } from './strips.ts';
import { useCells, useLayout } from './useCells.ts';

const EXACT = 'Exact advantage';

const BesideStrips = part(() => import('./BesideStrips.tsx').then((m) => m.BesideStrips), null);

/** Per-step credit of the run above the exact advantage of the same steps, and that of what trained beside the batch. */
export function OfTheRun({ snapshot: staged, method }: { snapshot: Snapshot; method: string }) {
  const snapshot = batchOf(staged);
  const isStaged = snapshot === staged;
  const wanted = useView((v) => v.part);
  const align = useView((v) => v.align);
  const [isTable, setTable] = useState(false);
  const layers = useMemo(() => layersOf(snapshot, method), [snapshot, method]);
  const layer = layers.find((l) => l.id === wanted) ?? layers[0]!;
  const exact: Layer | null = useMemo(
    () => snapshot.exact && { id: 'exact', title: EXACT, values: snapshot.exact },
    [snapshot],
  );
  const isLarge = useView((v) => v.large === 'credit');
  const { layout, hasSigns } = useLayout(snapshot, isLarge ? 2 : 1);
  const limits = useMemo(
    () => ({ own: limitOf(snapshot, layer.values), exact: runScale().exact || 1 }),
    [snapshot, layer],
  );
  const told = useMemo(() => whatOneSees(snapshot, layer), [snapshot, layer]);
  const agrees = useMemo(() => agreementSentence(snapshot, layer), [snapshot, layer]);
  const { pinned, shown } = useCells(snapshot);
  const common = { snapshot, layout, shown, pinned, hasSigns, isStaged };
  return (
    <>
      <div className="panelhead striptools">
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
          <OwnMark /> {layer.title} <Meaning term={termOf('A')} />{' '}
          <span className="quiet">how much the update will favor each step</span>
        </figcaption>
        <Strip {...common} layer={layer} limit={limits.own} />
        <SignedScale limit={limits.own} what="98 % of the values are within these limits" />
      </figure>
      {exact && (
        <figure>
          <figcaption>
            {EXACT} <Meaning term={termOf('exact')} />{' '}
            <span className="quiet">how much better the move was than the policy’s average, computed</span>
          </figcaption>
          <Strip {...common} layer={exact} limit={limits.exact} least={FAINT * limits.exact} />
          <SignedScale
            limit={limits.exact}
            what="fixed over the run at the largest value so far; no color below 0.02 of it"
          />
        </figure>
      )}
      {snapshot.beside && <BesideStrips staged={staged} />}
      <GhostStrips />
      {isStaged && <p className="told number">{stepSentence(snapshot, layer, shown.i, shown.t)}</p>}
      {agrees !== null && <p className="sees">{agrees}</p>}
      <p className="quiet">
        One row is one episode, from its {align === 'end' ? 'beginning up to its last step' : 'first step on'}; a bar
        before the row: it reached the goal. A click or the arrow keys pin a step; “One step” tells where its number
        comes from.
        {!exact && ' This task has no live exact values; “Compare estimators” says why, and what it uses instead.'}
      </p>
      {isTable && <CreditTable snapshot={snapshot} layers={exact ? [...layers, exact] : layers} cell={pinned} />}
    </>
  );
}

/** The color of the estimator of the run, the same as in the comparison. */
function OwnMark() {
  const id = useRunConfig()?.advantage.method;
  const config = useRunConfig();
  const chosen = useCompare((c) => c.methods) ?? firstMethods(config);
  const at = chosen.findIndex((m) => m.id === id);
  return at < 0 ? null : <Mark at={at} />;
}

function SignsButton({ hasSigns }: { hasSigns: boolean }) {
  const wantsSigns = useView((v) => v.hasSigns);
  return (
    <button type="button" aria-pressed={hasSigns} onClick={() => look({ hasSigns: !wantsSigns })}>
      ▲▼ signs
    </button>
  );
}
