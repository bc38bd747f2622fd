import { untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** The first `count` numbers become `value`; what lies behind them stays. */
export function fill(x: Float32Array, count: number, value: number): Float32Array {
  return x.slice().fill(value, 0, count);
}

export const cases: readonly Case[] = [1, 64, 65].map((count): Case => {
  const x = untouched(count + 3);
  return {
    name: `fill ${count}`,
    kernel: kernels.fill,
    dims: { count, value: -0.5 },
    groups: [Math.ceil(count / 64)],
    buffers: { x },
    expected: { x: fill(x, count, -0.5) },
  };
});
