import { inflateRawSync } from 'node:zlib';

/** CRC-32 (IEEE 802.3) of bytes, bit by bit: this is a test, speed does not matter. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A payload with a right checksum around any JSON text: what an attacker can write. */
export function payloadOf(json: string, schema = 1): string {
  const bytes = Buffer.from(json, 'utf8');
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(bytes));
  return `${schema}.j.${bytes.toString('base64url')}.${check.toString('base64url')}`;
}

/** Fragment of a link that carries these changes to the default experiment, e.g. `{ run: { seeds: 4 } }`. */
export function linkWith(changes: object): string {
  return `#/lab?x=${payloadOf(JSON.stringify({ c: changes }))}`;
}

/** All that a link of the page carries: changes `c`, title `t`, moment `m`. */
export function contentOf(link: string): Record<string, unknown> {
  const [, form, text] = link.split('x=')[1]!.split('.');
  const bytes = Buffer.from(text!, 'base64url');
  return JSON.parse((form === 'd' ? inflateRawSync(bytes) : bytes).toString('utf8')) as Record<string, unknown>;
}

/** The changes to the default experiment in a link that the page has made. */
export const changesIn = (link: string): unknown => contentOf(link)['c'];
