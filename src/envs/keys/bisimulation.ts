import type { Model } from '../../core/dp.ts';

/**
 * The coarsest partition of the states of a process in which equal states pay alike, end alike, and lead by each action into
 * equal states with equal chances: [states] number of the class, classes in the order of their first state.
 */
export function bisimulation(model: Model): Uint32Array {
  const { states: n, actions: A, offset, next, probability, reward, success } = model;
  let classes = new Uint32Array(n);
  for (let known = n === 0 ? 0 : 1; ;) {
    const names = new Map<string, number>();
    const finer = new Uint32Array(n);
    for (let s = 0; s < n; s++) {
      let name = `${classes[s]}`;
      for (let sa = s * A; sa < (s + 1) * A; sa++) {
        const into = new Map<number, number>();
        for (let o = offset[sa]!; o < offset[sa + 1]!; o++) {
          const to = next[o]! < 0 ? -1 : classes[next[o]!]!;
          into.set(to, (into.get(to) ?? 0) + probability[o]!);
        }
        // chances of different orders of addition differ by rounding
        const ways = [...into].sort((a, b) => a[0] - b[0]).map(([to, p]) => `${to}:${p.toFixed(9)}`);
        name += `|${reward[sa]!.toFixed(9)},${success[sa]!.toFixed(9)},${ways.join()}`;
      }
      let own = names.get(name);
      if (own === undefined) names.set(name, (own = names.size));
      finer[s] = own;
    }
    classes = finer;
    if (names.size === known) return classes;
    known = names.size;
  }
}
