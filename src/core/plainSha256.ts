const PRIMES = primes(64);
/** First 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const START = Uint32Array.from(PRIMES.slice(0, 8), (p) => fraction(Math.sqrt(p)));
const K = Uint32Array.from(PRIMES, (p) => fraction(Math.cbrt(p)));

/** SHA-256 of bytes in plain arithmetic (FIPS 180-4 §6.2, in its letters). */
export function plainSha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, 8n * BigInt(bytes.length));
  const H = START.slice();
  const W = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t++) W[t] = view.getUint32(block + 4 * t);
    for (let t = 16; t < 64; t++) W[t] = sigma1(W[t - 2]!) + W[t - 7]! + sigma0(W[t - 15]!) + W[t - 16]!;
    compress(H, W);
  }
  const out = new Uint8Array(32);
  H.forEach((word, k) => new DataView(out.buffer).setUint32(4 * k, word));
  return out;
}

function compress(H: Uint32Array, W: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = H as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const t1 = h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + K[t]! + W[t]!;
    const t2 = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [k, word] of [a, b, c, d, e, f, g, h].entries()) H[k] = H[k]! + word;
}

const right = (x: number, n: number): number => (x >>> n) | (x << (32 - n));
const sigma0 = (x: number): number => right(x, 7) ^ right(x, 18) ^ (x >>> 3);
const sigma1 = (x: number): number => right(x, 17) ^ right(x, 19) ^ (x >>> 10);

/** First 32 bits after the point; a root below 8 leaves a double 49 of them, so the last one is right. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n);
  return found;
}
