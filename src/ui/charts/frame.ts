/** Size of a drawn figure in its own units, and the room around the plot. */
export const WIDTH = 360;
export const HEIGHT = 190;
export const LEFT = 60;
export const RIGHT = 18;
export const TOP = 8;
export const BOTTOM = 30;

/** From data to the figure: x grows to the right, y upwards. */
export type Scale = { x(value: number): number; y(value: number): number };

export function scaleOf(x: readonly [number, number], y: readonly [number, number]): Scale {
  const wide = x[1] - x[0] || 1;
  const high = y[1] - y[0] || 1;
  return {
    x: (value) => LEFT + ((value - x[0]) * (WIDTH - LEFT - RIGHT)) / wide,
    y: (value) => TOP + ((y[1] - value) * (HEIGHT - TOP - BOTTOM)) / high,
  };
}

/** A line through points, as the d of a path; a point that is not finite breaks it. */
export function pathOf(points: readonly (readonly [number, number])[]): string {
  let d = '';
  let isOpen = false;
  for (const [x, y] of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      isOpen = false;
      continue;
    }
    d += `${isOpen ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    isOpen = true;
  }
  return d;
}

/** Smallest and largest of the values with the given ones, a little apart when they are equal. */
export function rangeOf(values: readonly number[], ...also: readonly number[]): [number, number] {
  const all = [...values, ...also].filter(Number.isFinite);
  const low = Math.min(...all);
  const high = Math.max(...all);
  return high > low ? [low, high] : [low - 0.5, high + 0.5];
}
