import { memo } from 'react';
import {
  Area,
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
import type { Metric } from '../../methods/analysis/metrics.ts';
import { count, short, value } from '../format.ts';
import { AlarmFlag } from '../monitor/AlarmFlag.tsx';
import { useAlarmLines } from '../monitor/alarmLines.ts';
import { useView } from '../stores/view.ts';
import { ChangeFlag } from '../timeline/ChangeFlag.tsx';
import { usePlotStory } from '../timeline/plotStory.ts';
import { MAX_LINES, rangeOfRows, type Row } from './rows.ts';
import { ticksOf } from './ticks.ts';

/** that of its box: known also while the box is hidden */
const HEIGHT = 128;
/** above curves, below axes and labels */
const VEIL = 450;
const MARGIN = { top: 6, right: 8, bottom: 0, left: 0 };

type Props = {
  readonly rows: Row[];
  readonly metric: Metric;
  /** thin lines, one a seed; 0 where there is only one line */
  readonly seeds: number;
  readonly firstSeed?: number;
  /** name of the thick line, and a dot at every point where points are few */
  readonly name: string;
  /** name of the dotted line, where there is one */
  readonly beside?: string | undefined;
  readonly hasDots: boolean;
};

/** The curve of a metric: a thick line, the seeds as thin ones, and their band. */
export const Plot = memo(function Plot({ rows, metric, seeds, firstSeed = 0, name, beside, hasDots }: Props) {
  const { changes, forkX, pastX } = usePlotStory();
  const alarms = useAlarmLines();
  const end = rows.at(-1)?.x ?? 0;
  const isByUpdate = useView((v) => v.xAxis) === 'update';
  const across = ticksOf(0, end, 5, true).at.filter((x) => x >= 0 && x <= end);
  const up = ticksOf(...(metric.range ?? rangeOfRows(rows)), 4);
  const [bottom, top] = metric.range ?? [up.at[0]!, up.at.at(-1)!];
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <ComposedChart data={rows} margin={MARGIN} accessibilityLayer>
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="x"
          type="number"
          domain={[0, 'dataMax']}
          ticks={across}
          tickFormatter={short}
          stroke="var(--muted)"
          tickLine={false}
          height={22}
          fontSize={11}
        />
        <YAxis
          domain={[bottom, top]}
          ticks={up.at}
          tickFormatter={up.text}
          stroke="var(--muted)"
          tickLine={false}
          width={54}
          fontSize={11}
        />
        <Tooltip
          isAnimationActive={false}
          formatter={(x) => (Array.isArray(x) ? x.map((y) => value(Number(y))).join(' … ') : value(Number(x)))}
          labelFormatter={(x) => (isByUpdate ? `update ${count(Number(x))}` : `${count(Number(x))} steps`)}
          contentStyle={{
            background: 'var(--surface)',
            border: '1px solid var(--line)',
            color: 'var(--text)',
            fontSize: 12,
          }}
        />
        {metric.id === 'success' && <ReferenceLine y={0.8} stroke="var(--muted)" strokeDasharray="2 4" />}
        <Area
          dataKey="band"
          name="band"
          stroke="none"
          fill="var(--accent)"
          fillOpacity={0.16}
          isAnimationActive={false}
          activeDot={false}
          connectNulls
        />
        {Array.from({ length: Math.min(seeds, MAX_LINES) }, (_, s) => (
          <Line
            key={s}
            dataKey={`s${s}`}
            name={`seed ${firstSeed + s}`}
            stroke="var(--thin)"
            strokeWidth={1}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls
          />
        ))}
        {rows.some((row) => row.most !== undefined) && (
          <Line
            dataKey="most"
            name="largest possible"
            stroke="var(--muted)"
            strokeWidth={1}
            strokeDasharray="6 4"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls
          />
        )}
        {rows.some((row) => row.start !== undefined) && (
          <Line
            dataKey="start"
            name={beside ?? ''}
            stroke="var(--muted)"
            strokeWidth={1}
            strokeDasharray="2 3"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls
          />
        )}
        <Line
          dataKey="iqm"
          name={name}
          stroke="var(--accent)"
          strokeWidth={2.25}
          dot={hasDots ? { r: 2 } : rows.length === 1}
          isAnimationActive={false}
          connectNulls
        />
        {forkX !== null && <ReferenceArea x1={0} x2={forkX} fill="var(--surface)" fillOpacity={0.55} zIndex={VEIL} />}
        {forkX !== null && <ReferenceLine x={forkX} stroke="var(--text)" strokeDasharray="2 3" />}
        {alarms.map(({ key, x, words }) => (
          <ReferenceLine
            key={key}
            x={x}
            stroke="var(--warm)"
            strokeDasharray="1 3"
            label={<AlarmFlag words={words} />}
          />
        ))}
        {changes.map(({ x, words, isOpen }) => (
          <ReferenceLine
            key={words}
            x={x}
            stroke="var(--warm)"
            strokeDasharray="4 3"
            label={<ChangeFlag words={words} isOpen={isOpen} />}
          />
        ))}
        {pastX !== null && end > pastX && (
          <ReferenceArea x1={pastX} x2={end} fill="var(--surface)" fillOpacity={0.75} zIndex={VEIL} />
        )}
        {pastX !== null && <ReferenceLine x={Math.min(pastX, end)} stroke="var(--accent)" strokeWidth={1.5} />}
      </ComposedChart>
    </ResponsiveContainer>
  );
});
