import { readZip, type ZipLimits } from '../lab/bundle/zip.ts';
import { firstBytes } from './lines.ts';
import type { LogFile } from './types.ts';

const MIB = 2 ** 20;
/** Bytes of an archive; it is held as a whole. */
const MOST_PACKED = 512 * MIB;
/** What an archive of logs may hold: any names, as nothing is written anywhere. */
const LIMITS: ZipLimits = { entries: 20_000, inflated: 768 * MIB, isAllowed: () => true };

export async function isZip(file: LogFile): Promise<boolean> {
  const [p, k, a, b] = await firstBytes(file, 4);
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/** The files of an archive, or the sentence of why it is not read. Folders and what a file manager adds are left out. */
export async function unzipped(file: LogFile): Promise<LogFile[] | string> {
  if (file.size > MOST_PACKED) return `It is larger than ${MOST_PACKED / MIB} MiB.`;
  const packed = new Uint8Array(file.size);
  let at = 0;
  for await (const bytes of file.bytes()) {
    if (at + bytes.length > packed.length) return 'It grew while it was read.';
    packed.set(bytes, at);
    at += bytes.length;
  }
  const files = await readZip(packed.subarray(0, at), () => LIMITS);
  if (typeof files === 'string') return files;
  const isWanted = (name: string): boolean => !name.endsWith('/') && !name.startsWith('__MACOSX/');
  return [...files].filter(([name]) => isWanted(name)).map(([name, data]) => fileOf(name, data));
}

/** A file of bytes that are there already. */
export const fileOf = (name: string, data: Uint8Array): LogFile => ({
  name,
  size: data.length,
  async *bytes() {
    for (let from = 0; from < data.length; from += MIB) yield data.subarray(from, from + MIB);
  },
});
