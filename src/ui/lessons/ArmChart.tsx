import { useId, useMemo, useState } from 'react';
import {
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import type { Metric } from '../../slots/metrics/metrics.ts';
import { ACROSS, UP } from '../charts/axis.ts';
import { pathOf } from '../charts/frame.ts';
import { dashOf, strokeOf } from '../charts/groupLines.ts';
import { ticksOf } from '../charts/ticks.ts';
import { short, value } from '../format.ts';
import type { ArmCurve } from './client.ts';

export type ArmLine = { readonly label: string; readonly curve: ArmCurve };
type Props = {
  readonly metric: Metric;
  readonly lines: readonly ArmLine[];
  /** an update of one arm costs other steps than one of another: they are compared over steps */
  readonly isBySteps: boolean;
};
/** What the curves stand against. */
type Axis = 'x' | 'steps';
const AXES: Readonly<Record<Axis, { readonly one: string; readonly head: string }>> = {
  x: { one: 'update', head: 'Update' },
  steps: { one: 'environment steps', head: 'Environment steps' },
};
type Row = { readonly x: number; readonly [arm: string]: number };

const HEIGHT = 190;
const MARGIN = { top: 6, right: 16, bottom: 0, left: 0 };

/** Curves of several arms over updates or steps: each seed a thin line, their mean a thick one. */
export function ArmChart({ metric, lines, isBySteps }: Props) {
  const id = useId();
  const [chosen, choose] = useState<Axis | null>(null);
  const axis = chosen ?? (isBySteps ? 'steps' : 'x');
  const rows = useMemo(() => rowsOf(lines, axis), [lines, axis]);
  const last = Math.max(1, rows.at(-1)?.x ?? 1);
  const [low, high] = metric.range ?? rangeOf(lines);
  const up = ticksOf(low, high, 4);
  const [bottom, top] = metric.range ?? [up.at[0]!, up.at.at(-1)!];
  const across = ticksOf(0, last, 5, true);
  return (
    <figure className="armchart" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{metric.title}</strong> <span className="quiet">({metric.unit})</span>{' '}
        <label className="inline">
          by{' '}
          <select value={axis} onChange={(event) => choose(event.target.value as Axis)}>
            {(['x', 'steps'] as const).map((one) => (
              <option key={one} value={one}>
                {AXES[one].one}
              </option>
            ))}
          </select>
        </label>
        {isBySteps && (
          <span className="quiet"> Updates cost different numbers of environment steps here; all are charged.</span>
        )}
        <ul className="armlegend">
          {lines.map(({ label, curve }, k) => (
            <li key={label}>
              <svg width="26" height="8" viewBox="0 0 26 8" aria-hidden>
                <path d="M0 4h26" stroke={strokeOf(k)} strokeWidth="2.5" strokeDasharray={dashOf(k)} />
              </svg>
              {label}: {value(meanAt(curve, lastPlace(curve)))} {placeWords(curve, axis)}
            </li>
          ))}
        </ul>
      </figcaption>
      <div aria-hidden>
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <ComposedChart data={rows} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--line)" vertical={false} yAxisId="main" />
            <XAxis
              {...ACROSS}
              domain={[0, last]}
              ticks={across.at.filter((x) => x <= last)}
              tickFormatter={(x: number) => (axis === 'steps' ? short(x) : String(x))}
            />
            <YAxis
              {...UP}
              yAxisId="main"
              domain={[bottom, top]}
              allowDataOverflow
              ticks={up.at}
              tickFormatter={up.text}
            />
            <Seeds lines={lines} axis={axis} />
            {lines.map(({ label }, k) => (
              <Line
                key={label}
                yAxisId="main"
                dataKey={`arm${k}`}
                stroke={strokeOf(k)}
                strokeWidth={2.5}
                strokeDasharray={dashOf(k)}
                dot={rows.length === 1}
                isAnimationActive={false}
                connectNulls
              />
            ))}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <AsTable rows={rows} lines={lines} title={metric.title} axis={axis} />
    </figure>
  );
}

/** The thin lines, each a path: what recharts does for a line costs more than drawing it. */
function Seeds({ lines, axis }: { readonly lines: readonly ArmLine[]; readonly axis: Axis }) {
  const area = usePlotArea();
  const x = useXAxisScale();
  const y = useYAxisScale('main');
  if (!area || !x || !y) return null;
  return (
    <g fill="none" opacity={0.4}>
      {lines.flatMap(({ label, curve }, k) =>
        curve.seeds.map((seed, s) => (
          <path
            key={`${label} ${s}`}
            stroke={strokeOf(k)}
            strokeWidth={1}
            d={pathOf(
              curve[axis].flatMap((at, p) =>
                Number.isNaN(seed[p]!) ? [] : [[Number(x(at)), Number(y(seed[p]!))] as const],
              ),
            )}
          />
        )),
      )}
    </g>
  );
}

/** Mean over the seeds at a place of the curve; NaN where it was not measured. */
function meanAt({ seeds }: ArmCurve, place: number): number {
  const all = seeds.map((seed) => seed[place]!).filter((y) => !Number.isNaN(y));
  return all.length === 0 ? NaN : all.reduce((a, b) => a + b, 0) / all.length;
}

function lastPlace(curve: ArmCurve): number {
  for (let k = curve.x.length - 1; k > 0; k--) if (!Number.isNaN(meanAt(curve, k))) return k;
  return 0;
}

/** "at update 100", "after 42 k steps" */
function placeWords(curve: ArmCurve, axis: Axis): string {
  const at = curve[axis][lastPlace(curve)] ?? 0;
  return axis === 'x' ? `at update ${at}` : `after ${short(at)} steps`;
}

function rowsOf(lines: readonly ArmLine[], axis: Axis): Row[] {
  const rows = new Map<number, Record<string, number>>();
  for (const [k, { curve }] of lines.entries())
    for (const [place, x] of curve[axis].entries()) {
      const mean = meanAt(curve, place);
      if (!Number.isNaN(mean)) rows.set(x, { ...(rows.get(x) ?? { x }), [`arm${k}`]: mean });
    }
  return [...rows.values()].sort((a, b) => a['x']! - b['x']!) as Row[];
}

function rangeOf(lines: readonly ArmLine[]): [number, number] {
  const all = lines.flatMap(({ curve }) => curve.seeds.flat()).filter((y) => Number.isFinite(y));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return low < high ? [low, high] : Number.isFinite(low) ? [low - 0.5, low + 0.5] : [0, 1];
}

/** The means as a table; made only when asked for. */
function AsTable({
  rows,
  lines,
  title,
  axis,
}: {
  readonly axis: Axis;
  readonly rows: readonly Row[];
  readonly lines: readonly ArmLine[];
  readonly title: string;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button type="button" className="chip" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide table' : 'Show as table'}
      </button>
      {isShown && (
        <div className="tablebox" tabIndex={0} role="region" aria-label={`Table of ${title}`}>
          <table>
            <caption className="visually-hidden">
              {title} by {AXES[axis].one}, mean over the seeds
            </caption>
            <thead>
              <tr>
                <th scope="col">{AXES[axis].head}</th>
                {lines.map(({ label }) => (
                  <th scope="col" key={label}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.x}>
                  <th scope="row">{Math.round(row.x)}</th>
                  {lines.map(({ label }, k) => (
                    <td key={label}>{value(row[`arm${k}`])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
