import { fileOf } from '../store/exports.ts';
import { download } from './download.ts';

/** A file that the person has chosen in the dialog of the browser; TypeScript's library does not have all of it. */
type Chosen = FileSystemFileHandle & { remove?(): Promise<void> };
type Ask = (options: { readonly suggestedName: string }) => Promise<Chosen>;

/** Where a file goes; null: to where the browser puts what is downloaded. */
export type Place = { readonly name: string; readonly chosen: Chosen | null };

/** Larger files are worth a question, as they are then written once and not copied. */
export const LARGE = 64 * 2 ** 20;

/** Bytes of a number in a table, about. */
const BYTES_OF_NUMBER = 4;

/** How large a table of so many numbers is likely to be. */
export const bytesOfNumbers = (count: number): number => count * BYTES_OF_NUMBER;

export const NOT_CHOSEN = 'Nothing was saved: the dialog was closed.';

/**
 * Where a file of about so many bytes is to go: the person is asked about a large one, where the browser can ask, which it
 * does only right after a press. Null: the dialog was closed.
 */
export async function placeFor(name: string, bytes: number): Promise<Place | null> {
  const { showSaveFilePicker: ask } = window as { showSaveFilePicker?: Ask };
  if (!ask || bytes < LARGE) return { name, chosen: null };
  try {
    return { name, chosen: await ask.call(window, { suggestedName: name }) };
  } catch (error) {
    // in a frame, or too long after the press, the browser does not ask
    return error instanceof DOMException && error.name === 'AbortError' ? null : { name, chosen: null };
  }
}

/** Writes into a chosen file; what was in it before stays where that fails. */
async function write(chosen: Chosen, archive: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
  try {
    await archive.pipeTo(await chosen.createWritable());
  } catch (error) {
    const isEmpty = (await chosen.getFile().catch(() => null))?.size === 0;
    if (isEmpty) await chosen.remove?.().catch(() => undefined);
    throw error;
  }
}

/** Saves what comes piece by piece. Null, or the sentence of why it was not saved. */
export async function saveFile(
  { name, chosen }: Place,
  archive: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<string | null> {
  try {
    if (chosen) await write(chosen, archive);
    else download(name, await fileOf(archive), 'application/zip');
    return null;
  } catch (error) {
    return `Nothing was saved: ${whyNot(error)}.`;
  }
}

/** For the end of a sentence. */
export function whyNot(error: unknown): string {
  if (error instanceof DOMException) {
    if (error.name === 'QuotaExceededError')
      return 'there is no room for the file. What is kept in the lab has not changed; make room and save again';
    if (error.name === 'NotReadableError' || error.name === 'NotFoundError')
      return 'a file was deleted while it was read or written; save again';
  }
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
