/**
 * Color tables. Signed quantities: PuOr of ColorBrewer 2.0 (Brewer, Harrower, Penn State; Apache-2.0), reversed so that
 * orange is positive and purple negative; the middle is the surface color at exactly 0. Unsigned: viridis
 * (Smith and van der Walt, matplotlib; CC0). Anchors are the published ones, linear in between.
 */
export type Rgb = readonly [number, number, number];

const hex = (text: string): Rgb => [0, 2, 4].map((k) => parseInt(text.slice(k, k + 2), 16)) as unknown as Rgb;
const list = (text: string): Rgb[] => text.split(' ').map(hex);

const VIRIDIS = list('440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725');
const SIGNED = {
  light: { negative: list('ffffff d8daeb b2abd2 8073ac 542788'), positive: list('ffffff fee0b6 fdb863 e08214 b35806') },
  dark: { negative: list('1c1f25 453a6b 6a5aa0 9385cc c5baf2'), positive: list('1c1f25 6e430f b3680f e8962e ffc77d') },
} as const;

function along(anchors: readonly Rgb[], x: number): Rgb {
  const at = Math.min(1, Math.max(0, x)) * (anchors.length - 1);
  const k = Math.min(anchors.length - 2, Math.floor(at));
  const mix = (c: 0 | 1 | 2): number => Math.round(anchors[k]![c] + (anchors[k + 1]![c] - anchors[k]![c]) * (at - k));
  return [mix(0), mix(1), mix(2)];
}

/** Color of x in −1 … 1. */
export function signedColor(x: number, isDark: boolean): Rgb {
  const table = SIGNED[isDark ? 'dark' : 'light'];
  return x < 0 ? along(table.negative, -x) : along(table.positive, x);
}

/** Color of x in 0 … 1. */
export function viridis(x: number): Rgb {
  return along(VIRIDIS, x);
}

export const css = ([r, g, b]: Rgb, alpha = 1): string => `rgb(${r} ${g} ${b} / ${alpha})`;

/** The 98th percentile of |x| over the values that count; the symmetric limit of a signed map. At least 1e-9. */
export function symmetricLimit(values: Iterable<number>): number {
  const sizes = Array.from(values, Math.abs).sort((a, b) => a - b);
  if (sizes.length === 0) return 1;
  return Math.max(1e-9, sizes[Math.min(sizes.length - 1, Math.floor(0.98 * sizes.length))]!);
}
