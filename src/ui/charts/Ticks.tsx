type Props = {
  readonly at: readonly number[];
  readonly x: (value: number) => number;
  /** first and last height of the lines */
  readonly from: number;
  readonly to: number;
  readonly words: (value: number) => string;
};

/** Lines at some values of an axis along the bottom, with what they are below. */
export function Ticks({ at, x, from, to, words }: Props) {
  return at.map((value) => (
    <g key={value}>
      <path className="gridline" d={`M${x(value)} ${from}V${to}`} />
      <text x={x(value)} y={to + 14} textAnchor="middle">
        {words(value)}
      </text>
    </g>
  ));
}
