const PRIMES = primes(64);
/** First 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const START = Uint32Array.from(PRIMES.slice(0, 8), (p) => fraction(Math.sqrt(p)));
const K = Uint32Array.from(PRIMES, (p) => fraction(Math.cbrt(p)));

/** SHA-256 of bytes in plain arithmetic. */
export const plainSha256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Sha256().take(bytes).end();

/** The same of bytes that come in pieces, in plain arithmetic (FIPS 180-4 §6.2, in its letters): browsers take only a whole. */
export class Sha256 {
  private readonly H = START.slice();
  private readonly W = new Uint32Array(64);
  /** bytes that no block is full of yet */
  private readonly rest = new Uint8Array(64);
  private size = 0;

  take(bytes: Uint8Array): this {
    let at = 0;
    const begun = this.size % 64;
    if (begun > 0) {
      at = Math.min(64 - begun, bytes.length);
      this.rest.set(bytes.subarray(0, at), begun);
      if (begun + at === 64) this.block(this.rest, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) this.block(bytes, at);
    if (at < bytes.length) this.rest.set(bytes.subarray(at));
    this.size += bytes.length;
    return this;
  }

  /** The digest of everything so far; nothing can be taken after it. */
  end(): Uint8Array<ArrayBuffer> {
    const { size } = this;
    const padded = new Uint8Array(Math.ceil(((size % 64) + 9) / 64) * 64 - (size % 64));
    padded[0] = 0x80;
    new DataView(padded.buffer).setBigUint64(padded.length - 8, 8n * BigInt(size));
    this.take(padded);
    const out = new Uint8Array(32);
    this.H.forEach((word, k) => new DataView(out.buffer).setUint32(4 * k, word));
    return out;
  }

  private block(bytes: Uint8Array, at: number): void {
    const { H, W } = this;
    for (let t = 0, k = at; t < 16; t++, k += 4)
      W[t] = (bytes[k]! << 24) | (bytes[k + 1]! << 16) | (bytes[k + 2]! << 8) | bytes[k + 3]!;
    for (let t = 16; t < 64; t++) W[t] = sigma1(W[t - 2]!) + W[t - 7]! + sigma0(W[t - 15]!) + W[t - 16]!;
    compress(H, W);
  }
}

function compress(H: Uint32Array, W: Uint32Array): void {
  let [a, b, c, d] = [H[0]! | 0, H[1]! | 0, H[2]! | 0, H[3]! | 0];
  let [e, f, g, h] = [H[4]! | 0, H[5]! | 0, H[6]! | 0, H[7]! | 0];
  for (let t = 0; t < 64; t++) {
    const t1 = (h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + K[t]! + W[t]!) | 0;
    const t2 = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const now = [a, b, c, d, e, f, g, h];
  for (let k = 0; k < 8; k++) H[k] = H[k]! + now[k]!;
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
