import { expect, test } from 'vitest';
import { Gpu } from './device.ts';
import { Reads } from './reads.ts';

/** A device of bytes alone, whose buffers have at most so many. */
function deviceOf(maxBufferSize: number) {
  Object.assign(globalThis, { GPUMapMode: { READ: 1 } });
  const seen = { made: 0, submitted: 0, broken: false };
  const createBuffer = ({ label = '', size }: { label?: string; size: number }) => {
    seen.made++;
    const bytes = new Uint8Array(size);
    return {
      ...{ label, size, bytes, destroy: () => undefined, unmap: () => undefined },
      mapAsync: () => (seen.broken ? Promise.reject(new Error('lost')) : Promise.resolve()),
      getMappedRange: (at: number, n: number) => bytes.slice(at, at + n).buffer,
    };
  };
  type Made = ReturnType<typeof createBuffer>;
  const device = {
    ...{ limits: { maxBufferSize }, lost: new Promise(() => undefined), createBuffer },
    queue: { submit: () => seen.submitted++ },
    createCommandEncoder: () => ({
      copyBufferToBuffer: (from: Made, at: number, to: Made, offset: number, n: number) =>
        to.bytes.set(from.bytes.subarray(at, at + n), offset),
      finish: () => ({}),
    }),
  };
  // what reads ask of a device, and no more
  return { seen, gpu: new Gpu(device as unknown as GPUDevice, 'bytes', false) };
}

function source(gpu: Gpu, size: number): GPUBuffer {
  const made = gpu.buffer('source', size / 4, 0);
  (made as unknown as { bytes: Uint8Array }).bytes.forEach((_, k, all) => (all[k] = k));
  return made;
}

const bytesOf = async (read: Promise<ArrayBuffer>): Promise<number[]> => [...new Uint8Array(await read)];

test('what is asked for in one turn comes back at once, each with its own bytes, and nothing new is made the next time', async () => {
  const { gpu, seen } = deviceOf(1024);
  const buffer = source(gpu, 64);
  const reads = new Reads(gpu);
  for (let k = 0; k < 3; k++) {
    const asked = [
      reads.of({ buffer, offset: 4, size: 4 }),
      reads.of({ buffer, offset: 0, size: 0 }),
      reads.of({ buffer, offset: 8, size: 12 }),
    ];
    expect(await Promise.all(asked.map(bytesOf))).toEqual([
      [4, 5, 6, 7],
      [],
      [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
    ]);
    expect(seen).toEqual({ made: 2, submitted: k + 1, broken: false });
  }
  gpu.free(buffer);
  reads.free();
  expect([...gpu.bytes]).toEqual([]);
});

test('more than a buffer may hold comes back in parts', async () => {
  const { gpu, seen } = deviceOf(48);
  const buffer = source(gpu, 48);
  const reads = new Reads(gpu);
  const asked = [12, 20, 16, 48].map((size) => reads.of({ buffer, offset: 0, size }));
  expect((await Promise.all(asked.map(bytesOf))).map((bytes) => bytes.length)).toEqual([12, 20, 16, 48]);
  // 16 + 24, then 16, then 48 bytes
  expect(seen.submitted).toBe(3);
  gpu.free(buffer);
  reads.free();
  expect([...gpu.bytes]).toEqual([]);
});

test('a buffer that could not be read is told to all who asked, and is not kept; one that comes back after the end neither', async () => {
  const { gpu, seen } = deviceOf(1024);
  const buffer = source(gpu, 64);
  const reads = new Reads(gpu);
  seen.broken = true;
  const lost = [4, 8].map((size) => reads.of({ buffer, offset: 0, size }));
  expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  seen.broken = false;
  const late = reads.of({ buffer, offset: 0, size: 4 });
  reads.free();
  expect(await bytesOf(late)).toEqual([0, 1, 2, 3]);
  gpu.free(buffer);
  expect([...gpu.bytes]).toEqual([]);
});
