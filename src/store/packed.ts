import { crc32 } from '../config/crc.ts';
import { ARRAYS, type NumberArray, type NumberType } from '../contract/numbers.ts';

/**
 * Named arrays and a description as the bytes of one file:
 *
 *   0  "HzLabChk"   8  format, u32   12  turn, u32   16  bytes of the body, f64   24  CRC-32 of the body, u32
 *   28  CRC-32 of bytes 0…27, u32   32  body
 *   body: bytes of the text, u32; the text, JSON; zeros up to a multiple of 8; the arrays, each from a multiple of 8 on
 *
 * The text lists the arrays by name, type and length. Numbers are little-endian, as on every machine with a browser.
 */
export const HEADER = 32;
export const EMPTY = 'It is empty.';
const MAGIC = new TextEncoder().encode('HzLabChk');
const FORMAT = 1;

export type Packed = { readonly about: unknown; readonly arrays: Readonly<Record<string, NumberArray>> };
/** What the bytes hold, and the turn that they were written in; or the sentence of why they cannot be used. */
export type Unpacked = { readonly ok: true; readonly turn: number; readonly packed: Packed } | Unread;
export type Unread = { readonly ok: false; readonly why: string };

type Listed = readonly [name: string, type: NumberType, length: number];

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;
const typeOf = (array: NumberArray): NumberType =>
  (Object.keys(ARRAYS) as NumberType[]).find((type) => array instanceof ARRAYS[type])!;
const unread = (why: string): Unread => ({ ok: false, why });

/** The file; of two with the same name, the one with the higher turn is newer. */
export function pack({ about, arrays }: Packed, turn: number): Uint8Array<ArrayBuffer> {
  const list: Listed[] = Object.entries(arrays).map(([name, array]) => [name, typeOf(array), array.length]);
  const text = new TextEncoder().encode(JSON.stringify({ about, list }));
  const sizes = Object.values(arrays).map(({ byteLength }) => padded(byteLength));
  const start = padded(4 + text.length);
  const file = new Uint8Array(HEADER + start + sizes.reduce((sum, size) => sum + size, 0));
  const body = file.subarray(HEADER);
  const view = new DataView(file.buffer);
  view.setUint32(HEADER, text.length, true);
  body.set(text, 4);
  let at = start;
  for (const [k, array] of Object.values(arrays).entries()) {
    body.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += sizes[k]!;
  }
  file.set(MAGIC);
  view.setUint32(8, FORMAT, true);
  view.setUint32(12, turn, true);
  view.setFloat64(16, body.length, true);
  view.setUint32(24, crc32(body), true);
  view.setUint32(28, crc32(file.subarray(0, 28)), true);
  return file;
}

/** True where the content of a file is what its header says. */
export const isIntact = (file: Uint8Array): boolean =>
  crc32(file.subarray(HEADER)) === new DataView(file.buffer, file.byteOffset).getUint32(24, true);

/** Reads a file. Every damage is found: nothing of a damaged one is used. */
export function unpack(file: Uint8Array): Unpacked {
  if (file.length < HEADER) return unread(file.length === 0 ? EMPTY : 'It ends in the middle.');
  if (MAGIC.some((byte, k) => file[k] !== byte)) return unread('It is no checkpoint.');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (crc32(file.subarray(0, 28)) !== view.getUint32(28, true)) return unread('Its header is damaged.');
  if (view.getUint32(8, true) !== FORMAT) return unread('It was written by a newer version of the lab.');
  const body = file.subarray(HEADER);
  if (view.getFloat64(16, true) !== body.length) return unread('It ends in the middle.');
  if (!isIntact(file)) return unread('Its content is damaged.');
  const bytes = view.getUint32(HEADER, true);
  const text = JSON.parse(new TextDecoder().decode(body.subarray(4, 4 + bytes))) as { about: unknown; list: Listed[] };
  const arrays: Record<string, NumberArray> = {};
  let at = padded(4 + bytes);
  for (const [name, type, length] of text.list) {
    const size = length * ARRAYS[type].BYTES_PER_ELEMENT;
    // a copy: the bytes of the file may begin anywhere
    arrays[name] = new ARRAYS[type](body.slice(at, at + size).buffer);
    at += padded(size);
  }
  return { ok: true, turn: view.getUint32(12, true), packed: { about: text.about, arrays } };
}
