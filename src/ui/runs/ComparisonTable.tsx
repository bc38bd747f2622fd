import type { Comparison, Profile } from '../../lab/analysis/comparison.ts';
import { comparisonCells, comparisonCsv, comparisonNotes, crossingNotes } from '../../lab/analysis/comparisonTable.ts';
import type { ScoreKind } from '../../lab/analysis/strata.ts';
import { download } from '../download.ts';
import { Swatch } from './GroupPlot.tsx';
import { MOST_DRAWN } from './members.ts';

type Props = {
  readonly comparison: Comparison;
  readonly profiles: readonly Profile[];
  readonly score: ScoreKind;
  /** how many groups this browser keeps, whether they are compared here or not */
  readonly tried: number;
};

/** Beside every p-value: how much was tried until one looked good. */
export const triedWords = (tried: number, compared: number): string =>
  `p is corrected for ${compared === 1 ? 'the one comparison' : `the ${compared} comparisons`} of this table (Holm), not for the ${tried.toLocaleString('en')} configurations that this browser keeps: the more are tried, the more often one looks better by chance.`;

/** The same table as that of the command `compare`, and how to read it. */
export function ComparisonTable({ comparison, profiles, score, tried }: Props) {
  const { columns, rows } = comparisonCells(comparison, true);
  const notes = [...comparisonNotes(comparison, score), ...crossingNotes(profiles)];
  return (
    <section className="chart comparison" aria-label="Comparison">
      <div className="charthead">
        <h3>Comparison</h3>
        <button type="button" onClick={() => download('comparison.csv', comparisonCsv(comparison))}>
          CSV
        </button>
      </div>
      <div className="tablebox" tabIndex={0} role="region" aria-label="Table of the comparison">
        <table>
          <caption className="visually-hidden">Every group against {rows[0]![0]}</caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, k) => (
              <tr key={row[0]}>
                {row.map((cell, j) =>
                  j === 0 ? (
                    <th key={columns[j]} scope="row" title={cell}>
                      {k < MOST_DRAWN && <Swatch k={k} />} {cell}
                    </th>
                  ) : (
                    <td key={columns[j]}>
                      <Stacked text={cell} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > 1 && <p className="quiet">{triedWords(tried, rows.length - 1)}</p>}
      <details className="twin">
        <summary>How to read this table</summary>
        <ul className="notes quiet">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** A number with its interval, or why it has none, below it: side by side they would not all fit. */
function Stacked({ text }: { readonly text: string }) {
  const at = text.search(/ [[(]/);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)} <span className="quiet interval">{text.slice(at + 1)}</span>
    </>
  );
}
