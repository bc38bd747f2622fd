import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts';
import { useId } from 'react';
import type { GhostLine } from '../ghosts/lines.ts';
import { pathOf } from './frame.ts';
import { MAX_LINES, type Row } from './rows.ts';

type Props = {
  readonly rows: readonly Row[];
  readonly seeds: number;
  readonly ghosts: readonly GhostLine[];
  /** ends of the axis of the dotted line, where it has one of its own */
  readonly own: readonly [number, number] | undefined;
};

/** Dashes of the kept runs: gray alone would not tell them apart. */
export const GHOST_DASHES = ['', '7 3', '2 3'] as const;

/**
 * Everything under the thick line: kept runs in gray, the band, the seeds, what is drawn beside. Each is a path of its
 * own: what recharts does for a line (store, points, clip, focus) costs more than drawing it.
 */
export function Lines({ rows, seeds, ghosts, own }: Props) {
  const area = usePlotArea();
  const x = useXAxisScale();
  const y = useYAxisScale('main');
  const clip = useId();
  if (!area || !x || !y) return null;
  const [low, high] = own ?? [0, 1];
  const share = (value: unknown): number => area.y + area.height * (1 - (Number(value) - low) / (high - low));
  const place = (scale: (value: number) => unknown, at: number, value: unknown): [number, number] => [
    Number(x(at)),
    typeof value === 'number' ? Number(scale(value)) : NaN,
  ];
  const line = (key: string, scale: (value: number) => unknown = (value) => y(value)): string =>
    pathOf(rows.filter((row) => row[key] !== undefined).map((row) => place(scale, row.x, row[key])));
  const banded = rows.filter((row) => row.band !== undefined);
  const band = [
    ...banded.map((row) => place(y, row.x, row.band![1])),
    ...banded.map((row) => place(y, row.x, row.band![0])).reverse(),
  ];
  const right = area.x + area.width + 4;
  return (
    <>
      {own?.map((end) => (
        <text key={end} x={right} y={share(end) + 4} fontSize={11} fill="var(--text)">
          {end}
        </text>
      ))}
      <g clipPath={`url(#${clip})`} fill="none">
        <clipPath id={clip}>
          <rect {...area} />
        </clipPath>
        {ghosts.map(({ points }, k) => (
          <path
            key={k}
            className="ghostline"
            stroke="var(--muted)"
            strokeWidth={1.5}
            strokeDasharray={GHOST_DASHES[k]}
            d={pathOf(points.map(([at, value]) => place(y, at, value)))}
          />
        ))}
        {band.length > 0 && <path d={`${pathOf(band)}Z`} fill="var(--accent)" fillOpacity={0.16} />}
        {Array.from({ length: Math.min(seeds, MAX_LINES) }, (_, s) => (
          <path key={s} d={line(`s${s}`)} stroke="var(--thin)" strokeWidth={1} />
        ))}
        <path d={line('most')} stroke="var(--muted)" strokeWidth={1} strokeDasharray="6 4" />
        <path
          d={own ? line('start', share) : line('start')}
          stroke="var(--text)"
          strokeWidth={1.25}
          strokeDasharray="2 3"
        />
      </g>
    </>
  );
}
