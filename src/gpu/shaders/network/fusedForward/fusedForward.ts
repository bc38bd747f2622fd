import { tanh } from '../../../../core/fmath.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { fusedForwardWith, type Chain } from '../../kernels.ts';

/**
 * Outputs of a chain of dense layers with tanh between them, for observation bits at `bitsAt`:
 *   h₁ = b₁ + Σ rows of W₁ whose bit is set     h_{k+1} = b_{k+1} + tanh(h_k)·W_{k+1}
 */
export function chainOf(
  { widths, weightsAt, biasesAt, hasBias }: Chain,
  bits: Uint32Array,
  bitsAt: number,
  theta: Float32Array,
  thetaAt: number,
): number[] {
  let inputs = Array.from({ length: widths[0]! }, (_, f) => (bits[bitsAt + (f >> 5)]! >>> (f & 31)) & 1);
  let outputs: number[] = [];
  weightsAt.forEach((weightAt, layer) => {
    if (layer > 0) inputs = outputs.map(tanh);
    const out = widths[layer + 1]!;
    outputs = Array.from({ length: out }, (_, j) => {
      let sum = hasBias ? theta[thetaAt + biasesAt[layer]! + j]! : 0;
      inputs.forEach((x, i) => (sum += x * theta[thetaAt + weightAt + i * out + j]!));
      return sum;
    });
  });
  return outputs;
}

const up = (n: number): number => Math.ceil(n / 4) * 4;

/** Tensors one after the other, each from a multiple of four on. */
function layout(widths: readonly number[], hasBias: boolean): { network: Chain; size: number } {
  const [weightsAt, biasesAt]: [number[], number[]] = [[], []];
  let size = 0;
  for (let layer = 0; layer + 1 < widths.length; layer++) {
    weightsAt.push(size);
    size += up(widths[layer]! * widths[layer + 1]!);
    biasesAt.push(hasBias ? size : 0);
    if (hasBias) size += up(widths[layer + 1]!);
  }
  return { network: { widths, weightsAt, biasesAt, hasBias }, size };
}

const shapes: readonly (readonly [S: number, B: number, widths: readonly number[], hasBias: boolean])[] = [
  [1, 1, [1, 1], false],
  [2, 33, [40, 5], false],
  [3, 31, [33, 7, 3], true],
  [1, 65, [64, 64, 5], true],
  [2, 32, [70, 20, 36, 4], true],
];

export const cases: readonly Case[] = shapes.map(([S, B, widths, hasBias], seed): Case => {
  const { network, size } = layout(widths, hasBias);
  const words = Math.ceil(widths[0]! / 32);
  const [outerStride, base, maxRows] = [3 * words + 1, words, B + 2];
  const n = widths.at(-1)!;
  const obs = new Uint32Array(S * B * outerStride).fill(0xffffffff);
  for (let row = 0; row < S * B; row++)
    for (let f = 0; f < 32 * words; f++) {
      const at = row * outerStride + base + (f >> 5);
      if (f >= widths[0]! || wholes(seed + 7 * f, row + 1, 3)[row] !== 0) obs[at] = obs[at]! & ~(1 << (f & 31));
    }
  const theta = numbers(seed, S * size, -0.5, 0.5);
  const Y = untouched(S * maxRows * n);
  for (let s = 0; s < S; s++)
    for (let i = 0; i < B; i++)
      Y.set(chainOf(network, obs, (s * B + i) * outerStride + base, theta, s * size), (s * maxRows + i) * n);
  return {
    name: `fusedForward ${S}×${B}, ${widths.join('→')}${hasBias ? '' : ' without bias'}`,
    kernel: fusedForwardWith(network),
    dims: { B, outerStride, base, size, maxRows, kind: 0 },
    groups: [Math.ceil(B / 32), 1, S],
    buffers: { obs, theta, Y: untouched(S * maxRows * n) },
    expected: { Y },
    // WGSL allows tanh an absolute error of 1e-5; up to 36 of them are weighed with at most a half
    tolerance: { abs: 2e-4, rel: 1e-5 },
  };
});
