import { bitGradient, bitGradientForm, type BitRows } from './bitProducts.ts';
import { gradientForm, type Call, type Layer, type Tiles } from './products.ts';
import lastLayer from './shaders/network/sparseGradient/lastLayer.wgsl?raw';

/** Outputs of a last layer whose rows fit the memory of a workgroup beside those of the first one. */
const [FEWEST, MOST] = [4, 64];

/**
 * The gradients of a first layer over bits and of the last layer of its network in one dispatch; null where both are not of
 * tiles, or the last layer has odd inputs. Bindings bits, dY, X, dOut, partials.
 */
export function gradientWithLast(first: Layer, last: Layer, g: BitRows, tiles: Tiles, slices: number): Call | null {
  const { inputs, out, weightAt, biasAt } = last;
  const isTiled = bitGradientForm(first, tiles) === 'tiled' && gradientForm(last, tiles, slices) === 'fine';
  const isEven = [inputs, weightAt, Math.max(0, biasAt)].every((x) => x % 4 === 0);
  if (!isTiled || !isEven || out < FEWEST || out > MOST) return null;
  const hasBias = biasAt >= 0;
  const firsts = bitGradient(first, g, 'tiled', slices).groups[0];
  const { kernel, dims } = bitGradient(first, g, 'tiled', slices, [
    `const FIRST_GROUPS = ${firsts}u;\nconst INPUTS = ${inputs}u;\nconst OUTPUTS = ${out}u;`,
    `const LAST_WEIGHT_AT = ${weightAt}u;\nconst LAST_BIAS_AT = ${Math.max(0, biasAt)}u;\nconst BIASES = ${hasBias ? out : 0}u;`,
    lastLayer,
  ]);
  const fours = (inputs / 4) * out + (hasBias ? Math.ceil(out / 4) : 0);
  return {
    kernel: { ...kernel, id: 'sparseGradient.withLast' },
    dims,
    groups: [firsts + Math.ceil(fours / 64), slices, first.S],
  };
}
