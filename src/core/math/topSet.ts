/** Which choices are kept: the most likely ones until they have `topP` of the probability, at least `minKeep`. */
export type TopRule = { readonly topP: number; readonly minKeep: number };

/**
 * The restricted action set of NLPO (arXiv 2210.01241) as bits: the smallest set of the choices p[at … at + count) whose
 * probability reaches `topP`, at least `minKeep` of them; of equal ones the lower index first, none of probability 0.
 */
export function topSet(p: ArrayLike<number>, at: number, count: number, { topP, minKeep }: TopRule): number {
  let kept = 0;
  let reached = 0;
  for (let k = 0; k < count && (reached < topP || k < minKeep); k++) {
    let best = -1;
    let most = 0;
    for (let b = 0; b < count; b++) {
      if (((kept >>> b) & 1) === 1 || !(p[at + b]! > most)) continue;
      best = b;
      most = p[at + b]!;
    }
    if (best < 0) break;
    kept |= 1 << best;
    reached += most;
  }
  return kept >>> 0;
}
