/** Updates of a block at first; when there are as many blocks as may be, every two become one. */
const WIDTH = 8;
/** Blocks times replicas at most, and blocks at least. */
const MOST = 16_384;
const FEWEST = 128;

/** A metric of replica s in an update. */
type At = (update: number, s: number, metric: number) => number;

/**
 * Lowest and highest number of each metric in blocks of updates, in the order in which they came: what a chart of a long
 * run is drawn from, in memory whose size does not depend on how long it is.
 */
export class CurveBlocks {
  private readonly S: number;
  private readonly most: number;
  /** updates of a block, and blocks that are whole */
  width = WIDTH;
  count = 0;
  /** by metric [blocks, S, 2]; null where nothing was measured */
  private pairs: (Float32Array | null)[];

  constructor(S: number, metrics: number) {
    this.S = S;
    this.most = Math.max(FEWEST, 2 * Math.floor(Math.min(1024, MOST / S) / 2));
    this.pairs = new Array<Float32Array | null>(metrics).fill(null);
  }

  copy(): CurveBlocks {
    const copy = new CurveBlocks(this.S, 0);
    [copy.width, copy.count] = [this.width, this.count];
    copy.pairs = this.pairs.map((pairs) => pairs && pairs.slice());
    return copy;
  }

  get bytes(): number {
    return this.pairs.reduce((sum, pairs) => sum + (pairs?.byteLength ?? 0), 0);
  }

  /** Takes in the blocks that are whole after so many updates. */
  follow(updates: number, at: At): void {
    while ((this.count + 1) * this.width <= updates) {
      if (this.count === this.most) this.halve();
      else this.add(at);
    }
  }

  /** Forgets every block that is not whole after so many updates. */
  truncate(updates: number): void {
    this.count = Math.min(this.count, Math.floor(updates / this.width));
  }

  /** Calls `see` with the numbers of blocks from … to − 1 that are there, in their order. */
  each(from: number, to: number, s: number, metric: number, see: (x: number) => void): void {
    const pairs = this.pairs[metric];
    if (!pairs) return;
    for (let k = from; k < to; k++) {
      const at = 2 * (k * this.S + s);
      see(pairs[at]!);
      see(pairs[at + 1]!);
    }
  }

  private add(at: At): void {
    const [from, to] = [this.count * this.width, (this.count + 1) * this.width];
    for (let m = 0; m < this.pairs.length; m++)
      for (let s = 0; s < this.S; s++) {
        const found = new Extremes();
        for (let u = from; u < to; u++) found.see(at(u, s, m));
        this.put(this.count, s, m, found);
      }
    this.count++;
  }

  private put(block: number, s: number, metric: number, found: Extremes): void {
    let pairs = this.pairs[metric];
    if (!pairs) {
      if (Number.isNaN(found.low)) return;
      pairs = this.pairs[metric] = new Float32Array(2 * this.most * this.S).fill(NaN);
    }
    pairs.set([found.first, found.second], 2 * (block * this.S + s));
  }

  private halve(): void {
    for (let m = 0; m < this.pairs.length; m++)
      for (let k = 0; k < this.most / 2; k++)
        for (let s = 0; s < this.S; s++) {
          const found = new Extremes();
          this.each(2 * k, 2 * k + 2, s, m, (x) => found.see(x));
          this.put(k, s, m, found);
        }
    this.count = this.most / 2;
    this.width *= 2;
  }
}

/** Minimum and maximum of numbers that are seen one after the other; NaN is passed over. */
export class Extremes {
  low = NaN;
  private high = NaN;
  private lowAt = 0;
  private highAt = 0;
  private seen = 0;

  see(x: number): void {
    this.seen++;
    if (Number.isNaN(x)) return;
    if (!(x >= this.low)) {
      this.low = x;
      this.lowAt = this.seen;
    }
    if (!(x <= this.high)) {
      this.high = x;
      this.highAt = this.seen;
    }
  }

  /** The one that came first, and the other. */
  get first(): number {
    return this.lowAt <= this.highAt ? this.low : this.high;
  }
  get second(): number {
    return this.lowAt <= this.highAt ? this.high : this.low;
  }
}
