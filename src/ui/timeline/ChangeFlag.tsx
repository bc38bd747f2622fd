type Box = { readonly x: number; readonly y: number; readonly width: number };

/** The flag of a change on a chart: its words show under the pointer, or when the list points at it. */
export function ChangeFlag({ viewBox, words, isOpen }: { viewBox?: Box; words: string; isOpen: boolean }) {
  if (!viewBox) return null;
  const { x, y } = viewBox;
  const isRight = x > 160;
  return (
    <g className={isOpen ? 'eventflag open' : 'eventflag'}>
      <title>{words}</title>
      <path d={`M ${x - 6} ${y - 4} h 12 l -6 9 z`} fill="var(--warm)" />
      <text
        x={isRight ? x - 8 : x + 8}
        y={y + 8}
        textAnchor={isRight ? 'end' : 'start'}
        fontSize={11}
        fill="var(--text)"
        stroke="var(--surface)"
        strokeWidth={4}
        paintOrder="stroke"
      >
        {words}
      </text>
    </g>
  );
}
