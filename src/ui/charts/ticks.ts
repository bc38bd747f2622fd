/** Round places on an axis, and how they are written. */
export type Ticks = { readonly at: number[]; readonly text: (x: number) => string };

/**
 * Round places that span [low, high], in steps of 1, 2 or 5 times a power of ten, about `most` of them, written with as
 * many digits as keep neighbors apart; a change below a 500th of the size is not magnified. `isWhole`: a count, without
 * parts of one.
 */
export function ticksOf(low: number, high: number, most = 5, isWhole = false): Ticks {
  const isFlat = !(high > low);
  const least = Math.max(Math.abs(low), Math.abs(high)) / 500;
  const wide = isFlat ? Math.abs(low) / 10 || 1 : Math.max(0, (least - (high - low)) / 2);
  const step = Math.max(isWhole ? 1 : 0, stepOf((high + wide - (low - wide)) / most));
  const from = Math.floor((low - wide) / step + 1e-9);
  const to = Math.ceil((high + wide) / step - 1e-9);
  const at = Array.from({ length: to - from + 1 }, (_, k) => Number(((from + k) * step).toPrecision(12)));
  const digits = Math.floor(Math.log10(step) + 1e-9);
  const largest = Math.max(...at.map(Math.abs));
  const isExtreme = largest >= 100_000 || largest < 1e-4;
  const plain = (x: number): string =>
    isExtreme
      ? x.toExponential(Math.max(0, Math.floor(Math.log10(x) + 1e-9) - digits))
      : x.toFixed(Math.max(0, -digits));
  return { at, text: (x) => (x === 0 ? '0' : x < 0 ? `−${plain(-x)}` : plain(x)) };
}

/** The smallest of 1, 2, 5 and 10 times a power of ten that is not below x. */
function stepOf(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  return [1, 2, 5, 10].find((m) => m * power >= x * (1 - 1e-9))! * power;
}
