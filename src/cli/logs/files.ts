import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
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
