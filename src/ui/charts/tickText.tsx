import type { XAxisTickContentProps, YAxisTickContentProps } from 'recharts';

type Props = Pick<
  XAxisTickContentProps | YAxisTickContentProps,
  'x' | 'y' | 'textAnchor' | 'verticalAnchor' | 'fill' | 'payload' | 'index' | 'tickFormatter'
>;

/** How far the line of a text is below where it stands, by what of it stands there. */
const DROP = { start: '0.71em', middle: '0.355em', end: '0em' } as const;

/**
 * The number at a tick, as plain text. The library's own wraps at the width of the axis, which measures every word, and
 * so lays out the whole page, while a chart is drawn.
 */
export function tickText({ x, y, textAnchor, verticalAnchor, fill, payload, index, tickFormatter }: Props) {
  return (
    <text
      className="recharts-cartesian-axis-tick-value"
      x={x}
      y={y}
      dy={DROP[verticalAnchor]}
      textAnchor={textAnchor}
      fill={fill}
      fontSize={11}
    >
      {tickFormatter ? tickFormatter(payload.value, index) : payload.value}
    </text>
  );
}
