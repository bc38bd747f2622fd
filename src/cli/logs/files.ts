import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { LogFile } from '../../logs/types.ts';

/** Folders are searched this deep. */
const DEEP = 12;

const fileAt = (path: string, name: string, size: number): LogFile => ({
  name,
  size,
  bytes: () => createReadStream(path, { highWaterMark: 1 << 20 }),
});

/** The files that paths name: files as they are, folders with all that is in them. A text: what is not there. */
export async function filesAt(paths: readonly string[]): Promise<LogFile[] | string> {
  const found: LogFile[] = [];
  const walk = async (path: string, root: string, depth: number): Promise<void> => {
    const info = await stat(path);
    if (info.isFile()) found.push(fileAt(path, relative(root, path).replaceAll('\\', '/'), info.size));
    if (!info.isDirectory() || depth === 0) return;
    for (const name of (await readdir(path)).sort()) await walk(join(path, name), root, depth - 1);
  };
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (!info) return `There is no file “${path.slice(0, 200)}”.`;
    await walk(path, info.isDirectory() ? path : dirname(path), DEEP);
  }
  return found;
}

/** Writes a text that comes in pieces, whole or not at all. Null, or the sentence of why it could not be written. */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<string | null> {
  const from = join(dirname(path), `.lab-${process.pid}-credit.tmp`);
  try {
    const file = await open(from, 'w');
    try {
      for (const piece of pieces) await file.write(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(from, path);
    return null;
  } catch (error) {
    await rm(from, { force: true }).catch(() => undefined); // the first error counts
    return `“${path}” could not be written: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
