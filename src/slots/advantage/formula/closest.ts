/** The known name that is closest to what was written: at most a third of its letters have to change. Null: none is close. */
export function closest(written: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(written.length / 3));
  let best: string | null = null;
  let least = limit + 1;
  for (const name of known) {
    if (Math.abs(name.length - written.length) > limit) continue;
    const far = distance(written.toLowerCase(), name.toLowerCase());
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/** Letters to change, add, leave out or swap with the next. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
