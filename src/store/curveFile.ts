import type { Spill } from '../engine/curveRows.ts';
import { answerOf, type SyncHandle } from './files.ts';

const FOLDER = 'curves';

/** What can be told of such a file: that it takes no more, or that it cannot be read any more. */
export type CurveTrouble = 'curvesInMemory' | 'curvesUnread';

/** Where nothing can be written: everything stays in memory, and that is told. */
export const noPlace = (tell: (trouble: CurveTrouble) => void): Spill => ({
  write() {
    tell('curvesInMemory');
    return null;
  },
  read: () => false,
});

/** Numbers one after the other in a file; each trouble is told once. */
export function curvesIn(file: SyncHandle, tell: (trouble: CurveTrouble) => void): Spill {
  let end = 0;
  const told = new Set<CurveTrouble>();
  const once = (trouble: CurveTrouble): void => {
    if (!told.has(trouble)) tell(trouble);
    told.add(trouble);
  };
  const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
    new Uint8Array(buffer, byteOffset, byteLength);
  /** True where all of it was moved. */
  const moves = (act: () => number, bytes: number): boolean => {
    try {
      return act() === bytes;
    } catch {
      return false;
    }
  };
  return {
    write(values) {
      const place = end;
      if (!moves(() => file.write(bytesOf(values), { at: place }), values.byteLength)) {
        once('curvesInMemory');
        return null;
      }
      end += values.byteLength;
      return place;
    },
    read(place, into) {
      const isThere = moves(() => file.read(bytesOf(into), { at: place }), into.byteLength);
      if (!isThere) once('curvesUnread');
      return isThere;
    },
  };
}

type Folder = FileSystemDirectoryHandle & { keys(): AsyncIterable<string> };

/** Files of workers that are gone; one that is open cannot be removed. */
async function clear(folder: Folder): Promise<void> {
  const names: string[] = [];
  const list = async (all: AsyncIterable<string>): Promise<void> => {
    for await (const name of all) names.push(name);
  };
  await answerOf(folder, (all) => list(all.keys()));
  for (const name of names) await answerOf(folder, (all) => all.removeEntry(name)).catch(() => undefined);
}

/** A file for the curves of the runs of this worker, for as long as it lives; null where the browser gives none. */
export async function curveFile(tell: (trouble: CurveTrouble) => void): Promise<Spill | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = (await answerOf(root, (from) => from.getDirectoryHandle(FOLDER, { create: true }))) as Folder;
    await clear(folder);
    const [name] = crypto.getRandomValues(new Uint32Array(1));
    const made = await answerOf(folder, (all) => all.getFileHandle(name!.toString(36), { create: true }));
    // TypeScript's library for pages does not have it
    const opening = made as unknown as { createSyncAccessHandle(): Promise<SyncHandle> };
    return curvesIn(await answerOf(opening, (one) => one.createSyncAccessHandle()), tell);
  } catch {
    return null;
  }
}
