import { createHash } from 'node:crypto';
import * as node from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** What is asked of a file system; tests hand in one that fails. */
export type Disk = Pick<
  typeof node,
  'link' | 'mkdir' | 'open' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'stat' | 'statfs'
>;

type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;
/** `text`: as a whole, or what gives it, or bytes, piece by piece where it may be longer than a text can be. */
export type TextFile = { readonly name: string; readonly text: string | (() => Pieces) };

/** Why a path cannot be written, for the end of a sentence. */
function because(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there';
    case 'EROFS':
      return 'that disk is read-only';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'something that is not a folder is in the way';
    case 'EISDIR':
      return 'a folder of that name is in the way';
    case 'ENOENT':
      return 'nothing can be made there';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    case 'ELOOP':
      return 'its links lead in a circle';
    case 'ERR_INVALID_ARG_VALUE':
      return 'the name has a character that no path can have';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

const named = (path: string): string => `“${path.slice(0, 200)}”`;

/** An error of the kind that the file system itself would give. */
const refusal = (code: string): Error => Object.assign(new Error(code), { code });

/** Enough for any disk that is full to notice. */
const PROBE = 'probe'.repeat(1000);

/**
 * Makes the folder and writes a probe into it, before hours are spent on what is to be kept there.
 * @param names files that will be written
 * @param bytes the least that they will take
 * @returns null, or one sentence on why nothing could be kept
 */
export async function prepareFolder(
  folder: string,
  names: readonly string[],
  bytes: number,
  disk: Disk = node,
): Promise<string | null> {
  if (folder === '') return 'The option --out needs the name of a folder; it was empty.';
  const nothing = 'Nothing was trained; choose another --out.';
  try {
    await makeFolder(resolve(folder), disk);
    for (const name of names) await refuseOtherThanFile(join(folder, name), disk);
    const probe = join(folder, temporary());
    await put(probe, [PROBE], disk);
    await disk.rm(probe);
    const { bavail, bsize } = await disk.statfs(folder);
    if (bavail * bsize >= bytes) return null;
    const [free, needed] = [bavail * bsize, bytes].map((b) => `${Math.ceil(b / 1000)} kB`);
    return `Results cannot be kept in ${named(folder)}: its disk has ${free} left and at least ${needed} are needed. ${nothing}`;
  } catch (error) {
    return `Results cannot be kept in ${named(folder)}: ${because(error)}. ${nothing}`;
  }
}

/** As `prepareFolder`, for a single file. */
export async function prepareFile(path: string, disk: Disk = node): Promise<string | null> {
  if (path === '') return 'The option --out needs the name of a file; it was empty.';
  return prepareFolder(dirname(resolve(path)), [basename(resolve(path))], PROBE.length, disk);
}

/**
 * Writes files that belong together, each whole or not at all: under other names first, flushed and read back, and only
 * then under their own: a disk that fills up leaves the files that were there before as they were. The last one stands
 * for all of them: it goes before the others change and comes after them, so a folder that has it is never half old and
 * half new.
 * @returns null, or one sentence
 */
export async function writeWhole(
  folder: string,
  files: readonly TextFile[],
  disk: Disk = node,
): Promise<string | null> {
  const staged: { readonly from: string; readonly to: string }[] = [];
  try {
    for (const { name, text } of files) {
      const to = await throughLinks(join(folder, name), disk);
      const from = join(dirname(to), temporary());
      staged.push({ from, to });
      await put(from, typeof text === 'string' ? [text] : text(), disk);
    }
    if (files.length > 1) await disk.rm(staged.at(-1)!.to, { force: true });
    for (const { from, to } of staged) await disk.rename(from, to);
    for (const at of new Set(staged.map(({ to }) => dirname(to)))) await flushFolder(at, disk);
    return null;
  } catch (error) {
    for (const { from } of staged) await disk.rm(from, { force: true }).catch(() => undefined); // the first error counts
    return `${named(join(folder, files[0]!.name))} could not be written: ${because(error)}.`;
  }
}

/** Writes one file in the same way, as its pieces come, in a folder that is made where it is missing. */
export async function writeFileWhole(path: string, pieces: Pieces): Promise<string | null> {
  const folder = dirname(path);
  try {
    await makeFolder(resolve(folder), node);
  } catch (error) {
    return `${named(path)} could not be written: ${because(error)}.`;
  }
  return writeWhole(folder, [{ name: basename(path), text: () => pieces }]);
}

let taken = 0;

/** A name that no other file of any process has, short wherever the final one may be long. */
export const temporary = (): string => `.lab-${process.pid}-${taken++}.tmp`;

/** Writes, flushes and reads back: a full disk has been seen to report success. */
async function put(path: string, pieces: Pieces, disk: Disk): Promise<void> {
  const written = createHash('sha256');
  const file = await disk.open(path, 'w');
  try {
    // each goes on where the one before it has ended
    for await (const piece of pieces) {
      written.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await disk.rm(path, { force: true });
    throw error;
  }
  await file.close();
  if ((await hashOf(path, disk)) !== written.digest('hex')) throw refusal('ENOSPC');
}

/** Of what stands in a file, read in pieces. */
async function hashOf(path: string, disk: Disk): Promise<string> {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(2 ** 16);
  const file = await disk.open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** A new name lasts once its folder is flushed, where folders can be. */
async function flushFolder(folder: string, disk: Disk): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await disk.open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** Missing folders, one by one: the recursive form of Node never returns where none can be made, as under /proc. */
async function makeFolder(folder: string, disk: Disk): Promise<void> {
  const missing: string[] = [];
  let at = folder;
  for (let info = await known(at, disk); info === null; info = await known(at, disk)) {
    missing.unshift(at);
    at = dirname(at);
  }
  if (!(await disk.stat(at)).isDirectory()) throw refusal('ENOTDIR');
  for (const path of missing) {
    await disk.mkdir(path).catch(async (error: unknown) => {
      if ((await known(path, disk))?.isDirectory() !== true) throw error;
    });
  }
}

async function known(path: string, disk: Disk) {
  return disk.stat(path).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function refuseOtherThanFile(path: string, disk: Disk): Promise<void> {
  const info = await known(path, disk);
  if (info?.isDirectory()) throw refusal('EISDIR');
  if (info && !info.isFile()) throw new Error(`${named(path)} is not a file`);
}

/** The file that a link stands for: it is written, and the link stays. */
async function throughLinks(path: string, disk: Disk): Promise<string> {
  return disk.realpath(path).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return path;
    throw error;
  });
}
