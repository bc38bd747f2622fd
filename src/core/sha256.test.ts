import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { plainSha256, Sha256 } from './plainSha256.ts';
import { sha256 } from './sha256.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const wanted = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('the two examples of the standard', () => {
  const of = (text: string): string => hex(plainSha256(new TextEncoder().encode(text)));
  expect(of('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(of('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  );
});

test('every length around the ends of blocks, and random bytes', () => {
  for (let n = 0; n < 200; n++) {
    const bytes = Uint8Array.from({ length: n }, (_, k) => (k * 37 + n) & 255);
    expect(hex(plainSha256(bytes))).toBe(wanted(bytes));
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => hex(plainSha256(bytes)) === wanted(bytes)));
});

test('in pieces of any sizes, empty ones too, the digest is that of the whole', () => {
  const cuts = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 });
  fc.assert(
    fc.property(cuts, (pieces) => {
      const running = new Sha256();
      for (const piece of pieces) running.take(piece);
      return hex(running.end()) === wanted(Buffer.concat(pieces));
    }),
  );
});

test('with and without the browser’s own, the bytes are the same', async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, k) => k & 255);
  const own = hex(await sha256(bytes));
  vi.stubGlobal('crypto', {});
  try {
    expect(hex(await sha256(bytes))).toBe(own);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(own).toBe(wanted(bytes));
});
