import type { CellView } from './layers.ts';

/** How long arrows take from one frame to the next; shorter than what counts as an animation. */
export const MORPH_MS = 150;

/** Arrows on the way from one frame to the next: `x` 0 is the old frame, 1 the new one. Everything else is new. */
export function between(
  from: ReadonlyMap<number, CellView>,
  to: ReadonlyMap<number, CellView>,
  x: number,
): ReadonlyMap<number, CellView> {
  if (x >= 1) return to;
  return new Map(
    [...to].map(([cell, view]) => {
      const old = from.get(cell)?.arrows;
      if (!old) return [cell, view];
      return [cell, { ...view, arrows: view.arrows.map((p, d) => old[d]! + (p - old[d]!) * x) }];
    }),
  );
}

/** The arrows on the screen, which follow the newest ones without a jump. */
export class Morph {
  private from: ReadonlyMap<number, CellView> | null = null;
  private to: ReadonlyMap<number, CellView> | null = null;
  private startedAt = -Infinity;

  /** There are newer arrows; `isStill`: they are there at once. */
  aim(cells: ReadonlyMap<number, CellView> | null, isStill: boolean, now: number): void {
    if (cells === this.to) return;
    this.from = isStill ? null : this.at(now);
    this.to = cells;
    this.startedAt = now;
  }

  at(now: number): ReadonlyMap<number, CellView> | null {
    const { from, to } = this;
    return from && to ? between(from, to, (now - this.startedAt) / MORPH_MS) : to;
  }

  isOver(now: number): boolean {
    return !this.from || now - this.startedAt >= MORPH_MS;
  }
}
