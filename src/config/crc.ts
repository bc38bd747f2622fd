/** CRC-32 (IEEE 802.3) of byte n with k zero bytes behind it, at 256 k + n, for k < 8. */
const table = new Uint32Array(8 * 256);
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = (c & 1) === 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  table[n] = c;
}
for (let k = 256; k < table.length; k++) table[k] = table[table[k - 256]! & 255]! ^ (table[k - 256]! >>> 8);

/**
 * CRC-32 (IEEE 802.3, as in zip and PNG) of bytes, as an unsigned number; `before`: of the bytes in front of them. Eight
 * bytes at a time (Kounavis and Berry, “Novel table lookup-based algorithms for high-performance CRC generation”, 2008).
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let c = before ^ 0xffffffff;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    c ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    const near = table[1792 + (c & 255)]! ^ table[1536 + ((c >>> 8) & 255)]!;
    const next = table[1280 + ((c >>> 16) & 255)]! ^ table[1024 + (c >>> 24)]!;
    const far = table[768 + bytes[at + 4]!]! ^ table[512 + bytes[at + 5]!]!;
    c = near ^ next ^ far ^ table[256 + bytes[at + 6]!]! ^ table[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) c = table[(c ^ bytes[at]!) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
