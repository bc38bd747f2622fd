import { memo } from 'react';
import {
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { Metric } from '../../slots/metrics/metrics.ts';
import type { GhostLine } from '../ghosts/lines.ts';
import { AlarmFlag } from '../monitor/AlarmFlag.tsx';
import { useAlarmLines } from '../monitor/alarmLines.ts';
import { useXAxis } from './useXAxis.ts';
import { ChangeFlag } from '../timeline/ChangeFlag.tsx';
import { usePlotStory } from '../timeline/plotStory.ts';
import { Lines } from './Lines.tsx';
import { needsOwnAxis, rangeOfRows, type Row } from './rows.ts';
import { ACROSS, UP } from './axis.ts';
import { ticksOf } from './ticks.ts';
import { Tip } from './Tip.tsx';

/** that of its box: known also while the box is hidden */
const HEIGHT = 128;
/** above curves, below axes and labels */
const VEIL = 450;
/** Half of the last number of the x axis lies right of the plot. */
const MARGIN = { top: 6, right: 16, bottom: 0, left: 0 };
const NO_GHOSTS: readonly GhostLine[] = [];

/** Part of the x axis that is shown. */
export type Range = readonly [from: number, to: number];

export type PlotProps = {
  readonly rows: Row[];
  readonly metric: Metric;
  /** thin lines, one a seed; 0 where there is only one line */
  readonly seeds: number;
  readonly firstSeed?: number;
  /** name of the thick line, and a dot at every point where points are few */
  readonly name: string;
  /** name of the dotted line, where there is one */
  readonly beside?: string | undefined;
  /** what the dotted line can be, where the thick one knows no such bounds */
  readonly besideRange?: readonly [number, number] | undefined;
  readonly hasDots: boolean;
  readonly ghosts?: readonly GhostLine[];
};

type Props = PlotProps & {
  readonly height?: number;
  /** name of the second metric in the rows */
  readonly second?: string | null;
  readonly range?: Range | null;
  /** what a pointer that is dragged over the chart has marked so far, and how it begins, continues and ends */
  readonly marked?: Range | null;
  readonly drag?: { start(x: number): void; move(x: number): void; end(): void };
};

/** Places of everything that is drawn, from 0 or the first one shown to the last. */
function spanOf(rows: readonly Row[], ghosts: readonly GhostLine[]): Range {
  return [0, Math.max(rows.at(-1)?.x ?? 0, ...ghosts.map(({ points }) => points.at(-1)?.[0] ?? 0))];
}

/** Lowest and highest of what is drawn within a range. */
function heights(rows: readonly Row[], ghosts: readonly GhostLine[], [from, to]: Range): [number, number] {
  const isIn = (x: number): boolean => x >= from && x <= to;
  const ys = ghosts.flatMap(({ points }) => points.filter(([x]) => isIn(x)).map(([, y]) => y));
  return rangeOfRows([...rows.filter(({ x }) => isIn(x)), ...ys.map((iqm) => ({ x: 0, iqm }))]);
}

const nearest = (points: readonly (readonly [number, number])[], x: number): number | undefined =>
  points.find(([at]) => at === x)?.[1];

type Moved = { readonly activeLabel?: string | number | undefined };

/** The curve of a metric: a thick line, the seeds as thin ones, their band, and kept runs in gray. */
export const Plot = memo(function Plot(props: Props) {
  const { rows, metric, seeds, firstSeed = 0, name, beside, hasDots } = props;
  const { ghosts = NO_GHOSTS, height = HEIGHT, second = null, range = null, marked = null, drag } = props;
  const { changes, forkX, pastX } = usePlotStory();
  const alarms = useAlarmLines();
  const isByUpdate = useXAxis() === 'update';
  const span = range ?? spanOf(rows, ghosts);
  const [start, end] = span;
  const across = ticksOf(start, end, 5, true).at.filter((x) => x >= start && x <= end);
  const up = ticksOf(...(metric.range ?? heights(rows, ghosts, span)), 4);
  const [bottom, top] = metric.range ?? [up.at[0]!, up.at.at(-1)!];
  const other =
    second === null
      ? null
      : ticksOf(...rangeOfRows(rows.map(({ x, second: iqm }) => (iqm === undefined ? { x } : { x, iqm }))), 4);
  // a second metric has the right side to itself
  const own = second === null && needsOwnAxis(rows, props.besideRange) ? props.besideRange : undefined;
  const labelOf = ({ activeLabel }: Moved): number => Number(activeLabel);
  const more = (x: number): [string, number | undefined][] => [
    ...ghosts.map((g): [string, number | undefined] => [g.name, nearest(g.points, x)]),
  ];
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart
        data={rows}
        margin={MARGIN}
        accessibilityLayer
        {...(drag && {
          onMouseDown: (at: Moved) => drag.start(labelOf(at)),
          onMouseMove: (at: Moved) => drag.move(labelOf(at)),
          onMouseUp: () => drag.end(),
        })}
      >
        <CartesianGrid stroke="var(--line)" vertical={false} yAxisId="main" />
        <XAxis {...ACROSS} domain={[start, Math.max(end, start + 1)]} allowDataOverflow ticks={across} />
        <YAxis {...UP} yAxisId="main" domain={[bottom, top]} allowDataOverflow ticks={up.at} tickFormatter={up.text} />
        {other && (
          <YAxis
            {...UP}
            yAxisId="second"
            orientation="right"
            domain={[other.at[0]!, other.at.at(-1)!]}
            ticks={other.at}
            tickFormatter={other.text}
            stroke="var(--warm)"
          />
        )}
        <Tooltip
          isAnimationActive={false}
          content={({ active, payload }) => {
            const row = active ? (payload[0]?.payload as Row | undefined) : undefined;
            return <Tip {...{ row, isByUpdate, name, beside, second, firstSeed }} more={row ? more(row.x) : []} />;
          }}
        />
        {metric.id === 'success' && (
          <ReferenceLine yAxisId="main" y={0.8} stroke="var(--muted)" strokeDasharray="2 4" />
        )}
        <Lines rows={rows} seeds={seeds} ghosts={ghosts} own={own} />
        {other && (
          <Line
            className="secondline"
            yAxisId="second"
            dataKey="second"
            stroke="var(--warm)"
            strokeWidth={1.75}
            strokeDasharray="9 3 2 3"
            dot={false}
            isAnimationActive={false}
            connectNulls
          />
        )}
        <Line
          yAxisId="main"
          dataKey="iqm"
          name={name}
          stroke="var(--accent)"
          strokeWidth={2.25}
          dot={hasDots ? { r: 2 } : rows.length === 1}
          isAnimationActive={false}
          connectNulls
        />
        {forkX !== null && (
          <ReferenceArea yAxisId="main" x1={0} x2={forkX} fill="var(--surface)" fillOpacity={0.55} zIndex={VEIL} />
        )}
        {forkX !== null && <ReferenceLine yAxisId="main" x={forkX} stroke="var(--text)" strokeDasharray="2 3" />}
        {marked && (
          <ReferenceArea yAxisId="main" x1={marked[0]} x2={marked[1]} fill="var(--accent)" fillOpacity={0.15} />
        )}
        {alarms.map(({ key, x, words }) => (
          <ReferenceLine
            key={key}
            yAxisId="main"
            x={x}
            stroke="var(--warm)"
            strokeDasharray="1 3"
            label={<AlarmFlag words={words} />}
          />
        ))}
        {changes.map(({ x, words, isOpen }) => (
          <ReferenceLine
            key={words}
            yAxisId="main"
            x={x}
            stroke="var(--warm)"
            strokeDasharray="4 3"
            label={<ChangeFlag words={words} isOpen={isOpen} />}
          />
        ))}
        {pastX !== null && end > pastX && (
          <ReferenceArea yAxisId="main" x1={pastX} x2={end} fill="var(--surface)" fillOpacity={0.75} zIndex={VEIL} />
        )}
        {pastX !== null && (
          <ReferenceLine yAxisId="main" x={Math.min(pastX, end)} stroke="var(--accent)" strokeWidth={1.5} />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
});
