import { threefry } from '../../core/random.ts';
import { numbers } from '../../gpu/conformance.ts';
import { linear } from '../../networks/dense/linear.ts';
import { makeKernels, plainKernels, type Kernels } from '../../networks/kernels.ts';

/** Known answers of Random123 for Threefry-2x32-20: key, counter, and what must come out. */
const ANSWERS = [
  [0, 0, 0, 0, 0x6b200159, 0x99ba4efe],
  [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7],
  [0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0],
] as const;

/** Rows, inputs and outputs of layers, odd ones too: whole blocks, and what is left over beside them. */
const SHAPES = [
  [1, 1, 1],
  [7, 13, 5],
  [8, 16, 64],
  [65, 33, 12],
] as const;

/** One thing that the CPU path computes, and what is wrong with it in one sentence, or null. */
export type CpuCheck = { readonly name: string; readonly judge: () => string | null };

const randomNumbers: CpuCheck = {
  name: 'random numbers',
  judge() {
    const wrong = ANSWERS.find(([a, b, c, d, x, y]) => threefry(a, b, c, d).join() !== [x, y].join());
    return wrong ? 'The random numbers are not those of Threefry-2x32-20.' : null;
  },
};

/** Output, gradient and what goes back through a layer, as one list. */
function layerOf(kernels: Kernels, rows: number, inputs: number, out: number): Float32Array {
  const size = inputs * out + out;
  const put = (from: Float32Array): Float32Array => {
    const to = kernels.floats(from.length);
    to.set(from);
    return to;
  };
  const [X, theta, dY] = [numbers(1, rows * inputs), numbers(2, size), numbers(3, rows * out)].map(put) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const [Y, dX, gradient] = [rows * out, rows * inputs, size].map((n) => kernels.floats(n)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const layer = linear(inputs, out, 0, inputs * out);
  const weights = { theta, from: 0 };
  kernels.denseForward(layer, weights, X, rows, Y);
  kernels.denseBackward(layer, weights, dY, rows, dX);
  kernels.denseGradient(layer, gradient, X, dY, rows);
  return Float32Array.of(...Y, ...dX, ...gradient);
}

const bitsOf = (values: Float32Array): Uint32Array => new Uint32Array(values.buffer, values.byteOffset, values.length);

const layer = (rows: number, inputs: number, out: number, fast: () => Kernels): CpuCheck => ({
  name: `layer ${rows}×${inputs}×${out}`,
  judge() {
    const [want, got] = [plainKernels, fast()].map((kernels) => bitsOf(layerOf(kernels, rows, inputs, out)));
    const at = want!.findIndex((bits, k) => got![k] !== bits);
    return at < 0 ? null : `The SIMD kernels give other bits than their definitions in a layer of ${inputs} to ${out}.`;
  },
});

/** Has this engine the SIMD kernels? */
export const hasSimd = (): boolean => makeKernels(64, 4096).isFast;

/** What of the CPU path can be checked in a moment; `fast` makes the kernels that are compared with their definitions. */
export function cpuChecks(fast: () => Kernels = () => makeKernels(1 << 14, 1 << 14)): readonly CpuCheck[] {
  return [randomNumbers, ...SHAPES.map(([rows, inputs, out]) => layer(rows, inputs, out, fast))];
}
