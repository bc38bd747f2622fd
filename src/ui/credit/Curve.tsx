import type { Column } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { DASHES, Mark, markPath } from './Mark.tsx';
import { useSlot } from './slots.ts';

const WIDTH = 360;
const HEIGHT = 190;
const LEFT = 34;
const BOTTOM = 32;
const TOP = 8;

const two = (x: number): string => signed(Number(x.toFixed(2)));

/** Direction of the update against the number of task groups in a batch: where it levels off is bias, how fast is noise. */
export function Curve({ columns, groupSize }: { columns: readonly Column[]; groupSize: number }) {
  const slot = useSlot();
  const drawn = columns.flatMap((column, at) => (column.deep ? [{ at, column, curve: column.deep.curve }] : []));
  if (drawn.length === 0) return <p className="quiet">The curve appears once fresh batches have been scored.</p>;
  const sizes = drawn[0]!.curve.map((c) => c.groups);
  const low = Math.min(0, ...drawn.flatMap(({ curve }) => curve.map((c) => c.low)));
  const floor = low < 0 ? Math.max(-1, Math.floor(low * 5) / 5) : 0;
  const x = (k: number): number => LEFT + 14 + (k * (WIDTH - LEFT - 28)) / Math.max(1, sizes.length - 1);
  const y = (c: number): number => TOP + ((1 - c) * (HEIGHT - TOP - BOTTOM)) / (1 - floor);
  const ticks = [1, 0.5, 0, ...(floor < 0 ? [floor] : [])];
  const last = drawn.map(({ column, curve }) => `${column.title} ${two(curve.at(-1)!.median)}`).join(', ');
  const summary = `Cosine with the exact gradient for batches of ${sizes[0]} to ${sizes.at(-1)} task groups; at the largest: ${last}.`;
  return (
    <div className="curve">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
        {ticks.map((c) => (
          <g key={c}>
            <path d={`M${LEFT} ${y(c)}H${WIDTH - 6}`} className={c === 0 ? 'axis' : 'gridline'} />
            <text x={LEFT - 6} y={y(c) + 4} textAnchor="end">
              {c === 0 ? '0' : two(c)}
            </text>
          </g>
        ))}
        {sizes.map((b, k) => (
          <text key={b} x={x(k)} y={HEIGHT - BOTTOM + 15} textAnchor="middle">
            {b}
          </text>
        ))}
        <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 3} textAnchor="middle">
          task groups of {groupSize} episodes in the batch
        </text>
        {drawn.map(({ at, curve }) => {
          // side by side, so that equal curves do not hide each other
          const shift = (at - (columns.length - 1) / 2) * 5;
          const line = curve.map((c, k) => `${k === 0 ? 'M' : 'L'}${x(k) + shift} ${y(c.median)}`).join('');
          return (
            <g key={at} className={`cat${slot(at)}`}>
              <path d={line} fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray={DASHES[slot(at) % 4]} />
              {curve.map((c, k) => (
                <g key={c.groups}>
                  <path d={`M${x(k) + shift} ${y(c.low)}V${y(c.high)}`} stroke="currentColor" strokeWidth="1.2" />
                  <path d={markPath(slot(at), x(k) + shift, y(c.median), 4)} fill="currentColor" />
                </g>
              ))}
            </g>
          );
        })}
      </svg>
      <p className="keyline">
        {drawn.map(({ at, column }) => (
          <span key={at}>
            <Mark at={at} /> {column.title}
          </span>
        ))}
      </p>
      <details>
        <summary>Numbers of the curve</summary>
        <div className="tablebox" tabIndex={0} role="region" aria-label="Cosine against batch size">
          <table>
            <caption>
              Median of {drawn[0]!.curve[0]!.subsets} random subsets, quartiles in brackets. Subsets are drawn from the
              stored batch and {drawn[0]!.column.deep!.batches} fresh ones.
            </caption>
            <thead>
              <tr>
                <th scope="col">Groups</th>
                {drawn.map(({ at, column }) => (
                  <th key={at} scope="col">
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sizes.map((b, k) => (
                <tr key={b}>
                  <th scope="row">{b}</th>
                  {drawn.map(({ at, curve }) => (
                    <td key={at}>
                      {two(curve[k]!.median)} ({two(curve[k]!.low)} … {two(curve[k]!.high)})
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
