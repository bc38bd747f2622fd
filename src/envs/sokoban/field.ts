import { SHIFT, SIDE } from './board.ts';

/** Where the player can walk, with boxes and walls in the way. One fill at a time; nothing is cleared between fills. */
export class Field {
  /** 1 where nobody can walk: wall or box */
  readonly blocked = new Uint8Array(SIDE * SIDE).fill(1);
  /** equals `mark` where the player of the last fill can be */
  readonly region = new Uint32Array(SIDE * SIDE);
  mark = 0;
  private readonly queue = new Uint8Array(SIDE * SIDE);

  constructor(floor: readonly number[]) {
    for (const square of floor) this.blocked[square] = 0;
  }

  /** Marks everything that can be reached from a square; returns the first square of the region in reading order. */
  fill(from: number): number {
    this.mark++;
    let least = from;
    let tail = 1;
    this.queue[0] = from;
    this.region[from] = this.mark;
    for (let head = 0; head < tail; head++) {
      const at = this.queue[head]!;
      if (at < least) least = at;
      for (let d = 0; d < 4; d++) {
        const to = at + SHIFT[d]!;
        if (this.blocked[to] === 1 || this.region[to] === this.mark) continue;
        this.region[to] = this.mark;
        this.queue[tail++] = to;
      }
    }
    return least;
  }

  /** Blocks or frees the squares of the boxes in bytes 1… of a state. */
  place(state: Uint8Array, value: 0 | 1): void {
    for (let b = 1; b < state.length; b++) this.blocked[state[b]!] = value;
  }

  /** True if the player of the last fill can be there. */
  reaches(square: number): boolean {
    return this.region[square] === this.mark;
  }
}
