import type { Given } from './logs.worker.ts';
import { openLogs } from './logStore.ts';

/** The examples of the site. */
export const EXAMPLES = [
  { file: 'house.jsonl', title: 'An agent in a house', about: 'rows of steps, three tasks' },
  { file: 'verl-search.jsonl', title: 'Questions with a search', about: 'generations of verl' },
  { file: 'atif-terminal.zip', title: 'An agent in a terminal', about: 'ATIF trials in a zip archive' },
] as const;

export async function openExample({ file, title }: (typeof EXAMPLES)[number]): Promise<string | null> {
  const answer = await fetch(`./examples/${file}`).catch(() => null);
  if (!answer?.ok) return 'The example could not be loaded: there is no connection.';
  await openLogs([{ name: file, file: await answer.blob() }], `Example: ${title}`);
  return null;
}

/** Files of a dialog, of one folder or several. */
export const givenOf = (files: Iterable<File>): Given[] =>
  Array.from(files, (file) => ({ name: file.webkitRelativePath || file.name, file }));

export const titleOf = (given: readonly Given[]): string =>
  given.length === 1 ? given[0]!.name : `${given.length.toLocaleString('en-US')} files`;

/** Files that were dropped, with what is inside of folders. */
export async function droppedFiles(items: readonly (FileSystemEntry | File)[]): Promise<Given[]> {
  const found: Given[] = [];
  const walk = async (entry: FileSystemEntry, depth: number): Promise<void> => {
    if (found.length > 20_000 || depth > 12) return;
    if (entry.isFile) {
      const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
      found.push({ name: entry.fullPath.replace(/^\//, ''), file });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // a folder is told in pieces, the last of which is empty
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
      if (part.length === 0) return;
      for (const inner of part) await walk(inner, depth + 1);
    }
  };
  for (const item of items) {
    if (item instanceof File) found.push({ name: item.name, file: item });
    else await walk(item, 0);
  }
  return found;
}
