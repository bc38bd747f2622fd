import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { Curve, GroupCurve } from '../../lab/analysis/bands.ts';
import type { Metric } from '../../slots/metrics/metrics.ts';
import { count, value } from '../format.ts';
import { bandBetween, GroupLegend, GroupPlot, lineThrough, type Place } from './GroupPlot.tsx';
import { dashOf, strokeOf } from '../charts/groupLines.ts';
import { thinned, within, X_WORDS, zoomed, type XAxis } from './lines.ts';

/** Places at which interquartile mean and band are taken. */
export const POINTS = 81;
/** Vertices of all thin lines together, and of one at most and at least. */
const VERTICES = 24_000;

export type Drawn = { readonly name: string; readonly lines: readonly Curve[] };
/** A part of the horizontal axis. */
export type Range = readonly [from: number, to: number];

type Props = {
  readonly raw: readonly Drawn[];
  readonly means: readonly (GroupCurve | null)[];
  readonly axis: XAxis;
  readonly metric: Metric;
  /** the part of the axis that is shown; null: all of it */
  readonly range: Range | null;
  readonly zoom: (range: Range | null) => void;
};

/** Every run as a thin line, in full inside the range that is shown, and the interquartile mean of each group with its band. */
export function CurvePlot({ raw, means, axis, metric, range, zoom }: Props) {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const lines = raw.flatMap((group) => group.lines);
  const end = Math.max(1e-9, ...lines.map(({ steps }) => steps.at(-1)!));
  const shown: Range = range ?? [0, end];
  const thin = useMemo(() => {
    const most = Math.max(40, Math.min(400, Math.floor(VERTICES / Math.max(1, raw.flatMap((g) => g.lines).length))));
    return raw.map((group) => group.lines.map((line) => thinned(range ? within(line, range) : line, most)));
  }, [raw, range]);
  const [low, high] = metric.range ?? rangeOf(thin.flat());
  // where all groups still have a mean
  const common = Math.min(shown[1], ...means.flatMap((curve) => curve?.steps.at(-1) ?? []));
  const here = Math.max(shown[0], Math.min(shown[1], at ?? common));
  const words = valuesAt(raw, means, here);
  return (
    <>
      <GroupPlot
        label={`${metric.title} of ${raw.length} groups`}
        x={{ from: shown[0], to: shown[1], label: X_WORDS[axis] }}
        y={{ from: low, to: high }}
        point={setAt}
        drag={zoom}
      >
        {(to) => (
          <>
            {means.map((curve, k) => curve?.band && <Band key={raw[k]!.name} to={to} curve={curve} k={k} />)}
            {thin.map((group, k) =>
              group.map((line, j) => (
                <path
                  key={`${k}-${j}`}
                  d={lineThrough(to, line.steps, line.success)}
                  className="thinline"
                  stroke={strokeOf(k)}
                />
              )),
            )}
            {means.map(
              (curve, k) =>
                curve && (
                  <path
                    key={raw[k]!.name}
                    d={lineThrough(to, curve.steps, curve.iqm)}
                    className="thickline"
                    stroke={strokeOf(k)}
                    strokeDasharray={dashOf(k)}
                  />
                ),
            )}
            {at !== null && <path d={`M${to.x(at)} ${to.y(low)}V${to.y(high)}`} className="cursorline" />}
          </>
        )}
      </GroupPlot>
      <GroupLegend names={raw.map(({ name }) => name)} />
      <div className="cursor">
        <label htmlFor={id}>Values at {count(here)}</label>
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          value={Math.round(((here - shown[0]) / (shown[1] - shown[0])) * 100)}
          aria-valuetext={words}
          onChange={(event) => setAt(shown[0] + (Number(event.target.value) / 100) * (shown[1] - shown[0]))}
        />
        <span className="quiet number" title={words}>
          {words}
        </span>
      </div>
      <Zoom range={range} shown={shown} here={here} end={end} zoom={zoom} />
    </>
  );
}

function Band({
  to,
  curve: { steps, band },
  k,
}: {
  readonly to: Place;
  readonly curve: GroupCurve;
  readonly k: number;
}) {
  return <path d={bandBetween(to, steps, band!.low, band!.high)} fill={strokeOf(k)} className="groupband" />;
}

function rangeOf(lines: readonly Curve[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { success } of lines)
    for (const y of success) {
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
  return low < high ? [low, high] : low === high ? [low - 0.5, low + 0.5] : [0, 1];
}

type ZoomProps = Pick<Props, 'range' | 'zoom'> & { readonly shown: Range; readonly here: number; readonly end: number };

/** What a drag does, for keys and fingers: narrower or wider around the place whose values are shown, along the axis, all. */
function Zoom({ range, shown, here, end, zoom }: ZoomProps) {
  const [from, to] = shown;
  const go = (at: number, factor: number): void => zoom(zoomed(shown, { at, factor, end }));
  const middle = (from + to) / 2;
  const step = (to - from) / 2;
  const hint = 'Zoom in around the values shown; or drag over the drawing';
  const tools = [
    { name: 'Zoom in', title: hint, isOff: to - from <= end / 1000, Icon: ZoomIn, act: () => go(here, 0.5) },
    { name: 'Zoom out', isOff: range === null, Icon: ZoomOut, act: () => go(middle, 2) },
    { name: 'Earlier', isOff: from <= 0, Icon: ChevronLeft, act: () => go(middle - step, 1) },
    { name: 'Later', isOff: to >= end * (1 - 1e-9), Icon: ChevronRight, act: () => go(middle + step, 1) },
  ];
  return (
    <div className="zoomtools" role="group" aria-label="Zoom">
      {tools.map(({ name, title = name, isOff, Icon, act }) => (
        <button
          key={name}
          type="button"
          className="icon"
          aria-label={name}
          title={title}
          disabled={isOff}
          onClick={act}
        >
          <Icon aria-hidden size={16} />
        </button>
      ))}
      {range !== null && (
        <button type="button" onClick={() => zoom(null)}>
          Show all
        </button>
      )}
    </div>
  );
}

/** The point of a mean that is nearest to a place; −1 where the mean has ended or not begun. */
export function placeOf(curve: GroupCurve | null | undefined, x: number): number {
  const [from, to] = [curve?.steps[0], curve?.steps.at(-1)];
  if (from === undefined || to === undefined || x < from - 1e-9 || x > to * (1 + 1e-9)) return -1;
  return Math.round(((x - from) / (to - from || 1)) * (POINTS - 1));
}

/** "GiGPO 0.81 [0.74, 0.86]; GRPO 0.6": the means at one place. */
function valuesAt(raw: readonly Drawn[], means: readonly (GroupCurve | null)[], x: number): string {
  return raw
    .map(({ name }, k) => {
      const curve = means[k];
      const at = placeOf(curve, x);
      if (!curve || at < 0) return `${name} –`;
      const band = curve.band ? ` [${value(curve.band.low[at])}, ${value(curve.band.high[at])}]` : '';
      return `${name} ${value(curve.iqm[at])}${band}`;
    })
    .join('; ');
}
