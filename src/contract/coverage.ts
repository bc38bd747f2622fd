/**
 * Weight covered by a trajectory, F(τ_{0:t}) for t = 0 … n: of the union of what its states cover, each item once; and the
 * weight of what each state covers by itself. `items(t, add)` says what state t covers, `weigh` what an item weighs.
 */
export function coverage(
  n: number,
  items: (t: number, add: (item: number) => void) => void,
  weigh: (item: number) => number = () => 1,
): { readonly covered: Float64Array; readonly own: Float64Array } {
  const [covered, own] = [new Float64Array(n + 1), new Float64Array(n + 1)];
  const seen = new Set<number>();
  let sum = 0;
  for (let t = 0; t <= n; t++) {
    items(t, (item) => {
      own[t]! += weigh(item);
      if (seen.has(item)) return;
      seen.add(item);
      sum += weigh(item);
    });
    covered[t] = sum;
  }
  return { covered, own };
}
