import type { Model } from '../../../core/dp.ts';
import { bestOf, triedActions, type SearchSettings } from './search.ts';

/** Values with d steps of lookahead in every state of a table: Q [states · actions], V and the best action [states]. */
export type Depth = { readonly Q: Float64Array; readonly V: Float64Array; readonly best: Int32Array };

export type TableJudges = {
  /** [states] */
  readonly values: ArrayLike<number>;
  /** [states · actions] */
  readonly probs: ArrayLike<number> | null;
  /** [states] bits of the possible actions */
  readonly legal: ArrayLike<number>;
};

/** The same as `search` from every state of a level at once; entry d − 1 looks d steps ahead. */
export function searchTable(
  { states, actions, offset, next, probability, reward }: Model,
  { values, probs, legal }: TableJudges,
  { depth, width, gamma }: SearchSettings,
): readonly Depth[] {
  const tried = Uint32Array.from({ length: states }, (_, s) =>
    triedActions(legal[s]! & (2 ** actions - 1), actions, width, probs, s * actions),
  );
  const depths: Depth[] = [];
  let after: ArrayLike<number> = values;
  for (let d = 1; d <= depth; d++) {
    const Q = new Float64Array(states * actions).fill(-Infinity);
    const V = new Float64Array(states);
    const best = new Int32Array(states);
    for (let s = 0; s < states; s++) {
      for (let a = 0; a < actions; a++) {
        if (((tried[s]! >>> a) & 1) === 0) continue;
        const sa = s * actions + a;
        let q = reward[sa]!;
        for (let k = offset[sa]!; k < offset[sa + 1]!; k++)
          if (next[k]! >= 0) q += gamma * probability[k]! * after[next[k]!]!;
        Q[sa] = q;
      }
      best[s] = bestOf(Q, s * actions, actions, probs);
      V[s] = best[s]! < 0 ? 0 : Q[s * actions + best[s]!]!;
    }
    depths.push({ Q, V, best });
    after = V;
  }
  return depths;
}
