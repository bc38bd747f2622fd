import { useState } from 'react';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { count, value } from '../format.ts';
import { placeOfPoint } from './rows.ts';

type Props = { series: SeriesFrame; metric: number; title: string; firstSeed: number };

/** The plotted numbers as a table; made only when asked for. */
export function ChartTable(props: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide table' : 'Show as table'}
      </button>
      {isShown && <CurveNumbers {...props} />}
    </>
  );
}

/** A row for every place of the curve, a column for every seed. */
export function CurveNumbers({ series, metric, title, firstSeed }: Props) {
  const at = (s: number, k: number): number => series.values[(metric * series.S + s) * series.points + k]!;
  const rows = Array.from({ length: series.points }, (_, k) => k).filter((k) => !Number.isNaN(at(0, k)));
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label={`Table of ${title}`}>
      <table>
        <caption className="visually-hidden">{title} by update and seed</caption>
        <thead>
          <tr>
            <th scope="col">Update</th>
            <th scope="col">Steps</th>
            {Array.from({ length: series.S }, (_, s) => (
              <th scope="col" key={s}>
                Seed {firstSeed + s}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((k) => (
            <tr key={k}>
              <th scope="row">{placeOfPoint(series, k, metric, 'update')}</th>
              <td>{count(placeOfPoint(series, k, metric, 'envSteps'))}</td>
              {Array.from({ length: series.S }, (_, s) => (
                <td key={s}>{value(at(s, k))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
