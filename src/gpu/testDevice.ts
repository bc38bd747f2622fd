import { afterEach, beforeEach, expect } from 'vitest';
import { must } from '../core/problem.ts';
import { openGpu, type Gpu } from './device.ts';
import { whenDone } from './deviceWait.ts';

/** One device for all tests of a page, because compiling kernels is what takes the time. */
let opened: Promise<Gpu> | null = null;

/**
 * The device that tests share: `const gpu = await testDevice();` at the top of a file. Every test of the file then has
 * to free what it made, and the device must not complain. A test that loses its device or counts what is compiled opens
 * one of its own.
 */
export async function testDevice(): Promise<Gpu> {
  opened ??= openGpu().then(must);
  const gpu = await opened;
  beforeEach(() => {
    // what an earlier test left behind has failed there already
    gpu.bytes.clear();
    gpu.complaint = null;
  });
  afterEach(async () => {
    await whenDone(gpu.device.queue);
    expect(gpu.complaint, 'what the device refused').toBeNull();
    expect([...gpu.bytes], 'everything is freed').toEqual([]);
  });
  return gpu;
}
