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
/** Bytes that are read at once. */
const PIECE = MIB;
/** Bytes of a list of files: ten times what the most files with the longest names take. */
const MOST_LISTED = 16 * MIB;

type Listed = { readonly name: string; readonly method: number; crc: number; packed: number; size: number; at: number };

/** Something of which any bytes can be read, such as a file on a disk. */
export type Source = {
  readonly size: number;
  readonly read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
};

export const inMemory = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  read: async (from, to) => bytes.slice(from, to),
});

export const ofBlob = (blob: Blob): Source => ({
  size: blob.size,
  read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
});

/** A file of an archive, which is unpacked piece by piece whenever it is read. */
export type ZipFile = {
  readonly name: string;
  readonly size: number;
  /** Ends with a `Damaged` where the bytes are not those that the archive says. */
  readonly pieces: () => AsyncIterable<Uint8Array<ArrayBuffer>>;
};

/** Its message is the sentence of what is wrong with an archive. */
export class Damaged extends Error {}

/** Where the list of entries is said to be; null without a sound end. */
async function endOf(source: Source): Promise<{ count: number; size: number; at: number } | null> {
  const first = Math.max(0, source.size - END.size - END.comment);
  const tail = await source.read(first, source.size);
  const view = viewOf(tail);
  for (let at = tail.length - END.size; at >= 0; at--) {
    if (view.getUint32(at, true) !== END.signature) continue;
    const count = view.getUint16(at + 10, true);
    const [size, from] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const isWhole = view.getUint16(at + 20, true) === tail.length - at - END.size;
    const isOneDisk = view.getUint16(at + 8, true) === count && view.getUint32(at + 4, true) === 0;
    return isWhole && isOneDisk && from + size === first + at ? { count, size, at: from } : null;
  }
  return null;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** The entries of an archive, or the sentence of why they are not read. */
async function listed(source: Source): Promise<Listed[] | string> {
  const end = await endOf(source);
  if (!end) return 'It is not a zip archive, or a part of it is missing.';
  const damaged = 'Its list of files is damaged.';
  if (end.size > MOST_LISTED) return damaged;
  const list = await source.read(end.at, end.at + end.size);
  const view = viewOf(list);
  const entries: Listed[] = [];
  const names = new Set<string>();
  let at = 0;
  for (let k = 0; k < end.count; k++) {
    if (at + ENTRY.size > list.length || view.getUint32(at, true) !== ENTRY.signature) return damaged;
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [crc, packed, size] = [16, 20, 24].map((n) => view.getUint32(at + n, true)) as [number, number, number];
    const [nameSize, extra, comment] = [28, 30, 32].map((n) => view.getUint16(at + n, true)) as [
      number,
      number,
      number,
    ];
    const from = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(list.subarray(at + ENTRY.size, at + ENTRY.size + nameSize));
    at += ENTRY.size + nameSize + extra + comment;
    if (names.has(name)) return `It has the file “${name.slice(0, 80)}” twice.`;
    names.add(name);
    if ((flags & 1) !== 0 || (method !== STORED && method !== DEFLATED))
      return `The file “${name.slice(0, 80)}” is encrypted or packed in a way that is not read here.`;
    entries.push({ name, method, crc, packed, size, at: from });
  }
  return at === list.length ? entries : damaged;
}

/** The packed bytes of an entry, piece by piece. */
async function* packedOf(source: Source, { name, at, packed }: Listed): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const cut = `The file “${name}” is cut off.`;
  const head = await source.read(at, at + LOCAL.size);
  if (head.length < LOCAL.size || viewOf(head).getUint32(0, true) !== LOCAL.signature) throw new Damaged(cut);
  const from = at + LOCAL.size + viewOf(head).getUint16(26, true) + viewOf(head).getUint16(28, true);
  if (from + packed > source.size) throw new Damaged(cut);
  for (let k = from; k < from + packed; k += PIECE) yield source.read(k, Math.min(from + packed, k + PIECE));
}

/** Raw inflate; few bytes at a time go in, as they may become a thousand times as many. */
async function* inflated(packed: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let made: Uint8Array<ArrayBuffer>[] = [];
  const stream = new Inflate((chunk) => void made.push(chunk as Uint8Array<ArrayBuffer>));
  let taken = 0;
  for await (const bytes of packed)
    for (let at = 0; at < bytes.length; at += 4096) {
      const some = bytes.subarray(at, at + 4096);
      taken += some.length;
      stream.push(some, taken === size);
      yield* made;
      made = [];
    }
}

/** An entry piece by piece. What it says of its size is not believed: no more than that is unpacked. */
async function* unpacked(source: Source, entry: Listed): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { name, method } = entry;
  const wrong = (): Damaged => new Damaged(`The file “${name}” is not as large as the archive says.`);
  const packed = packedOf(source, entry);
  const pieces = method === STORED ? packed : inflated(packed, entry.packed);
  let [size, crc] = [0, 0];
  for (;;) {
    const next = await pieces.next().catch((error: unknown) => {
      // what inflate cannot read
      throw error instanceof Damaged || error instanceof DOMException || method === STORED ? error : wrong();
    });
    if (next.done) break;
    size += next.value.length;
    if (size > entry.size) throw wrong();
    crc = crc32(next.value, crc);
    yield next.value;
  }
  if (size !== entry.size) throw wrong();
  if (crc !== entry.crc) throw new Damaged(`The file “${name}” is damaged: its checksum does not match.`);
}

/**
 * The files of an archive from a stranger: their number, names and sizes are checked before anything is unpacked, bytes
 * are counted while it is, and checksums after. A text is the sentence of what is wrong.
 * @param limitsOf the limits of an archive with these files
 */
export async function openZip(
  source: Source,
  limitsOf: (names: readonly string[]) => ZipLimits,
): Promise<readonly ZipFile[] | string> {
  const entries = await listed(source);
  if (typeof entries === 'string') return entries;
  const limits = limitsOf(entries.map(({ name }) => name));
  if (entries.length > limits.entries) return `It has ${entries.length} files; at most ${limits.entries} are read.`;
  const strange = entries.find(({ name }) => !limits.isAllowed(name));
  if (strange) return `It has a file “${strange.name.slice(0, 80)}”, which no bundle has.`;
  if (entries.reduce((sum, { size }) => sum + size, 0) > limits.inflated)
    return `It unpacks to more than ${Math.round(limits.inflated / MIB)} MiB.`;
  return entries.map((entry) => ({ name: entry.name, size: entry.size, pieces: () => unpacked(source, entry) }));
}

/** All of a file of an archive. */
export async function wholeFile({ size, pieces }: ZipFile): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(size);
  let at = 0;
  for await (const piece of pieces()) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The files of an archive that is in memory, each as a whole. A text is the sentence of what is wrong. */
export async function readZip(
  file: Uint8Array,
  limitsOf: (names: readonly string[]) => ZipLimits,
): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>> | string> {
  const zip = await openZip(inMemory(file), limitsOf);
  if (typeof zip === 'string') return zip;
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  try {
    for (const one of zip) files.set(one.name, await wholeFile(one));
  } catch (error) {
    if (error instanceof Damaged) return error.message;
    throw error;
  }
  return files;
}
