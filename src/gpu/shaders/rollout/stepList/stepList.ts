import { wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

type Sizes = { S: number; B: number; T: number; t: number; mode: number };

/** Per replica how many steps, 0 (none is done), then i·T + t of each; the rest of `list` stays. */
export function stepList(d: Sizes, length: Uint32Array, plan: Float32Array, list: Uint32Array): Uint32Array {
  const out = list.slice();
  for (let s = 0; s < d.S; s++) {
    const start = s * (2 + d.B * d.T);
    let count = 0;
    let weighted = 0;
    for (let i = 0; i < d.B; i++) {
      const n = length[s * d.B + i]!;
      const put = (t: number): void => void (out[start + 2 + count++] = i * d.T + t);
      if (d.mode === 1) {
        if (n === 0) put(d.t);
      } else if (d.mode === 3) {
        if (n > 0) put(n - 1);
      } else if (d.mode === 0 || plan[2 * (s * d.B + i)] !== 0) {
        if (d.mode !== 4 || weighted === d.t) for (let t = 0; t < n; t++) put(t);
        weighted++;
      }
    }
    out.set([count, 0], start);
  }
  return out;
}

const shapes = [
  [1, 1, 1],
  [3, 5, 4],
  [2, 257, 2],
  [1, 256, 1],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T], seed) =>
  [0, 1, 2, 3, 4].flatMap((mode) =>
    [false, true].map((isEmpty): Case => {
      const d: Sizes = { S, B, T, t: mode === 4 ? B >> 1 : T - 1, mode };
      const none = mode === 1 ? T : 0;
      const length = wholes(seed, S * B, T + 1).map((n, k) => (isEmpty || k % 7 === 2 ? none : n));
      const plan = Float32Array.from({ length: 2 * S * B }, (_, k) => (k % 2 === 0 ? (k % 6 === 0 ? 0 : 0.5) : 1e30));
      const list = new Uint32Array(S * (2 + B * T)).fill(777);
      const { S: _, ...dims } = d;
      return {
        name: `stepList ${S}×${B}×${T}, mode ${mode}${isEmpty ? ', no step' : ''}`,
        kernel: kernels.stepList,
        dims,
        groups: [1, 1, S],
        buffers: { length, plan, list },
        expected: { list: stepList(d, length, plan, list) },
      };
    }),
  ),
);
