/** 1 at the units that are kept: at most `count` of those with an excess above 1 go, the largest first, of equal ones the earlier. */
export function keptByExcess(excess: Float64Array, count: number): Uint8Array {
  const kept = new Uint8Array(excess.length).fill(1);
  const worst = Array.from(excess.keys())
    .filter((u) => excess[u]! > 1)
    .sort((u, v) => excess[v]! - excess[u]! || u - v);
  for (const u of worst.slice(0, count)) kept[u] = 0;
  return kept;
}
