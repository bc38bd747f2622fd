/** Bytes up to which a hash by ourselves is there sooner than the browser's own, which is computed on another thread. */
const SHORT = 128;

type Plain = (bytes: Uint8Array) => Uint8Array<ArrayBuffer>;
let plain: Plain | null = null;

/**
 * SHA-256 of bytes, 32 bytes (FIPS 180-4). Of many bytes it is the browser's own where it has one; pages without a secure
 * context, and workers of a frame in a sandbox, have none and compute it here, as everyone does of few bytes, to the same
 * result.
 */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // missing without a secure context, which the types do not say
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  const own = async (): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await subtle!.digest('SHA-256', bytes));
  if (subtle && bytes.length > SHORT) return own();
  try {
    plain ??= (await import('./plainSha256.ts')).plainSha256;
  } catch (error) {
    // a part that does not load stops nobody who can do without
    if (subtle) return own();
    throw error;
  }
  return plain(bytes);
}
