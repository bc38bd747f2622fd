import type { MemoryContext } from '../memory/types.ts';

/** `count` of the list, each as likely, in the order of the list. */
export function drawFrom<T>(list: readonly T[], count: number, draw: MemoryContext['draw']): readonly T[] {
  const left = Array.from(list, (_, k) => k);
  for (let k = 0; k < Math.min(count, left.length); k++) {
    const other = k + Math.floor(draw(k) * (left.length - k));
    [left[k], left[other]] = [left[other]!, left[k]!];
  }
  return left
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((k) => list[k]!);
}
