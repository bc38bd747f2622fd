import { CHUNK, chunksKept, FEWEST } from '../contract/kept.ts';

/**
 * A place beside the memory, a file, that takes numbers and gives them back at once, so that whoever reads does not wait.
 * What stands in it stays as it is.
 */
export type Spill = {
  /** Where these numbers are now; null where there is no room. */
  write(values: Float32Array): number | null;
  /** False where they cannot be read any more; the place has told it. */
  read(place: number, into: Float32Array): boolean;
};

/** Chunks that were read back last: whoever reads goes from one update to the next. */
const READ = 2;

type Chunk = {
  values: Float32Array | null;
  place: number | null;
  /** in the history of more than one run: whoever writes makes a copy */
  isShared: boolean;
};

/** Rows of numbers, one an update: the newest in memory, the others where there is a place for them. */
export class CurveRows {
  private readonly row: number;
  private readonly spill: Spill | null;
  private readonly most: number;
  private chunks: Chunk[] = [];
  private isFull = false;
  private readonly read: { chunk: Chunk; values: Float32Array }[] = [];

  constructor(row: number, spill: Spill | null, most: number = chunksKept(row)) {
    this.row = row;
    this.spill = spill;
    this.most = Math.max(FEWEST, most);
  }

  /** The same rows for another run, which shares what neither of them writes. */
  copy(): CurveRows {
    const copy = new CurveRows(this.row, this.spill, this.most);
    for (const chunk of this.chunks) chunk.isShared = true;
    copy.chunks = [...this.chunks];
    copy.isFull = this.isFull;
    return copy;
  }

  /** Bytes in memory. */
  get bytes(): number {
    const own = this.chunks.reduce((sum, { values }) => sum + (values?.byteLength ?? 0), 0);
    return this.read.reduce((sum, { values }) => sum + values.byteLength, own);
  }

  /** True where all rows from this update on are in memory. */
  hasInMemory(from: number): boolean {
    return this.chunks.every(({ values }, k) => values !== null || (k + 1) * CHUNK <= from);
  }

  at(update: number, k: number): number {
    return this.valuesOf(Math.floor(update / CHUNK))[(update % CHUNK) * this.row + k]!;
  }

  /** The row of an update, to be written. */
  toWrite(update: number): Float32Array {
    const k = Math.floor(update / CHUNK);
    while (this.chunks.length <= k) this.begin();
    const values = this.ownOf(k);
    const at = (update % CHUNK) * this.row;
    return values.subarray(at, at + this.row);
  }

  /** The row of an update as it is. */
  toRead(update: number): Float32Array {
    const at = (update % CHUNK) * this.row;
    return this.valuesOf(Math.floor(update / CHUNK)).subarray(at, at + this.row);
  }

  /** Forgets every row from this update on. */
  truncate(count: number): void {
    this.chunks.length = Math.min(this.chunks.length, Math.ceil(count / CHUNK));
  }

  private begin(): void {
    this.chunks.push({ values: new Float32Array(CHUNK * this.row), place: null, isShared: false });
    const inMemory = this.chunks.filter(({ values }) => values !== null);
    for (const chunk of inMemory.slice(0, Math.max(0, inMemory.length - this.most))) {
      if (this.isFull || !this.spill) return;
      chunk.place = this.spill.write(chunk.values!);
      if (chunk.place === null) this.isFull = true;
      else chunk.values = null;
    }
  }

  private valuesOf(k: number): Float32Array {
    const chunk = this.chunks[k]!;
    if (chunk.values) return chunk.values;
    const known = this.read.findIndex((one) => one.chunk === chunk);
    if (known > 0) this.read.unshift(...this.read.splice(known, 1));
    if (known < 0) {
      const values = this.read.length < READ ? new Float32Array(CHUNK * this.row) : this.read.pop()!.values;
      if (!this.spill!.read(chunk.place!, values)) values.fill(NaN);
      this.read.unshift({ chunk, values });
    }
    return this.read[0]!.values;
  }

  /** A chunk that nobody else has, in memory. */
  private ownOf(k: number): Float32Array {
    const chunk = this.chunks[k]!;
    if (chunk.values && !chunk.isShared) return chunk.values;
    const values = this.valuesOf(k).slice();
    this.chunks[k] = { values, place: null, isShared: false };
    return values;
  }
}
