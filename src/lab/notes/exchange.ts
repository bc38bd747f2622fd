import type { Tasks } from '../../engine/plan.ts';
import type { Keeps } from '../../envs/types.ts';
import type { Shown } from '../../slots/rollout/memory/types.ts';

/** What an episode kept in each step, and after which steps there was something new. */
export type Writing = { readonly kept: Uint32Array[]; readonly news: number[] };

/** What is called before a step is seen. */
export type Shows = (step: Shown) => void;

/** Notes down what each of B episodes keeps, and changes nothing. */
export function watching(keeps: Keeps, words: number, B: number): { shows: Shows; writings: readonly Writing[] } {
  const writings = Array.from({ length: B }, (): Writing => ({ kept: [], news: [] }));
  return {
    writings,
    shows({ row, state, at }) {
      const { kept, news } = writings[row]!;
      if (kept.length > 0 && keeps.isNew(state, at - words, at)) news.push(kept.length);
      const now = new Uint32Array(keeps.words);
      keeps.read(state, at, now);
      kept.push(now);
    },
  };
}

/**
 * In every step an episode keeps what `others` says that another one kept in that step, or at its end where that was earlier;
 * null: nothing. When something is written is told by notes too: so steps are exchanged, and not notes.
 */
export function exchanging(keeps: Keeps, others: readonly (Writing | null)[]): Shows {
  const times = new Int32Array(others.length);
  const nothing = new Uint32Array(keeps.words);
  return ({ row, state, at }) => {
    const t = times[row]!++;
    const other = others[row]?.kept;
    if (t > 0) keeps.put(state, at, other ? other[Math.min(t, other.length - 1)]! : nothing);
  };
}

/**
 * For each episode another one that it gets the notes of: one ring through all of them, or one through those of each level.
 * −1: there is no other. `below` draws a number below n.
 */
export function partners(
  { levelOf }: Pick<Tasks, 'levelOf'>,
  B: number,
  isOfLevel: boolean,
  below: (n: number) => number,
): Int32Array {
  const found = new Int32Array(B).fill(-1);
  const sets = new Map<number, number[]>();
  for (let i = 0; i < B; i++) {
    const set = isOfLevel ? levelOf[i]! : 0;
    sets.set(set, [...(sets.get(set) ?? []), i]);
  }
  for (const rows of sets.values()) {
    for (let n = rows.length - 1; n > 0; n--) {
      const m = below(n + 1);
      [rows[n], rows[m]] = [rows[m]!, rows[n]!];
    }
    if (rows.length > 1) rows.forEach((row, k) => (found[row] = rows[(k + 1) % rows.length]!));
  }
  return found;
}
