import { afterEach, expect, test } from 'vitest';
import { LARGE, placeFor, saveFile } from './saveFile.ts';

const page = window as { showSaveFilePicker?: unknown };
const own = Object.getOwnPropertyDescriptor(page, 'showSaveFilePicker');
afterEach(() => {
  delete page.showSaveFilePicker;
  if (own) Object.defineProperty(page, 'showSaveFilePicker', own);
});

/** The dialog of the browser answers like this. */
const answer = (how: () => Promise<unknown>): void =>
  void Object.defineProperty(page, 'showSaveFilePicker', { value: how, configurable: true });

/** A file as the dialog gives one, with this content; null: it is new. */
async function chosen(before: string | null): Promise<FileSystemFileHandle> {
  const root = await navigator.storage.getDirectory();
  const file = await root.getFileHandle('chosen.zip', { create: true });
  const writing = await file.createWritable();
  await writing.write(before ?? '');
  await writing.close();
  return file;
}

const streamOf = (texts: readonly string[], fails: unknown = null): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const left = [...texts];
  return new ReadableStream({
    pull(to) {
      const text = left.shift();
      if (text !== undefined) to.enqueue(new TextEncoder().encode(text));
      else if (fails !== null) to.error(fails);
      else to.close();
    },
  });
};

test('only a large file is asked about, a closed dialog ends it, and a browser that may not ask puts it where it puts others', async () => {
  let asked = 0;
  answer(() => {
    asked++;
    return Promise.reject(new DOMException('', 'AbortError'));
  });
  expect(await placeFor('a.zip', LARGE - 1)).toEqual({ name: 'a.zip', chosen: null });
  expect(asked).toBe(0);
  expect(await placeFor('a.zip', LARGE)).toBe(null);
  answer(() => Promise.reject(new DOMException('', 'SecurityError')));
  expect(await placeFor('a.zip', LARGE)).toEqual({ name: 'a.zip', chosen: null });
});

test('a chosen file is written piece by piece; where that fails it is what it was, and a sentence says why', async () => {
  const file = await chosen('before');
  answer(() => Promise.resolve(file));
  const place = (await placeFor('chosen.zip', LARGE))!;
  const now = async (): Promise<string> => (await file.getFile()).text();
  const full = new DOMException('', 'QuotaExceededError');
  expect(await saveFile(place, streamOf(['one'], full))).toMatch(/^Nothing was saved: there is no room.*save again\.$/);
  expect(await now()).toBe('before');
  expect(await saveFile(place, streamOf(['one'], new Error('one of the runs was deleted')))).toBe(
    'Nothing was saved: one of the runs was deleted.',
  );
  expect(await now()).toBe('before');
  expect(await saveFile(place, streamOf(['one, ', 'two']))).toBe(null);
  expect(await now()).toBe('one, two');
});

test('a new file that was chosen for an export that fails is not left there empty', async () => {
  const place = { name: 'chosen.zip', chosen: await chosen(null) };
  expect(await saveFile(place, streamOf([], new Error('the curves have changed')))).not.toBe(null);
  const root = await navigator.storage.getDirectory();
  await expect(root.getFileHandle('chosen.zip')).rejects.toThrow();
});
