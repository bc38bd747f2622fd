/**
 * 1 at the units that are kept: the largest M_u = prox_u² are left out until the mean of the others is below the limit; at
 * least one stays. Equal ones: the earlier goes first.
 */
export function secondMoment(prox: Float64Array, limit: number): Uint8Array {
  const kept = new Uint8Array(prox.length).fill(1);
  const order = Array.from(prox.keys()).sort((u, v) => prox[v]! ** 2 - prox[u]! ** 2 || u - v);
  // sums of the smallest first, so that no large number has been in them
  const sums = new Float64Array(prox.length + 1);
  for (let k = order.length - 1; k >= 0; k--) sums[k] = sums[k + 1]! + prox[order[k]!]! ** 2;
  for (let k = 0; k < order.length - 1 && sums[k]! / (order.length - k) >= limit; k++) kept[order[k]!] = 0;
  return kept;
}
