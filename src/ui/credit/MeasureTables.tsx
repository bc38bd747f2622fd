import { Fragment, useId, useState } from 'react';
import type { Column, CreditAnswer } from '../../worker/protocol.ts';
import { Mark } from './Mark.tsx';
import { barOf, bestOf, MEASURES, type MeasureRow } from './measureRows.ts';
import { useSlot } from './slots.ts';

type Row = { readonly at: number | null; readonly column: Column };

/** References as columns, so that they are read by the same rows. */
const asColumn = (r: CreditAnswer['references'][number]): Column => ({
  ...r,
  why: null,
  A: null,
  parts: [],
  deep: null,
  deepWhy: null,
});

/** agreement of the truth with itself says nothing; its gradient does, because the batch is a sample */
const isSaid = ({ id }: MeasureRow, { at, column }: Row): boolean =>
  at !== null || column.id !== 'exact' || id === 'gradCosine';

/**
 * The comparison in one table: an estimator a row, a measure a column, the best of each in bold. The head of a column
 * opens its definition, with every number of it in plain words.
 */
export function MeasureTables({ answer }: { answer: CreditAnswer }) {
  const own = answer.columns.map((column, at): Row => ({ at, column }));
  const rows = [...own, ...answer.references.map((r): Row => ({ at: null, column: asColumn(r) }))];
  const isExact = answer.truth.kind === 'exact';
  const [open, setOpen] = useState('');
  const id = useId();
  const best = new Map(
    MEASURES.map((m) => [
      m.id,
      bestOf(
        m,
        own.map(({ column }) => column),
      ),
    ]),
  );
  const shown = MEASURES.find((m) => m.id === open);
  return (
    <div className="measures">
      <div className="tablebox" tabIndex={0} role="region" aria-label="Estimators by measures">
        <table className="measuretable">
          <caption className="visually-hidden">
            Every estimator with every measure; the best of each measure is bold
          </caption>
          <thead>
            <tr>
              <th scope="col">Estimator</th>
              {MEASURES.map((m) => (
                <th key={m.id} scope="col">
                  <button
                    type="button"
                    className="inword"
                    title={m.definition}
                    aria-expanded={open === m.id}
                    aria-controls={id}
                    onClick={() => setOpen(open === m.id ? '' : m.id)}
                  >
                    {m.title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.at ?? row.column.id} className={row.at === null ? 'reference' : undefined}>
                <th scope="row">
                  {row.at !== null && <Mark at={row.at} />} {row.column.title}
                </th>
                {MEASURES.map((m) => (
                  <Cell key={m.id} measure={m} row={row} isExact={isExact} isBest={best.get(m.id)!.has(row.column)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div id={id} role="status">
        {!shown && <p className="quiet">The best of each measure is bold. Select a heading for its definition.</p>}
        {shown && (
          <>
            <p>
              <strong>{shown.title}.</strong> {shown.definition} {shown.good}
            </p>
            <p className="quiet">
              {own.map(({ at, column }) => {
                const x = shown.value(column);
                return (
                  <Fragment key={at}>
                    <Mark at={at!} /> {column.title}:{' '}
                    {x === null ? why(shown, column, isExact) : shown.words(x, column)}.{' '}
                  </Fragment>
                );
              })}
            </p>
          </>
        )}
      </div>
    </div>
  );
}

/** Why there is no number. */
function why({ id }: MeasureRow, column: Column, isExact: boolean): string {
  const isDeep = id === 'bias' || id === 'variance';
  if (column.why !== null) return 'gives no credit here';
  const open = isExact || (!isDeep && id !== 'gradCosine') ? 'nothing to measure (yet)' : 'needs exact values';
  return (isDeep && column.deepWhy) || open;
}

type CellProps = { measure: MeasureRow; row: Row; isExact: boolean; isBest: boolean };

function Cell({ measure, row, isExact, isBest }: CellProps) {
  const slot = useSlot();
  const { at, column } = row;
  const x = isSaid(measure, row) ? measure.value(column) : null;
  if (x === null) {
    const reason = at === null ? '' : why(measure, column, isExact);
    return (
      <td className="quiet" title={reason}>
        – <span className="visually-hidden">{reason}</span>
      </td>
    );
  }
  const bar = barOf(x, measure.range);
  return (
    <td title={measure.words(x, column)}>
      {isBest ? (
        <strong className="number">
          {measure.text(x)}
          <span className="visually-hidden"> (best)</span>
        </strong>
      ) : (
        <span className="number">{measure.text(x)}</span>
      )}
      <span className="track" aria-hidden>
        {measure.range[0] < 0 && <span className="zero" />}
        <span
          className={at === null ? 'fill' : `fill cat${slot(at)}`}
          style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
        />
      </span>
    </td>
  );
}
