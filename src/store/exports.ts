import { answerOf } from './files.ts';

const FOLDER = 'exports';
const LOCK = 'horizon-lab-export ';
const MIB = 2 ** 20;
/** Bytes that are passed on together. */
const PIECE = 4 * MIB;
/** A file of more bytes than this is written into the storage of the site; a smaller one is a matter of the browser. */
const MOST = 32 * MIB;

type Folder = FileSystemDirectoryHandle & { keys(): AsyncIterable<string> };
type Bytes = Uint8Array<ArrayBuffer>;

async function folderOf(): Promise<Folder | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return (await answerOf(root, (from) => from.getDirectoryHandle(FOLDER, { create: true }))) as Folder;
  } catch {
    return null;
  }
}

/** Deletes exports of pages that are gone; that of a page is needed for as long as the browser may copy it. */
export async function clearExports(): Promise<void> {
  const folder = await folderOf();
  // a browser without locks has no way to tell whose they are
  if (!folder || !navigator.locks) return;
  const { held = [] } = await navigator.locks.query();
  const names: string[] = [];
  const list = async (all: AsyncIterable<string>): Promise<void> => {
    for await (const name of all) names.push(name);
  };
  await answerOf(folder, (all) => list(all.keys()));
  for (const name of names)
    if (held.every((lock) => lock.name !== LOCK + name))
      await answerOf(folder, (all) => all.removeEntry(name)).catch(() => undefined);
}

type Writing = {
  readonly write: (piece: Blob) => Promise<void>;
  readonly end: () => Promise<Blob>;
  readonly drop: () => Promise<void>;
};

/** A new file that is this page's until it ends; null where the browser gives none that is written in pieces. */
async function newExport(): Promise<Writing | null> {
  await clearExports().catch(() => undefined);
  const folder = await folderOf();
  if (!folder || !navigator.locks) return null;
  const name = crypto.randomUUID();
  await new Promise<void>((has) => {
    void navigator.locks.request(LOCK + name, () => new Promise(() => has()));
  });
  const drop = (): Promise<void> => answerOf(folder, (all) => all.removeEntry(name)).catch(() => undefined);
  try {
    const file = await answerOf(folder, (all) => all.getFileHandle(name, { create: true }));
    const out = await answerOf(file, (one) => one.createWritable());
    return {
      write: (piece) => out.write(piece),
      async end() {
        await out.close();
        return answerOf(file, (one) => one.getFile());
      },
      async drop() {
        await out.abort().catch(() => undefined);
        await drop();
      },
    };
  } catch {
    await drop();
    return null;
  }
}

/**
 * What comes piece by piece as a file that is not in the memory of the page: a large one is in the storage of this site, and
 * where that gives no place, or the file is small, its pieces are the browser's. Rejects where there is no room, or where
 * what comes ends with an error; nothing of it stays then.
 */
export async function fileOf(pieces: ReadableStream<Bytes>, most = MOST, make = newExport): Promise<Blob> {
  const reader = pieces.getReader();
  let [next, blobs]: [Bytes[], Blob[]] = [[], []];
  let [waiting, size] = [0, 0];
  let file: Writing | null | undefined;
  const pass = async (): Promise<void> => {
    blobs.push(new Blob(next));
    [next, waiting] = [[], 0];
    if (size > most && file === undefined) file = await make();
    if (!file) return;
    for (const blob of blobs) await file.write(blob);
    blobs = [];
  };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      next.push(value);
      waiting += value.length;
      size += value.length;
      if (waiting >= PIECE) await pass();
    }
    await pass();
    return file ? await file.end() : new Blob(blobs);
  } catch (error) {
    await file?.drop();
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}
