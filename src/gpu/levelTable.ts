import type { Model } from '../core/dp.ts';
import { sum } from '../core/stats.ts';

/** A level whose states are listed: transitions, packed states with their clock last, legal actions, and its step limit. */
export type Listed = {
  readonly model: Model;
  readonly states: Uint32Array;
  readonly legal: Uint32Array;
  readonly limit: number;
};

/** No table for this row, or no state after this outcome. */
export const NONE = 0xffffffff;
/** Words of a place: where its table begins, its first state in the outputs of the network, its first value, 1 if it is used. */
export const PLACE_WORDS = 4;

const bitsOf = (x: Float64Array): Uint32Array => new Uint32Array(Float32Array.from(x).buffer);

/** The states in ascending order of their words, clock left out, so that one is found by halving. */
function orderOf(states: Uint32Array, n: number): Uint32Array {
  const words = states.length / n;
  return Uint32Array.from({ length: n }, (_, s) => s).sort((a, b) => {
    for (let w = 0; w < words - 1; w++) {
      const [x, y] = [states[a * words + w]!, states[b * words + w]!];
      if (x !== y) return x - y;
    }
    return 0;
  });
}

/** Words of a level as `levelTable.wgsl` reads them, which says where everything is. */
export function levelTable({ model, states, legal, limit }: Listed): Uint32Array<ArrayBuffer> {
  const { states: n, next, probability, reward, offset } = model;
  const words = states.length / n;
  const bare = states.filter((_, k) => k % words < words - 1);
  const ends = Uint32Array.from(next, (to) => (to < 0 ? NONE : to));
  const head = Uint32Array.of(n, limit, next.length);
  const parts = [head, legal, orderOf(states, n), bare, offset, bitsOf(reward), ends, bitsOf(probability)];
  const table = new Uint32Array(sum(parts.map(({ length }) => length)));
  let at = 0;
  for (const part of parts) {
    table.set(part, at);
    at += part.length;
  }
  return table;
}
