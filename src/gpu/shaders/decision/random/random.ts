import { below, random, threefry, uniform } from '../../../../core/random.ts';
import { untouched, wholes, type Case } from '../../../conformance.ts';
import type { Kernel } from '../../../kernel.ts';
import { randomWgsl } from '../../kernels.ts';
import probeWgsl from './probe.wgsl?raw';

/** Calls every function of random.wgsl; their definition is core/random.ts. */
const probe: Kernel = {
  id: 'random',
  link: [randomWgsl],
  wgsl: probeWgsl,
};

/** Known answers of Random123 first, then words of all sizes. */
const known = [0, 0, 0, 0, ...Array<number>(4).fill(0xffffffff), 0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3];

export const cases: readonly Case[] = [65].map((count): Case => {
  const words = Uint32Array.of(...known, ...wholes(3, 4 * count - known.length, 2 ** 32));
  const drawn: number[] = [];
  const real = new Float32Array(count);
  for (let k = 0; k < count; k++) {
    const [a, b, c, d] = words.subarray(4 * k, 4 * k + 4) as unknown as [number, number, number, number];
    drawn.push(...threefry(a, b, c, d), random(a, b, c, d, k), below(a, 1 + (b & 0xfffe)));
    real[k] = uniform(c);
  }
  return {
    name: 'random',
    kernel: probe,
    dims: { count },
    groups: [Math.ceil(count / 64)],
    buffers: { words, drawn: new Uint32Array(4 * count).fill(777), real: untouched(count) },
    expected: { drawn, real },
  };
});
