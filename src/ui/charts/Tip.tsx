import { count, value } from '../format.ts';
import { MAX_LINES, type Row } from './rows.ts';

type Props = {
  readonly row: Row | undefined;
  readonly isByUpdate: boolean;
  readonly name: string;
  readonly beside: string | undefined;
  readonly second: string | null;
  readonly firstSeed: number;
  /** what kept runs have at this place */
  readonly more: readonly (readonly [name: string, value: number | undefined])[];
};

/** Every number at one place of a chart, one a line, the thick curve first. */
export function Tip({ row, isByUpdate, name, beside, second, firstSeed, more }: Props) {
  if (!row) return null;
  const { band, most, start } = row;
  const seeds = Array.from({ length: MAX_LINES }, (_, s) => [`seed ${firstSeed + s}`, row[`s${s}`]] as const);
  const lines: (readonly [string, unknown])[] = [
    [name, row.iqm],
    ...seeds,
    [beside ?? '', start],
    ['largest possible', most],
    [second ?? '', row.second],
    ...more,
  ];
  return (
    <dl className="tip">
      <dt className="tiphead">{isByUpdate ? 'update' : 'steps'}</dt>
      <dd className="tiphead">{count(row.x)}</dd>
      {lines.map(([what, x]) =>
        typeof x === 'number' ? (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value(x)}</dd>
          </div>
        ) : null,
      )}
      {band && band[0] < band[1] && (
        <div>
          <dt>band</dt>
          <dd>
            {value(band[0])} … {value(band[1])}
          </dd>
        </div>
      )}
    </dl>
  );
}
