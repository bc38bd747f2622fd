import { expect, test } from 'vitest';
import { clearExports, fileOf } from './exports.ts';

const MIB = 2 ** 20;

/** So many MiB, each of another byte; `fails` after the last one. */
function streamOf(count: number, fails: Error | null = null): ReadableStream<Uint8Array<ArrayBuffer>> {
  let k = 0;
  return new ReadableStream({
    pull(to) {
      if (k < count) to.enqueue(new Uint8Array(MIB).fill(k++));
      else if (fails) to.error(fails);
      else to.close();
    },
  });
}

async function files(): Promise<string[]> {
  const root = await navigator.storage.getDirectory();
  const folder = (await root.getDirectoryHandle('exports', { create: true })) as FileSystemDirectoryHandle & {
    keys(): AsyncIterable<string>;
  };
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  return names;
}

/** Every MiB of the file is the one that was given. */
async function expectWhole(file: Blob, count: number): Promise<void> {
  expect(file.size).toBe(count * MIB);
  for (let k = 0; k < count; k++) {
    const bytes = new Uint8Array(await file.slice(k * MIB, (k + 1) * MIB).arrayBuffer());
    expect(bytes.every((byte) => byte === k)).toBe(true);
  }
}

test('a small export is no file of the site, a large one is, whole and as long as the page lives, and what another page has left goes', async () => {
  const before = (await files()).length;
  await expectWhole(await fileOf(streamOf(3)), 3);
  expect(await files()).toHaveLength(before);
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('exports');
  await folder.getFileHandle('left by a page that is gone', { create: true });
  const large = await fileOf(streamOf(13), 8 * MIB);
  expect(large).toBeInstanceOf(File);
  await clearExports();
  await expectWhole(large, 13);
  expect(await files()).toHaveLength(before + 1);
});

test('an export that ends with an error, or for which there is no room, leaves no file', async () => {
  const before = await files();
  await expect(fileOf(streamOf(13, new Error('a run was deleted')), 8 * MIB)).rejects.toThrow('a run was deleted');
  expect(await files()).toEqual(before);
  const { write: real } = FileSystemWritableFileStream.prototype;
  let pieces = 0;
  FileSystemWritableFileStream.prototype.write = function (piece) {
    if (++pieces < 3) return real.call(this, piece);
    return Promise.reject(new DOMException('There is no room.', 'QuotaExceededError'));
  };
  try {
    await expect(fileOf(streamOf(40), 4 * MIB)).rejects.toThrow('There is no room.');
  } finally {
    FileSystemWritableFileStream.prototype.write = real;
  }
  expect(pieces).toBe(3);
  expect(await files()).toEqual(before);
});

test('where the browser gives no file that is written in pieces, the export is made of pieces', async () => {
  await expectWhole(await fileOf(streamOf(13), 8 * MIB, () => Promise.resolve(null)), 13);
});
