/** Start and end of what differs between two texts, for the smallest change. */
export function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let same = 0;
  const most = Math.min(before.length, after.length) - from;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
