/** Nearest whole number, halves to the even one. */
export function roundHalfEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest < 0.5) return low;
  if (rest > 0.5) return low + 1;
  return low % 2 === 0 ? low : low + 1;
}

const asFloat = new Float32Array(1);
const asBits = new Uint32Array(asFloat.buffer);

/** Nearest number with 11 significant bits and the exponents of a half float; halves to the even one. */
export function roundToHalf(x: number): number {
  asFloat[0] = x;
  const size = Math.abs(asFloat[0]);
  if (!(size < Infinity)) return asFloat[0]!;
  if (size >= 65520) return Math.sign(x) * Infinity;
  if (size < 2 ** -14) return roundHalfEven(asFloat[0]! * 2 ** 24) / 2 ** 24;
  const bits = asBits[0]!;
  asBits[0] = (bits + 0xfff + ((bits >>> 13) & 1)) & ~0x1fff;
  return asFloat[0]!;
}
