/**
 * 64-bit hash of a text as two u32 words, written to `out[at]` and `out[at + 1]`: two multiplicative hashes with different
 * factors over its UTF-16 units, each stirred by the other at the end. Equal texts have equal words; of two million
 * different ones, two agree with a chance of about 1e-7. It is not a defense against texts made to collide: those
 * would count as one state.
 */
export function hashText(text: string, out: Uint32Array, at: number): void {
  let a = 0xdeadbeef ^ text.length;
  let b = 0x41c6ce57;
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  out[at] = a >>> 0;
  out[at + 1] = b >>> 0;
}
