import { digits } from '../core/digits.ts';

/** Numbers as people read them. */

const whole = new Intl.NumberFormat('en');

export function count(n: number): string {
  return whole.format(Math.round(n));
}

/** “1 run”, “1,000 runs”, for words whose plural takes an s. */
export const many = (n: number, word: string): string => `${count(n)} ${word}${n === 1 ? '' : 's'}`;

/** 950 → "950", 12,340 → "12 k", 3,400,000 → "3.4 M" */
export function short(n: number): string {
  if (n < 1_000) return String(Math.round(n));
  if (n < 10_000) return `${(n / 1_000).toFixed(1)} k`;
  if (n < 1_000_000) return `${Math.round(n / 1_000)} k`;
  return `${(n / 1_000_000).toFixed(1)} M`;
}

/** Three significant digits, as in every place where a number is told. */
export const value = digits;

export function signed(x: number): string {
  return x > 0 ? `+${value(x)}` : value(x);
}

/** "about 40 s", "about 3 min", "about 5 hours", "about 12 days" */
export function duration(seconds: number): string {
  if (seconds < 10) return `about ${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s`;
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `about ${Math.round(seconds / 3600)} hours`;
  return `about ${count(seconds / 86_400)} days`;
}

export function bytes(n: number): string {
  if (n < 1_000_000) return `${Math.ceil(n / 1_000)} kB`;
  const [size, unit] = n < 1e9 ? [1e6, 'MB'] : n < 1e12 ? [1e9, 'GB'] : [1e12, 'TB'];
  return `${(n / size).toFixed(1)} ${unit}`;
}

/** "77 %", never broken over two lines */
export function percent(x: number): string {
  return `${Math.round(x * 100)}\u00a0%`;
}
