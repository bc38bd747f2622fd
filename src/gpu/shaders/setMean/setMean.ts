import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';
import { keyMatch, keysFor, shapes } from '../keyMatch/keyMatch.ts';

/** Mean of x over the steps of a replica with the same head; `once`: each trajectory counts once per set. Else 0. */
export function setMean(
  S: number,
  B: number,
  T: number,
  once: boolean,
  x: Float32Array,
  head: Uint32Array,
): Float32Array {
  const y = new Float32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    const sets = new Map<number, { steps: number[]; counted: Map<number, number> }>();
    for (let k = s * B * T; k < (s + 1) * B * T; k++) {
      if (head[k] === 0xffffffff) continue;
      const set = sets.get(head[k]!) ?? { steps: [], counted: new Map<number, number>() };
      sets.set(head[k]!, set);
      set.steps.push(k);
      const member = once ? Math.floor(k / T) : k;
      if (!set.counted.has(member)) set.counted.set(member, x[k]!);
    }
    for (const { steps, counted } of sets.values()) {
      const total = [...counted.values()].reduce((sum, value) => sum + value, 0);
      for (const k of steps) y[k] = total / counted.size;
    }
  }
  return y;
}

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], seed) =>
  [false, true].map((once): Case => {
    const length = wholes(seed + 5, S * B, T).map((n) => n + 1);
    const taskIndex = wholes(seed + 6, S * B, tasks);
    // a step in no set among real ones: its place in the history is too early
    const head = keyMatch(S, B, T, keysFor(seed, S * B * T), length, taskIndex).head.map((h, k) =>
      h !== 0xffffffff && k % T === 0 && k > 0 ? 0xffffffff : h,
    );
    const x = numbers(seed + 9, S * B * T).map((v, at) => (head[at] === 0xffffffff ? 1e30 : v));
    return {
      name: `setMean ${once ? 'of trajectories' : 'of visits'}, ${S}×${B}×${T} in ${tasks} groups`,
      kernel: kernels.setMean,
      dims: { B, T, block: B, once: once ? 1 : 0 },
      groups: [Math.ceil((B * T) / 64), 1, S],
      buffers: { x, head, length, taskIndex, y: untouched(S * B * T) },
      expected: { y: setMean(S, B, T, once, x, head) },
      // sums of at most 72 numbers below 1
      tolerance: { abs: 4e-6, rel: 1e-6 },
    };
  }),
);
