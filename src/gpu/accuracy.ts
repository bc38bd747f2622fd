/**
 * How inexact a right device may be, from the accuracy that WGSL asks for (“Accuracy of Built-in Functions and
 * Operators”). Tolerances of kernels' cases are made of these bounds, so that no device is called wrong for what it may
 * do. Equal bits are claimed between two runs, and between two forms of a kernel, on the same device only.
 *
 *   x + y, x − y, x·y     one of the two neighbors of the exact result; several may be contracted into one fma
 *   x / y                 2.5 units in the last place, where 2⁻¹²⁶ ≤ |y| ≤ 2¹²⁶
 *   exp x                 3 + 2·|x| units
 *   log x                 2⁻²¹ in [0.5, 2], 3 units elsewhere: log 1 need not be 0
 *   sqrt x                that of 1 / inverseSqrt x: 2 units and a division
 *   pow(x, y)             that of exp2(y · log2 x), whose bounds are those of exp and log
 *   tanh x                10⁻⁵
 *
 * Numbers below 2⁻¹²⁶ may count as 0. NaN and infinities may be assumed away: a kernel that must find them looks at the
 * bits of a number that it has read (`bitcast<u32>(x) & 0x7f800000u`), never at `x != x`, and arguments are kept where
 * functions are defined, with room for the error of what made them.
 */

/** A unit in the last place of x is at most this share of |x|. */
export const UNIT = 2 ** -23;
export const DIVISION = 2.5 * UNIT;
export const SQRT = 2 * UNIT + DIVISION;
/** of exp x, |x| ≤ `most` */
export const expShare = (most: number): number => (3 + 2 * most) * UNIT;
/** of log x, where |log x| ≤ `most` */
export const logError = (most: number): number => Math.max(2 ** -21, 3 * UNIT * most);
export const TANH = 1e-5;

/** A number inside a kernel: the largest that |x| can be, and how far it may be from the exact one. */
export type Near = { readonly most: number; readonly error: number };

/** Bounds of expressions, from those of what they are made of. */
export const near = {
  /** A number that is read, or a constant. */
  given: (most: number): Near => ({ most, error: 0 }),
  /** x + y + …, from the left. */
  sum: (...terms: readonly Near[]): Near =>
    terms.reduce((all, { most, error }) => ({
      most: all.most + most,
      error: all.error + error + UNIT * (all.most + most),
    })),
  product: (...factors: readonly Near[]): Near =>
    factors.reduce((x, y) => ({
      most: x.most * y.most,
      error: x.most * y.error + y.most * x.error + x.error * y.error + UNIT * x.most * y.most,
    })),
  /** Σ of n products of numbers that are read, below `most`, whose partial sums stay below `largest`. */
  dot: (n: number, most: number, largest: number): Near => ({ most: largest, error: n * UNIT * (most + largest) }),
  /** 1/(1 + e^−x): the share of exp, counted by e^−x/(1 + e^−x) ≤ 1, a sum and a division. Its slope is ≤ ¼. */
  sigmoid: ({ most, error }: Near): Near => ({ most: 1, error: expShare(most) + UNIT + DIVISION + error / 4 }),
  /** Its slope is ≤ 1. */
  tanh: ({ error }: Near): Near => ({ most: 1, error: TANH + error }),
};

/** A tolerance for numbers with these errors; the definition, in doubles, has at most a rounding of its own. */
export const within = (...found: readonly Near[]): { readonly abs: number; readonly rel: number } => ({
  abs: Math.max(...found.map(({ error }) => error)),
  rel: UNIT,
});

/** A tolerance for what is made of one number by so many operations that may each be a unit off, and the definition. */
export const units = (n: number): { readonly abs: number; readonly rel: number } => ({ abs: 0, rel: (n + 1) * UNIT });
