import type { Column, CreditAnswer } from '../../worker/protocol.ts';
import { Mark } from './Mark.tsx';
import { barOf, MEASURES, type MeasureRow } from './measureRows.ts';

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

/** Every number of the comparison as a bar, a figure and a few plain words, with its definition one click away. */
export function MeasureTables({ answer }: { answer: CreditAnswer }) {
  const own = answer.columns.map((column, at): Row => ({ at, column }));
  const isExact = answer.truth.kind === 'exact';
  const references = answer.references.map((r): Row => ({ at: null, column: asColumn(r) }));
  return (
    <div className="measures">
      {MEASURES.map((measure) => (
        <MeasureTable key={measure.id} measure={measure} own={own} references={references} isExact={isExact} />
      ))}
    </div>
  );
}

type TableProps = { measure: MeasureRow; own: readonly Row[]; references: readonly Row[]; isExact: boolean };

function MeasureTable({ measure, own, references, isExact }: TableProps) {
  const { title, definition, good, value } = measure;
  // agreement of the truth with itself says nothing; its gradient does, because the batch is a sample
  const others = references.filter(
    ({ column }) => value(column) !== null && (column.id !== 'exact' || measure.id === 'gradCosine'),
  );
  return (
    <section className="measure">
      <table>
        <caption>
          <strong>{title}</strong> <span className="quiet">{good}</span>
        </caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Estimator</th>
            <th scope="col">Value</th>
            <th scope="col">In words</th>
          </tr>
        </thead>
        <tbody>
          {own.map((row) => (
            <MeasureLine key={row.at} measure={measure} row={row} isExact={isExact} />
          ))}
          {others.map((row) => (
            <MeasureLine key={row.column.id} measure={measure} row={row} isExact={isExact} />
          ))}
        </tbody>
      </table>
      <details>
        <summary>
          How it is measured<span className="visually-hidden">: {title}</span>
        </summary>
        <p className="quiet">{definition}</p>
      </details>
    </section>
  );
}

type LineProps = { measure: MeasureRow; row: Row; isExact: boolean };

function MeasureLine({ measure, row: { at, column }, isExact }: LineProps) {
  const x = measure.value(column);
  const isDeep = measure.id === 'bias' || measure.id === 'variance';
  const needsExact = isDeep || measure.id === 'gradCosine';
  const open = isExact || !needsExact ? 'nothing to measure (yet)' : 'needs exact values';
  const none = column.why !== null ? 'gives no credit here' : (isDeep && column.deepWhy) || open;
  const bar = x === null ? null : barOf(x, measure.range);
  return (
    <tr className={at === null ? 'reference' : undefined}>
      <th scope="row">
        {at !== null && <Mark at={at} />} {column.title}
      </th>
      <td>
        <span className="track" aria-hidden>
          {measure.range[0] < 0 && <span className="zero" />}
          {bar && (
            <span
              className={at === null ? 'fill' : `fill cat${at}`}
              style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
            />
          )}
        </span>
        <span className="number">{x === null ? '–' : measure.text(x)}</span>
      </td>
      <td className="words">{x === null ? none : measure.words(x, column)}</td>
    </tr>
  );
}
