import { Inflate } from 'fflate';
import { crc32 } from '../../config/crc.ts';

/** What an archive from a stranger may hold. */
export type ZipLimits = {
  readonly entries: number;
  /** bytes of all files together */
  readonly inflated: number;
  readonly isAllowed: (name: string) => boolean;
};

const MIB = 2 ** 20;
const END = { signature: 0x06054b50, size: 22, comment: 0xffff } as const;
const ENTRY = { signature: 0x02014b50, size: 46 } as const;
const LOCAL = { signature: 0x04034b50, size: 30 } as const;
const STORED = 0;
const DEFLATED = 8;

type Listed = { readonly name: string; readonly method: number; crc: number; packed: number; size: number; at: number };

/** Where the list of entries is said to be; null without a sound end. */
function endOf(view: DataView): { count: number; size: number; at: number } | null {
  const last = view.byteLength - END.size;
  for (let at = last; at >= Math.max(0, last - END.comment); at--) {
    if (view.getUint32(at, true) !== END.signature) continue;
    const count = view.getUint16(at + 10, true);
    const [size, from] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const isWhole = view.getUint16(at + 20, true) === view.byteLength - at - END.size;
    const isOneDisk = view.getUint16(at + 8, true) === count && view.getUint32(at + 4, true) === 0;
    return isWhole && isOneDisk && from + size === at ? { count, size, at: from } : null;
  }
  return null;
}

/** The entries of an archive, or the sentence of why they are not read. */
function listed(file: Uint8Array, view: DataView): Listed[] | string {
  const end = endOf(view);
  if (!end) return 'It is not a zip archive, or a part of it is missing.';
  const entries: Listed[] = [];
  const names = new Set<string>();
  let at = end.at;
  for (let k = 0; k < end.count; k++) {
    if (at + ENTRY.size > end.at + end.size || view.getUint32(at, true) !== ENTRY.signature)
      return 'Its list of files is damaged.';
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [crc, packed, size] = [16, 20, 24].map((n) => view.getUint32(at + n, true)) as [number, number, number];
    const [nameSize, extra, comment] = [28, 30, 32].map((n) => view.getUint16(at + n, true)) as [
      number,
      number,
      number,
    ];
    const from = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(file.subarray(at + ENTRY.size, at + ENTRY.size + nameSize));
    at += ENTRY.size + nameSize + extra + comment;
    if (names.has(name)) return `It has the file “${name.slice(0, 80)}” twice.`;
    names.add(name);
    if ((flags & 1) !== 0 || (method !== STORED && method !== DEFLATED))
      return `The file “${name.slice(0, 80)}” is encrypted or packed in a way that is not read here.`;
    entries.push({ name, method, crc, packed, size, at: from });
  }
  return at === end.at + end.size ? entries : 'Its list of files is damaged.';
}

/** The packed bytes of an entry; null where they are not inside the archive. */
function packedOf(file: Uint8Array, view: DataView, { at, packed }: Listed): Uint8Array | null {
  if (at + LOCAL.size > file.length || view.getUint32(at, true) !== LOCAL.signature) return null;
  const from = at + LOCAL.size + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  return from + packed <= file.length ? file.subarray(from, from + packed) : null;
}

/** Raw inflate that stops when it has given more than `most` bytes; null then, or where it cannot be unpacked. */
function inflate(packed: Uint8Array, most: number): Uint8Array<ArrayBuffer> | null {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const stream = new Inflate((chunk) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
    });
    for (let at = 0; at < packed.length && size <= most; at += 4096)
      stream.push(packed.subarray(at, at + 4096), at + 4096 >= packed.length);
  } catch {
    return null;
  }
  if (size > most) return null;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/**
 * The files of an archive from a stranger: their number, names and sizes are checked before anything is unpacked, bytes
 * are counted while it is, and checksums after. A text is the sentence of what is wrong.
 * @param limitsOf the limits of an archive with these files
 */
export function readZip(
  file: Uint8Array,
  limitsOf: (names: readonly string[]) => ZipLimits,
): ReadonlyMap<string, Uint8Array<ArrayBuffer>> | string {
  if (file.length < END.size) return 'It is not a zip archive, or a part of it is missing.';
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const entries = listed(file, view);
  if (typeof entries === 'string') return entries;
  const limits = limitsOf(entries.map(({ name }) => name));
  if (entries.length > limits.entries) return `It has ${entries.length} files; at most ${limits.entries} are read.`;
  const strange = entries.find(({ name }) => !limits.isAllowed(name));
  if (strange) return `It has a file “${strange.name.slice(0, 80)}”, which no bundle has.`;
  const tooLarge = `It unpacks to more than ${Math.round(limits.inflated / MIB)} MiB.`;
  if (entries.reduce((sum, { size }) => sum + size, 0) > limits.inflated) return tooLarge;
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let left = limits.inflated;
  for (const entry of entries) {
    const { name, method, crc, size } = entry;
    const packed = packedOf(file, view, entry);
    if (!packed) return `The file “${name}” is cut off.`;
    // what it says of its size is not believed: no more than that is unpacked
    const data = method === STORED ? new Uint8Array(packed) : inflate(packed, Math.min(size, left));
    if (!data || data.length !== size) return `The file “${name}” is not as large as the archive says.`;
    if (crc32(data) !== crc) return `The file “${name}” is damaged: its checksum does not match.`;
    left -= data.length;
    if (left < 0) return tooLarge;
    files.set(name, data);
  }
  return files;
}
