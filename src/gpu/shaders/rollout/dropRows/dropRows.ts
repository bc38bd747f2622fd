import { numbers, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** `member` with its highest bit set where a trajectory is left out, in the first `epochs` rows of it. */
export function dropRows(rows: number, epochs: number, keep: Float32Array, member: Uint32Array): Uint32Array {
  return member.map((m, k) => (k < epochs * rows && keep[k % rows] === 0 ? (m | 0x80000000) >>> 0 : m));
}

export const cases: readonly Case[] = [1, 64, 65].map((rows): Case => {
  const epochs = 2;
  const keep = numbers(rows, rows).map((v) => (v < 0 ? 0 : 1));
  const member = wholes(rows, (epochs + 1) * rows, 3);
  return {
    name: `dropRows of ${rows}`,
    kernel: kernels.dropRows,
    dims: { rows, epochs },
    groups: [Math.ceil(rows / 64)],
    buffers: { keep, member },
    expected: { member: dropRows(rows, epochs, keep, member) },
  };
});
