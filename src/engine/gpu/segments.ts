import { LONGER, ROOM } from './bounds.ts';

/** Most units of one submission. */
const MOST_UNITS = 4096;

/** What a segment took: ms, how many chunks of steps it holds, and whether one of its dispatches is cut or stands alone. */
export type Taken = { readonly ms: number; readonly chunks: number; readonly isCut: boolean };

/**
 * Where the submissions of one kind of use end, in units: dispatches and chunks of steps. One that is too long is halved,
 * neighbors that fit into a frame together become one. What made nothing better is undone and not tried again.
 */
export class Segments {
  ends: number[];
  /** ends between segments that turned out longer together than they were apart */
  private readonly kept = new Set<number>();
  /** where halving only made two of the same length */
  private readonly whole = new Set<number>();
  /** by the end that halving has made: what the segment took before */
  private readonly halved = new Map<number, number>();
  /** by the end of what was joined: the ends that went */
  private readonly joined = new Map<number, number[]>();

  constructor(ends: readonly number[]) {
    this.ends = [...ends];
  }

  /** By what each segment took; true where anything changed. */
  adjust(taken: readonly Taken[], frame: number): boolean {
    const before = this.ends;
    const vain = this.judge(taken, frame);
    this.ends = vain ?? this.join(taken, frame, this.halve(taken, frame));
    return this.ends.length !== before.length || this.ends.some((end, j) => end !== before[j]);
  }

  /** The device has become another one: everything may be tried again. */
  forget(): void {
    for (const guard of [this.kept, this.whole, this.halved, this.joined]) guard.clear();
  }

  /** Takes back what the last adjustment did in vain; null where all of it was good. */
  private judge(taken: readonly Taken[], frame: number): number[] | null {
    const { ends, halved, joined } = this;
    const next = new Set(ends);
    ends.forEach((end, j) => {
      const ms = halved.get(end);
      const both = taken[j]!.ms + (taken[j + 1]?.ms ?? 0);
      if (ms !== undefined && both > 2 * LONGER * ms) {
        next.delete(end);
        this.whole.add(end);
      }
      const gone = joined.get(end);
      if (!gone || taken[j]!.ms <= frame) return;
      for (const at of gone) {
        next.add(at);
        this.kept.add(at);
      }
    });
    halved.clear();
    joined.clear();
    const isSame = next.size === ends.length && ends.every((end) => next.has(end));
    return isSame ? null : [...next].sort((a, b) => a - b);
  }

  /** New ends in the middle of segments that are too long. */
  private halve(taken: readonly Taken[], frame: number): Set<number> {
    const made = new Set<number>();
    this.ends.forEach((end, j) => {
      const from = this.ends[j - 1] ?? 0;
      const middle = (from + end) >> 1;
      if (taken[j]!.ms <= frame || end - from < 2 || this.whole.has(middle)) return;
      made.add(middle);
      this.halved.set(middle, taken[j]!.ms);
    });
    return made;
  }

  /** Ends after joining neighbors, with those that halving has made. */
  private join(taken: readonly Taken[], frame: number, made: ReadonlySet<number>): number[] {
    const next: number[] = [];
    let [from, sum, chunks, isOpen] = [0, 0, 0, false];
    let gone: number[] = [];
    this.ends.forEach((end, j) => {
      const start = this.ends[j - 1] ?? 0;
      const middle = (start + end) >> 1;
      const now = taken[j]!;
      const fits =
        isOpen &&
        !now.isCut &&
        !this.kept.has(start) &&
        chunks + now.chunks <= 1 &&
        end - from <= MOST_UNITS &&
        sum + now.ms <= ROOM * frame;
      if (fits) {
        next.pop();
        gone.push(start);
        this.joined.delete(start);
        this.joined.set(end, [...gone]);
      } else [from, sum, chunks, gone] = [start, 0, 0, []];
      sum += now.ms;
      chunks += now.chunks;
      isOpen = !now.isCut;
      if (made.has(middle)) {
        next.push(middle);
        isOpen = false;
      }
      next.push(end);
    });
    return next;
  }
}
