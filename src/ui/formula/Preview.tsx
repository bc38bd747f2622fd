import { useEffect, useMemo, useState } from 'react';
import { updateNumber } from '../../core/counting.ts';
import type { Column, CreditAnswer, Snapshot, Truth } from '../../worker/protocol.ts';
import { SignedScale } from '../credit/Legend.tsx';
import { MEASURES } from '../credit/measureRows.ts';
import { Strip } from '../credit/Strip.tsx';
import { limitOf } from '../credit/strips.ts';
import { useCells, useLayout } from '../credit/useCells.ts';
import { step, useRunConfig } from '../session.ts';
import { batchOf } from '../stage/beside.ts';
import { useShown } from '../stage/shown.ts';
import { useRun } from '../stores/run.ts';
import { usePreview } from './usePreview.ts';

/** What a person who changes a formula wants to see move, in this order. */
const SHOWN = ['pearson', 'sign', 'gradCosine'].map((id) => MEASURES.find((m) => m.id === id)!);

type Props = { good: string | null; isFaulty: boolean };

/** The formula on the batch at hand, beside the truth and the estimator of the run. The batch stays while one writes. */
export function Preview({ good, isFaulty }: Props) {
  const shown = useShown();
  const newest = shown && batchOf(shown);
  const [held, hold] = useState<Snapshot | null>(null);
  const snapshot = held ?? newest;
  if (held === null && newest !== null) hold(newest);
  const isOlder = snapshot !== null && newest !== null && newest !== snapshot;
  return (
    <section className="formulapreview" aria-label="Preview">
      <div className="panelhead">
        <h3>
          Preview{' '}
          {snapshot && <span className="quiet number">on the batch of update {updateNumber(snapshot.update)}</span>}
        </h3>
        {isOlder && (
          <button type="button" onClick={() => hold(newest)}>
            Take the newest batch
          </button>
        )}
      </div>
      {snapshot === null ? (
        <NoBatch />
      ) : good === null ? (
        <p className="quiet">The credit of every step appears here as soon as there is a formula without a fault.</p>
      ) : (
        <OnBatch snapshot={snapshot} text={good} isFaulty={isFaulty} takeNewest={() => hold(newest)} />
      )}
    </section>
  );
}

function NoBatch() {
  const isReady = useRun((r) => r.state === 'ready' || r.state === 'paused');
  return (
    <>
      <p className="quiet">There is no batch yet. One update plays one, and the formula is previewed on it.</p>
      <button type="button" disabled={!isReady} onClick={() => void step()}>
        Make one update
      </button>
    </>
  );
}

type OnBatchProps = { snapshot: Snapshot; text: string; isFaulty: boolean; takeNewest: () => void };

function OnBatch({ snapshot, text, isFaulty, takeNewest }: OnBatchProps) {
  const config = useRunConfig();
  const found = usePreview(snapshot, text, config);
  const [seen, see] = useState<Snapshot | null>(null);
  // a fast run may have dropped it before it could be held; one that was seen here is not replaced unasked
  if (found?.answer.isKept && seen !== found.snapshot) see(found.snapshot);
  const wasMissed = found?.answer.isKept === false && found.snapshot === snapshot && seen !== snapshot;
  useEffect(() => {
    if (wasMissed) takeNewest();
  }, [wasMissed, takeNewest]);
  if (found === null) return <p className="quiet">The worker is computing it.</p>;
  const { answer } = found;
  if (!answer.isKept) return <p className="sees">This batch is no longer kept. Take the newest one.</p>;
  const [own, run] = answer.columns as readonly [Column, Column];
  const { truth } = answer;
  return (
    <>
      <p className="previewstate quiet">
        {isFaulty
          ? 'The text has a fault: this is the credit of your last text without one.'
          : 'Nothing is trained: the credit of these steps is computed again as you type.'}
      </p>
      <div className={isFaulty ? 'isold' : undefined}>
        <Numbers answer={answer} />
        {truth.kind === 'exact' && own.scores !== null && own.scores.sign === null && (
          <p className="quiet">No step of this batch made a difference, so there is nothing to agree with.</p>
        )}
        <One snapshot={found.snapshot} name="Your formula" column={own} />
        <Truths snapshot={found.snapshot} truth={truth} />
        <One snapshot={found.snapshot} name={`This run: ${run.title}`} column={run} />
      </div>
    </>
  );
}

function Numbers({ answer }: { answer: CreditAnswer }) {
  const [own, run] = answer.columns as readonly [Column, Column];
  return (
    <table className="parts previewnumbers">
      <caption className="visually-hidden">How well the credit agrees with the truth</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Credit</span>
          </th>
          {SHOWN.map((m) => (
            <th key={m.id} scope="col" title={`${m.definition} ${m.good}`}>
              {m.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[own, run].map((column, at) => (
          <tr key={at}>
            <th scope="row">{at === 0 ? 'Your formula' : `This run: ${column.title}`}</th>
            {SHOWN.map((m) => {
              const x = m.value(column);
              return (
                <td key={m.id} className="number">
                  {x === null ? '–' : m.text(x)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Truths({ snapshot, truth }: { snapshot: Snapshot; truth: Truth }) {
  if (!truth.values) return <p className="quiet">{truth.why ?? 'The truth is being computed.'}</p>;
  const name = truth.kind === 'exact' ? 'Exact advantage' : 'Estimated advantage';
  return (
    <figure>
      <figcaption>
        {name} <span className="quiet">what each step was really worth</span>
      </figcaption>
      <OneStrip snapshot={snapshot} id="exact" title={name} values={truth.values} />
    </figure>
  );
}

function One({ snapshot, name, column }: { snapshot: Snapshot; name: string; column: Column }) {
  return (
    <figure>
      <figcaption>{name}</figcaption>
      {column.A ? (
        <OneStrip snapshot={snapshot} id={column.id} title={name} values={column.A} />
      ) : (
        <p className="refused">{column.why}</p>
      )}
    </figure>
  );
}

type StripProps = { snapshot: Snapshot; id: string; title: string; values: Float32Array };

function OneStrip({ snapshot, id, title, values }: StripProps) {
  const cells = useCells(snapshot);
  const { layout, hasSigns } = useLayout(snapshot, 0.36);
  const limit = useMemo(() => limitOf(snapshot, values), [snapshot, values]);
  const layer = useMemo(() => ({ id, title, values }), [id, title, values]);
  return (
    <>
      <Strip {...{ snapshot, layer, limit, layout, hasSigns }} {...cells} />
      <SignedScale limit={limit} what="own scale" />
    </>
  );
}
