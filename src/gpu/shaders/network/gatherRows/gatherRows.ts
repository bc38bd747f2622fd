import type { Case } from '../../../conformance.ts';
import { tokenKernels } from '../../tokenKernels.ts';
import {
  eachLive,
  groupsFor,
  outputOf,
  queryAt,
  tokenAt,
  valuesOf,
  worlds,
  type TokenWorld,
} from '../../tokenWorld.ts';

/** Y = X of every prefix. */
export function gatherRows(w: TokenWorld, D: number, X: Float32Array): Float32Array {
  const Y = outputOf(w, 2, D);
  eachLive(w, 2, (s, m, row) => {
    const from = (s * w.most[1] + queryAt(w, s, m, false)) * D;
    Y.set(X.subarray(from, from + D), row * D);
  });
  return Y;
}

/** Prefixes get their row of Y, other tokens 0. */
export function scatterRows(w: TokenWorld, D: number, Y: Float32Array): Float32Array {
  const X = outputOf(w, 1, D);
  eachLive(w, 1, (s, i, row) => {
    const { row: r, prefix } = tokenAt(w, s, i);
    const from = (s * w.most[2] + r * w.J + prefix) * D;
    X.set(prefix < 0 ? new Float32Array(D) : Y.subarray(from, from + D), row * D);
  });
  return X;
}

export const cases: readonly Case[] = worlds.flatMap((w, seed): Case[] => {
  const D = [1, 3, 8][seed]!;
  const X = valuesOf(w, 1, D, seed);
  const Y = valuesOf(w, 2, D, seed + 1);
  const { rows, tokens, stride, J } = w;
  const dims = { stride, maxTokens: w.most[1], maxQueries: w.most[2], J, D };
  return [
    {
      name: `gatherRows, world ${seed}`,
      kernel: tokenKernels.gatherRows,
      dims,
      groups: groupsFor(w, 2, D),
      buffers: { rows, X, Y: outputOf(w, 2, D) },
      expected: { Y: gatherRows(w, D, X) },
    },
    {
      name: `scatterRows, world ${seed}`,
      kernel: tokenKernels.scatterRows,
      dims,
      groups: groupsFor(w, 1, D),
      buffers: { rows, tokens, Y, X: outputOf(w, 1, D) },
      expected: { X: scatterRows(w, D, Y) },
    },
  ];
});
