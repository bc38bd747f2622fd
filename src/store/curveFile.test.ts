import { expect, test } from 'vitest';
import { curvesIn, noPlace } from './curveFile.ts';
import type { SyncHandle } from './files.ts';

/** A file that takes so many bytes. */
function smallFile(room: number) {
  let bytes = new Uint8Array();
  const file: SyncHandle = {
    getSize: () => bytes.length,
    read(into, { at }) {
      const found = bytes.subarray(at, at + into.length);
      into.set(found);
      return found.length;
    },
    write(from, { at }) {
      if (at + from.length > room) throw new DOMException('No room.', 'QuotaExceededError');
      const longer = new Uint8Array(Math.max(bytes.length, at + from.length));
      longer.set(bytes);
      longer.set(from, at);
      bytes = longer;
      return from.length;
    },
    truncate: () => undefined,
    flush: () => undefined,
    close: () => undefined,
  };
  return { file, empty: () => (bytes = new Uint8Array()) };
}

const part = (x: number): Float32Array => new Float32Array(4).fill(x);

test('what is moved out comes back; a full file says so once, and keeps what it has', () => {
  const told: string[] = [];
  const { file } = smallFile(40);
  const curves = curvesIn(file, (trouble) => told.push(trouble));
  const places = [1, 2, 3, 4].map((x) => curves.write(part(x)));
  expect(places).toEqual([0, 16, null, null]);
  expect(told).toEqual(['curvesInMemory']);
  const into = new Float32Array(4);
  expect(curves.read(16, into)).toBe(true);
  expect(into).toEqual(part(2));
});

test('a file that was emptied under it says so once', () => {
  const told: string[] = [];
  const { file, empty } = smallFile(100);
  const curves = curvesIn(file, (trouble) => told.push(trouble));
  curves.write(part(1));
  empty();
  expect([curves.read(0, part(0)), curves.read(0, part(0))]).toEqual([false, false]);
  expect(told).toEqual(['curvesUnread']);
});

test('where a browser gives no file, nothing is moved out, and that is said', () => {
  const told: string[] = [];
  expect(noPlace((trouble) => told.push(trouble)).write(part(1))).toBeNull();
  expect(told).toEqual(['curvesInMemory']);
});
