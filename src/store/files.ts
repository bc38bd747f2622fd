import { open } from './database.ts';
import type { Slot } from './slots.ts';

/** The part of a FileSystemSyncAccessHandle that a slot needs; only workers have it. */
export type SyncHandle = {
  getSize(): number;
  read(into: Uint8Array, at: { readonly at: number }): number;
  write(bytes: Uint8Array, at: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
};

const FOLDER = 'checkpoints';
/** As much as stands in a file while its content is written: nobody takes it for a whole one. */
const BLANK = new Uint8Array(32);

/** A slot in a file: the header goes last, so that a file with a header has its content. */
export function fileSlot(openFile: () => Promise<SyncHandle>): Slot {
  return {
    async read() {
      const file = await openFile();
      try {
        const bytes = new Uint8Array(file.getSize());
        const read = file.read(bytes, { at: 0 });
        return bytes.subarray(0, read);
      } finally {
        file.close();
      }
    },
    async write(bytes) {
      const file = await openFile();
      try {
        file.write(BLANK, { at: 0 });
        file.flush();
        file.truncate(bytes.length);
        file.write(bytes.subarray(BLANK.length), { at: BLANK.length });
        file.flush();
        file.write(bytes.subarray(0, BLANK.length), { at: 0 });
        file.flush();
      } finally {
        file.close();
      }
    },
  };
}

/** A slot in the database, where a browser has no files: written whole or not at all. */
function storedSlot(key: string): Slot {
  return {
    read: async () => (await (await open()).get('slots', key)) ?? new Uint8Array(),
    async write(bytes) {
      const writing = (await open()).transaction('slots', 'readwrite', { durability: 'strict' });
      await Promise.all([writing.store.put(bytes, key), writing.done]);
    },
  };
}

const nameOf = (id: string, slot: number): string => `${id}-${slot}`;

const asked = new Set<{ readonly handle: object }>();

/** Chromium collects a handle that only a call in progress refers to, and then never answers: until then it is held here. */
export async function answerOf<H extends object, T>(handle: H, call: (handle: H) => Promise<T>): Promise<T> {
  const holder = { handle };
  asked.add(holder);
  try {
    return await call(handle);
  } finally {
    asked.delete(holder);
  }
}

async function folder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return await answerOf(root, (from) => from.getDirectoryHandle(FOLDER, { create: true }));
  } catch {
    return null;
  }
}

const hasHandles = (): boolean =>
  typeof FileSystemFileHandle !== 'undefined' && 'createSyncAccessHandle' in FileSystemFileHandle.prototype;

/** The two slots of what is kept under an id: files where the browser has them, else places in the database. */
export async function slotsOf(id: string): Promise<readonly [Slot, Slot]> {
  const files = hasHandles() ? await folder() : null;
  const slot = (k: number): Slot => {
    if (!files) return storedSlot(nameOf(id, k));
    return fileSlot(async () => {
      const file = await answerOf(files, (all) => all.getFileHandle(nameOf(id, k), { create: true }));
      // TypeScript's library for pages does not have it
      const opening = file as unknown as { createSyncAccessHandle(): Promise<SyncHandle> };
      return answerOf(opening, (one) => one.createSyncAccessHandle());
    });
  };
  return [slot(0), slot(1)];
}

/** What stands in a slot, for whoever may only read: a page has no handles. */
export async function storedBytes(id: string, slot: number): Promise<Uint8Array<ArrayBuffer>> {
  const name = nameOf(id, slot);
  try {
    const files = await folder();
    if (files) {
      const file = await answerOf(files, (all) => all.getFileHandle(name));
      return new Uint8Array(await (await answerOf(file, (one) => one.getFile())).arrayBuffer());
    }
  } catch {
    // it is in the database, or nowhere
  }
  return new Uint8Array((await (await open()).get('slots', name)) ?? []);
}

/** Deletes what is kept under an id. What is not there is no trouble. */
export async function deleteSlots(id: string): Promise<void> {
  const [files, database] = [await folder(), await open()];
  for (const name of [nameOf(id, 0), nameOf(id, 1)]) {
    if (files) await answerOf(files, (all) => all.removeEntry(name)).catch(() => undefined);
    await database.delete('slots', name);
  }
}

/** Ids of everything that has slots. */
export async function slotIds(): Promise<string[]> {
  const names = (await (await open()).getAllKeys('slots')).map(String);
  const files = (await folder()) as (FileSystemDirectoryHandle & { keys(): AsyncIterable<string> }) | null;
  const list = async (all: AsyncIterable<string>): Promise<void> => {
    for await (const name of all) names.push(name);
  };
  if (files) await answerOf(files, (all) => list(all.keys()));
  return [...new Set(names.map((name) => name.replace(/-[01]$/, '')))];
}

/** Bytes of everything that is in slots. */
export async function bytesInSlots(): Promise<number> {
  let sum = 0;
  const files = (await folder()) as unknown as { values(): AsyncIterable<FileSystemFileHandle> } | null;
  const add = async (all: AsyncIterable<FileSystemFileHandle>): Promise<void> => {
    // a file that goes meanwhile takes no room
    for await (const file of all) sum += (await answerOf(file, (one) => one.getFile()).catch(() => null))?.size ?? 0;
  };
  if (files) await answerOf(files, (all) => add(all.values()));
  let each = await (await open()).transaction('slots').store.openCursor();
  for (; each; each = await each.continue()) sum += each.value.length;
  return sum;
}
