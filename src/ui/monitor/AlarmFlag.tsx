type Box = { readonly x: number; readonly y: number };

/** The head of an alarm's line on a chart: an exclamation mark, its words under the pointer. */
export function AlarmFlag({ viewBox, words }: { viewBox?: Box; words: string }) {
  if (!viewBox) return null;
  return (
    <g>
      <title>{words}</title>
      <circle cx={viewBox.x} cy={viewBox.y + 2} r={6} fill="var(--warm)" />
      <text x={viewBox.x} y={viewBox.y + 6} textAnchor="middle" fontSize={10} fontWeight={700} fill="var(--surface)">
        !
      </text>
    </g>
  );
}
