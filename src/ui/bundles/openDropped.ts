import { say } from '../notices/say.ts';

/** A zip archive begins with these bytes. */
const isZip = async (file: File): Promise<boolean> => (await file.slice(0, 2).text()) === 'PK' && file.size > 22;

/** True of an archive with the list of files that every bundle of the lab has; it stands in its directory, at the end. */
async function isBundle(file: File): Promise<boolean> {
  if (!(await isZip(file))) return false;
  const end = await file.slice(Math.max(0, file.size - 2 ** 20)).arrayBuffer();
  const text = new TextDecoder('latin1').decode(end);
  return /manifest\.json|sweep\.json/.test(text) && /config\.json|cells\.csv/.test(text);
}

/** What was dropped is told apart by its content: a bundle of the lab is opened as one, YAML as a lesson, anything else as a log. */
export async function openFiles(file: File | undefined, items: readonly (FileSystemEntry | File)[]): Promise<void> {
  if (items.length === 1 && file && (await isBundle(file))) {
    say('The bundle is being checked.');
    const { openDropped } = await import('./openBundle.ts');
    return openDropped(file);
  }
  const isLesson = items.length === 1 && file && /\.ya?ml$/i.test(file.name);
  if (isLesson) return (await import('../lessons/openFile.ts')).openFile(file);
  const { takeDropped } = await import('../logs/takeDropped.ts');
  return takeDropped(items);
}
