/**
 * Color tables of 256 entries, made once from published anchors (linear in between).
 *
 * Signed quantities: PuOr of ColorBrewer 2.0, eleven classes (Brewer, Harrower, Penn State; Apache-2.0), reversed so that
 * orange is positive and purple negative; its middle is replaced by the surface color, reached only at exactly 0. The
 * dark theme keeps the hues and turns the lightness around: the larger, the lighter.
 * Unsigned quantities: viridis (Smith and van der Walt, matplotlib; CC0), ten of its 256 entries.
 */
export type Rgb = readonly [number, number, number];

const hex = (text: string): Rgb => [0, 2, 4].map((k) => parseInt(text.slice(k, k + 2), 16)) as unknown as Rgb;
const list = (text: string): Rgb[] => text.split(' ').map(hex);

const VIRIDIS = list('440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725');
const SIGNED = {
  light: {
    negative: list('ffffff d8daeb b2abd2 8073ac 542788 2d004b'),
    positive: list('ffffff fee0b6 fdb863 e08214 b35806 7f3b08'),
  },
  dark: { negative: list('1c1f25 453a6b 6a5aa0 9385cc c5baf2'), positive: list('1c1f25 6e430f b3680f e8962e ffc77d') },
} as const;

/** Entry of the signed tables that stands for 0; ±1 are ZERO ± ZERO − 1, so 0 and both ends are exact. */
const ZERO = 128;

function along(anchors: readonly Rgb[], x: number): Rgb {
  const at = Math.min(1, Math.max(0, x)) * (anchors.length - 1);
  const k = Math.min(anchors.length - 2, Math.floor(at));
  const mix = (c: 0 | 1 | 2): number => Math.round(anchors[k]![c] + (anchors[k + 1]![c] - anchors[k]![c]) * (at - k));
  return [mix(0), mix(1), mix(2)];
}

/** Distance from 0 of a table position; |x| ≤ 1. The smallest shown size is one entry away from the surface color. */
const offset = (x: number): number => Math.sign(x) * Math.min(ZERO - 1, Math.ceil(Math.abs(x) * (ZERO - 1)));

function signedTable(isDark: boolean): readonly Rgb[] {
  const { negative, positive } = SIGNED[isDark ? 'dark' : 'light'];
  return Array.from({ length: 256 }, (_, k) => {
    const x = Math.max(-1, (k - ZERO) / (ZERO - 1));
    return x < 0 ? along(negative, -x) : along(positive, x);
  });
}

const TABLES = { light: signedTable(false), dark: signedTable(true) } as const;
const UNSIGNED: readonly Rgb[] = Array.from({ length: 256 }, (_, k) => along(VIRIDIS, k / 255));

/** Color of x in −1 … 1. */
export function signedColor(x: number, isDark: boolean): Rgb {
  return TABLES[isDark ? 'dark' : 'light'][ZERO + offset(x)]!;
}

/** Color of x in 0 … 1. */
export function viridis(x: number): Rgb {
  return UNSIGNED[Math.round(255 * Math.min(1, Math.max(0, x)))]!;
}

export const css = ([r, g, b]: Rgb, alpha = 1): string => `rgb(${r} ${g} ${b} / ${alpha})`;

/** Black or white, whichever reads better on a color (relative luminance of WCAG 2). */
export function inkOn([r, g, b]: Rgb): string {
  const linear = (v: number): number => (v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.18 ? '#111418' : '#ffffff';
}

/** The signed table as packed pixels (little-endian RGBA), for filling images: entry ZERO + offset. */
const PACKED = {
  light: Uint32Array.from(TABLES.light, pack),
  dark: Uint32Array.from(TABLES.dark, pack),
} as const;

function pack([r, g, b]: Rgb): number {
  return (255 << 24) | (b << 16) | (g << 8) | r;
}

/**
 * Writes the colors of `count` values from `values[from]` on into `pixels[to …]`; `limit` > 0 is the value of the
 * strongest color.
 */
export function paintSigned(
  pixels: Uint32Array,
  to: number,
  values: ArrayLike<number>,
  from: number,
  count: number,
  limit: number,
  isDark: boolean,
): void {
  const table = PACKED[isDark ? 'dark' : 'light'];
  const scale = (ZERO - 1) / limit;
  for (let k = 0; k < count; k++) {
    const x = values[from + k]! * scale;
    const size = x < 0 ? -x : x;
    // the integer not below the size: the same as `offset`, without calls
    const whole = size >= ZERO - 1 ? ZERO - 1 : size > (size | 0) ? (size | 0) + 1 : size | 0;
    pixels[to + k] = table[x < 0 ? ZERO - whole : ZERO + whole]!;
  }
}

/**
 * The 98th percentile of |x| (nearest rank): the symmetric limit of a signed map. Where less than 2 % differ from 0 it
 * is the largest |x|; 1 where nothing differs from 0.
 */
export function symmetricLimit(values: ArrayLike<number>): number {
  const sizes = new Float32Array(values.length);
  for (let k = 0; k < sizes.length; k++) sizes[k] = Math.abs(values[k]!);
  return percentile(sizes, 0.98) || percentile(sizes, 1) || 1;
}

/** Bits that one pass of `percentile` looks at, and where they begin: 32 in three passes. */
const PASSES = [
  [21, 11],
  [10, 11],
  [0, 10],
] as const;
const counts = new Uint32Array(2 ** 11);

/**
 * Order statistic ⌊q·n⌋ (at most n − 1) of numbers ≥ 0, exact, without sorting: the bits of such floats are ordered like
 * integers, so three counts of at most 11 bits find the number. 0 if there are none.
 */
export function percentile(sizes: Float32Array, q: number): number {
  const n = sizes.length;
  if (n === 0) return 0;
  const bits = new Uint32Array(sizes.buffer, sizes.byteOffset, n);
  let rank = Math.min(n - 1, Math.floor(q * n));
  let found = 0;
  for (const [from, width] of PASSES) {
    counts.fill(0);
    const above = from + width;
    const mask = 2 ** width - 1;
    for (let k = 0; k < n; k++) {
      const x = bits[k]!;
      // what is known so far are the upper bits of the number
      if (above === 32 || x >>> above === found) counts[(x >>> from) & mask]!++;
    }
    let digit = 0;
    while (rank >= counts[digit]!) rank -= counts[digit++]!;
    found = found * 2 ** width + digit;
  }
  return new Float32Array(Uint32Array.of(found).buffer)[0]!;
}
