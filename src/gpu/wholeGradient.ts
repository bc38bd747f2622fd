import { bitForm, bitGradient, placesOf, type BitRows } from './bitProducts.ts';
import { keepsSumsOf } from './normSums.ts';
import type { Call, Layer } from './products.ts';
import bitRuns from './shaders/network/sparseGradient/bitRuns.wgsl?raw';
import wholeGradient from './shaders/network/sparseGradient/wholeGradient.wgsl?raw';

/** Rows up to which a launch and the way of slices through memory cost more than fewer invocations that walk further. */
const FEW_ROWS = 4096;
/** Outputs whose sums an invocation holds. */
const MOST_OUTPUTS = 16;

/**
 * The gradient of a network of a first layer over bits and a last one, over few rows, with the sums of NormSums, in one dispatch; null
 * where rows are many, or sizes odd. Sizes alone decide, and not what was measured of a device: its bits are its own. Bindings
 * bits, dY, X, dOut, gradient, stats, flags, sums.
 */
export function gradientOfWhole(first: Layer, last: Layer, g: BitRows): Call | null {
  const { inputs, out, weightAt, biasAt } = last;
  if (first.rows > FEW_ROWS || bitForm(first) !== 'wide' || inputs % 4 !== 0 || out > MOST_OUTPUTS) return null;
  const words = g.words + (first.biasAt < 0 ? 0 : 1);
  const firsts = Math.ceil(words / 4) * Math.ceil(first.out / 8);
  const all = firsts + inputs / 4 + (biasAt < 0 ? 0 : 1);
  // there are sums of every 256 parameters
  if (all > Math.ceil(first.size / 256)) return null;
  const { dims } = bitGradient(first, g, 'wide', 1);
  const sizes = [
    `const FIRST_GROUPS = ${firsts}u;\nconst GROUPS = ${all}u;\nconst INPUTS = ${inputs}u;\nconst OUTPUTS = ${out}u;`,
    `const LAST_WEIGHT_AT = ${weightAt}u;\nconst LAST_BIAS_AT = ${Math.max(0, biasAt)}u;`,
  ];
  return {
    kernel: {
      ...{ id: 'sparseGradient.whole', wgsl: wholeGradient },
      link: [...placesOf(first), bitRuns, ...sizes, ...keepsSumsOf(256)],
    },
    dims,
    groups: [all, 1, first.S],
  };
}
