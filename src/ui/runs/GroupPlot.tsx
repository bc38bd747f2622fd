import { useCallback, useId, useRef, useState, type ReactNode } from 'react';
import { dashOf, strokeOf } from '../charts/groupLines.ts';
import { ticksOf } from '../charts/ticks.ts';
import { short } from '../format.ts';

/** Of a drawing before its room is known, and at most; and its height. */
const WIDTH = 720;
const HEIGHT = 300;
const LEFT = 46;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 40;
/** A shorter drag, as a share of the width, is a click. */
const LEAST_DRAG = 0.02;

/** From data to the drawing, and from the drawing's left edge back. */
export type Place = { x(value: number): number; y(value: number): number };

type Props = {
  readonly label: string;
  readonly x: { readonly from: number; readonly to: number; readonly label: string };
  /** `isPlain`: without numbers, because its places are names */
  readonly y: { readonly from: number; readonly to: number; readonly isPlain?: boolean };
  /** where a pointer is, in data */
  readonly point?: (x: number | null) => void;
  /** a pointer has been dragged from one place to another */
  readonly drag?: (range: readonly [number, number]) => void;
  readonly children: (place: Place) => ReactNode;
};

/** The d of a line through points. */
export function lineThrough(place: Place, x: readonly number[], y: readonly number[]): string {
  return x.map((at, k) => `${k === 0 ? 'M' : 'L'}${place.x(at).toFixed(1)} ${place.y(y[k]!).toFixed(1)}`).join('');
}

/** The d of the area between two lines. */
export const bandBetween = (
  place: Place,
  x: readonly number[],
  low: readonly number[],
  high: readonly number[],
): string => `${lineThrough(place, x, high)}${lineThrough(place, x.toReversed(), low.toReversed()).replace('M', 'L')}Z`;

/** The width that there is for a drawing: its letters are as large as all others. */
export function useRoom(): [attach: (box: Element | null) => void, width: number] {
  const [width, setWidth] = useState(WIDTH);
  const observer = useRef<ResizeObserver | null>(null);
  const attach = useCallback((box: Element | null): void => {
    observer.current?.disconnect();
    if (!box) return;
    observer.current = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.round(entry!.contentRect.width))));
    observer.current.observe(box);
  }, []);
  return [attach, width];
}

/** Two axes with round numbers, and what is drawn between them. */
export function GroupPlot({ label, x, y, point, drag, children }: Props) {
  const [attach, width] = useRoom();
  const clip = useId();
  const [dragged, setDragged] = useState<readonly [from: number, to: number] | null>(null);
  const left = y.isPlain ? RIGHT : LEFT;
  const wide = x.to - x.from || 1;
  const high = y.to - y.from || 1;
  const place: Place = {
    x: (value) => left + ((value - x.from) / wide) * (width - left - RIGHT),
    y: (value) => TOP + ((y.to - value) / high) * (HEIGHT - TOP - BOTTOM),
  };
  const across = ticksOf(x.from, x.to, width < 480 ? 4 : 6);
  const up = ticksOf(y.from, y.to, 5);
  const isLarge = x.to >= 10_000;
  const isOn = (at: number, from: number, to: number): boolean => at >= from - 1e-9 && at <= to * (1 + 1e-9) + 1e-9;
  const shareAt = (event: React.PointerEvent<SVGSVGElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return (((event.clientX - box.left) / box.width) * width - left) / (width - left - RIGHT);
  };
  const inside = (share: number): number => x.from + Math.max(0, Math.min(1, share)) * wide;
  const tell = (event: React.PointerEvent<SVGSVGElement>): void => {
    const at = shareAt(event);
    point?.(at < 0 || at > 1 ? null : inside(at));
    if (dragged) setDragged([dragged[0], inside(at)]);
  };
  const begin = (event: React.PointerEvent<SVGSVGElement>): void => {
    const at = shareAt(event);
    if (event.button !== 0 || at < 0 || at > 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged([inside(at), inside(at)]);
  };
  const end = (): void => {
    setDragged(null);
    if (!dragged) return;
    const [a, b] = dragged.toSorted((p, q) => p - q) as [number, number];
    if (b - a > LEAST_DRAG * wide) drag?.([a, b]);
  };
  return (
    <div className="plotroom" ref={attach}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={label}
        className="groupplot"
        data-zooms={drag !== undefined}
        {...(point && { onPointerMove: tell, onPointerLeave: () => point(null) })}
        {...(drag && { onPointerDown: begin, onPointerUp: end, onPointerCancel: () => setDragged(null) })}
      >
        {!y.isPlain &&
          up.at
            .filter((at) => isOn(at, y.from, y.to))
            .map((at) => (
              <g key={at}>
                <path d={`M${left} ${place.y(at)}H${width - RIGHT}`} className="gridline" />
                <text x={left - 7} y={place.y(at) + 4} textAnchor="end">
                  {up.text(at)}
                </text>
              </g>
            ))}
        {across.at
          .filter((at) => isOn(at, x.from, x.to))
          .map((at) => (
            <text key={at} x={place.x(at)} y={HEIGHT - BOTTOM + 16} textAnchor={endOf(place.x(at), width)}>
              {isLarge ? short(at) : across.text(at)}
            </text>
          ))}
        <text x={(left + width - RIGHT) / 2} y={HEIGHT - 5} textAnchor="middle">
          {x.label}
        </text>
        <clipPath id={clip}>
          <rect x={left} y={TOP - 2} width={width - left - RIGHT} height={HEIGHT - TOP - BOTTOM + 4} />
        </clipPath>
        <g {...(drag && { clipPath: `url(#${clip})` })}>{children(place)}</g>
        {dragged && (
          <rect
            className="dragged"
            x={Math.min(...dragged.map(place.x))}
            y={TOP}
            width={Math.abs(place.x(dragged[1]) - place.x(dragged[0]))}
            height={HEIGHT - TOP - BOTTOM}
          />
        )}
      </svg>
    </div>
  );
}

/** A number at the edge is not cut off. */
const endOf = (at: number, width: number): 'middle' | 'end' => (at > width - 20 ? 'end' : 'middle');

/** Which line is which. */
export function GroupLegend({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className="grouplegend">
      {names.map((name, k) => (
        <li key={name} title={name}>
          <Swatch k={k} />
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}

export function Swatch({ k }: { readonly k: number }) {
  return (
    <svg width="26" height="8" viewBox="0 0 26 8" aria-hidden>
      <path d="M0 4h26" stroke={strokeOf(k)} strokeWidth="2.5" strokeDasharray={dashOf(k)} />
    </svg>
  );
}
