/**
 * SHA-256 of bytes, 32 bytes (FIPS 180-4). The browser's own where it has one; pages without a secure context, and workers
 * of a frame in a sandbox, have none and compute it here, to the same bytes.
 */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // missing without a secure context, which the types do not say
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  const { plainSha256 } = await import('./plainSha256.ts');
  return plainSha256(bytes);
}
