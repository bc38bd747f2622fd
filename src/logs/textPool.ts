import { hashText } from './textHash.ts';

/** Characters of a text that are kept to be shown. */
export const SHOWN_TEXT = 4000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Texts by number: equal texts have equal numbers. A log of millions of steps repeats its texts, so each is kept once, as
 * bytes in one array, cut at SHOWN_TEXT characters. When the array is full, further texts still get numbers, but can no
 * longer be shown. Texts are found by their 64-bit hash.
 */
export class TextPool {
  private readonly most: number;
  private bytes = new Uint8Array(1 << 16);
  private used = 0;
  /** [2 · size] hashes by number, and the place where each text ends */
  private hashes = new Uint32Array(2 * 1024);
  private ends = new Float64Array(1024);
  private slots = new Int32Array(2048).fill(-1);
  private readonly own = new Uint32Array(2);
  size = 0;
  /** texts that have a number but could not be kept */
  dropped = 0;

  /** @param most bytes that are kept at most */
  constructor(most: number) {
    this.most = most;
  }

  /** The number of a text. */
  take(text: string): number {
    hashText(text, this.own, 0);
    const [a, b] = [this.own[0]!, this.own[1]!];
    let at = a & (this.slots.length - 1);
    for (let found = this.slots[at]!; found >= 0; found = this.slots[at]!) {
      if (this.hashes[2 * found] === a && this.hashes[2 * found + 1] === b) return found;
      at = (at + 1) & (this.slots.length - 1);
    }
    if (2 * (this.size + 1) > this.slots.length) {
      this.grow();
      at = a & (this.slots.length - 1);
      while (this.slots[at]! >= 0) at = (at + 1) & (this.slots.length - 1);
    }
    const number = this.size++;
    this.slots[at] = number;
    this.hashes[2 * number] = a;
    this.hashes[2 * number + 1] = b;
    this.keep(text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)} …` : text, number);
    return number;
  }

  private keep(text: string, number: number): void {
    const room = 3 * text.length;
    if (this.used + room > this.bytes.length && this.bytes.length < this.most) {
      const more = new Uint8Array(Math.min(this.most, Math.max(2 * this.bytes.length, this.used + room)));
      more.set(this.bytes.subarray(0, this.used));
      this.bytes = more;
    }
    if (this.used + room <= this.bytes.length)
      this.used += encoder.encodeInto(text, this.bytes.subarray(this.used)).written;
    else this.dropped++;
    this.ends[number] = this.used;
  }

  private grow(): void {
    const slots = new Int32Array(2 * this.slots.length).fill(-1);
    const hashes = new Uint32Array(2 * this.hashes.length);
    const ends = new Float64Array(2 * this.ends.length);
    hashes.set(this.hashes);
    ends.set(this.ends);
    for (let n = 0; n < this.size; n++) {
      let at = hashes[2 * n]! & (slots.length - 1);
      while (slots[at]! >= 0) at = (at + 1) & (slots.length - 1);
      slots[at] = n;
    }
    [this.slots, this.hashes, this.ends] = [slots, hashes, ends];
  }

  /** The text of a number, '' where it was not kept. */
  text(number: number): string {
    if (number < 0 || number >= this.size) return '';
    return decoder.decode(this.bytes.subarray(number === 0 ? 0 : this.ends[number - 1], this.ends[number]));
  }

  /** Both words of the hash of a text. */
  hash(number: number): readonly [number, number] {
    return [this.hashes[2 * number]!, this.hashes[2 * number + 1]!];
  }
}
