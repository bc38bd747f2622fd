/**
 * A numbered set of states of `stride` bytes, in order of discovery. Open addressing over flat arrays: millions of states
 * without an object each.
 */
export class StateSet {
  count = 0;
  private readonly stride: number;
  private bytes: Uint8Array;
  private table = new Int32Array(1024).fill(-1);

  constructor(stride: number) {
    this.stride = stride;
    this.bytes = new Uint8Array(stride * 256);
  }

  /** Number of the state if it is new; −1 − number if it was known. */
  add(state: Uint8Array): number {
    if (2 * this.count >= this.table.length) this.rehash();
    const slot = this.slotOf(state, 0);
    const known = this.table[slot]!;
    if (known >= 0) return -1 - known;
    if ((this.count + 1) * this.stride > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(state, this.count * this.stride);
    this.table[slot] = this.count;
    return this.count++;
  }

  /** Copies state number s. */
  copy(s: number, out: Uint8Array): void {
    const at = s * this.stride;
    for (let k = 0; k < this.stride; k++) out[k] = this.bytes[at + k]!;
  }

  /** First byte of state number s. */
  head(s: number): number {
    return this.bytes[s * this.stride]!;
  }

  /** Slot of an equal state, or the free slot where it belongs. */
  private slotOf(state: Uint8Array, at: number): number {
    const { stride, bytes, table } = this;
    const last = table.length - 1;
    let hash = 0x811c9dc5;
    for (let k = 0; k < stride; k++) hash = Math.imul(hash ^ state[at + k]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    for (let slot = (hash ^ (hash >>> 13)) & last; ; slot = (slot + 1) & last) {
      const known = table[slot]!;
      if (known < 0) return slot;
      let k = 0;
      while (k < stride && bytes[known * stride + k] === state[at + k]) k++;
      if (k === stride) return slot;
    }
  }

  private rehash(): void {
    this.table = new Int32Array(this.table.length * 2).fill(-1);
    for (let s = 0; s < this.count; s++) this.table[this.slotOf(this.bytes, s * this.stride)] = s;
  }
}
