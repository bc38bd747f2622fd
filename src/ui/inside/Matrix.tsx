import { useEffect, useRef } from 'react';
import { css, paintSigned, symmetricLimit, viridis } from '../color.ts';
import { signed, value } from '../format.ts';
import { useIsDark } from '../useTheme.ts';

type Props = {
  rows: number;
  cols: number;
  /** [rows, cols] */
  values: ArrayLike<number>;
  /** what it is, for the eye and the ear */
  title: string;
  /** shares from 0 to 1, or numbers with a sign */
  kind: 'signed' | 'share';
  /** row that belongs to the step on the stage */
  marked?: number | null;
};

/** Pixels of the picture on the page: cells grow to fill it, and never become smaller than a pixel each. */
const MOST_HIGH = 260;

const TABLE = Uint32Array.from({ length: 256 }, (_, k) => {
  const [r, g, b] = viridis(k / 255);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
});

/** Extremes and size of some numbers, in words. */
export function spreadOf(values: ArrayLike<number>): string {
  let [low, high, squares] = [Infinity, -Infinity, 0];
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k]!);
    high = Math.max(high, values[k]!);
    squares += values[k]! * values[k]!;
  }
  if (values.length === 0) return 'nothing';
  return `from ${signed(low)} to ${signed(high)}, root mean square ${value(Math.sqrt(squares / values.length))}`;
}

/** Numbers as a picture, one pixel each, enlarged without smoothing. */
export function Matrix({ rows, cols, values, title, kind, marked = null }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useIsDark();
  useEffect(() => {
    const { current } = canvas;
    if (!current) return;
    current.width = cols;
    current.height = rows;
    const pixels = new Uint32Array(rows * cols);
    if (kind === 'signed') paintSigned(pixels, 0, values, 0, rows * cols, symmetricLimit(values), isDark);
    else for (let k = 0; k < pixels.length; k++) pixels[k] = TABLE[Math.round(255 * Math.min(1, values[k]!))]!;
    current.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), cols, rows), 0, 0);
  }, [rows, cols, values, kind, isDark]);
  const cell = Math.max(1, Math.min(16, Math.floor(MOST_HIGH / rows)));
  return (
    <figure className="matrix">
      <figcaption>
        {title}{' '}
        <span className="quiet">
          {rows} × {cols}
        </span>
      </figcaption>
      <div className="matrixbox" style={{ height: rows * cell }}>
        <canvas ref={canvas} role="img" aria-label={`${title}, ${rows} by ${cols}, ${spreadOf(values)}`} />
        {marked !== null && (
          <span
            aria-hidden
            className="matrixrow"
            style={{ top: marked * cell, height: cell, borderColor: css(viridis(0.9)) }}
          />
        )}
      </div>
      <p className="quiet">{kind === 'signed' ? spreadOf(values) : 'dark: none, yellow: all of it'}</p>
    </figure>
  );
}
