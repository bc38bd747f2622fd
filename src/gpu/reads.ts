import { told } from './deviceWait.ts';
import type { Gpu } from './device.ts';
import type { Slice } from './recorder.ts';

/** Where ranges of a mapped buffer may begin. */
const ALIGNED = 8;
/** A longer buffer is not kept: the state of a large network comes back rarely. */
const MOST_KEPT = 2 ** 26;
/** COPY_DST | MAP_READ by value, because the global with the names exists only beside a GPU. */
const READABLE = 0x08 | 0x01;

type Asked = {
  readonly slice: Slice;
  readonly resolve: (bytes: ArrayBuffer) => void;
  readonly reject: (why: unknown) => void;
};

/**
 * Slices that come back to the CPU. All that are asked for in one turn share one submission, one buffer and one wait, unless
 * together they are longer than a buffer may be. The buffer is kept: nothing is made where as much comes back again.
 */
export class Reads {
  private readonly gpu: Gpu;
  private asked: Asked[] = [];
  /** buffers that nothing comes back into at the moment */
  private kept: GPUBuffer[] = [];
  private isOver = false;

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** A copy of a slice as it is once this turn is over. */
  of(slice: Slice): Promise<ArrayBuffer> {
    return new Promise((resolve, reject) => {
      if (this.asked.push({ slice, resolve, reject }) === 1) queueMicrotask(() => this.send());
    });
  }

  /** Frees what is kept, now or when the last bytes have come back. */
  free(): void {
    this.isOver = true;
    for (const buffer of this.kept) this.gpu.free(buffer);
    this.kept = [];
  }

  /** What was asked for, in as many parts as the longest buffer asks for: each is on its way when the turn ends. */
  private send(): void {
    const { maxBufferSize } = this.gpu.device.limits;
    const { asked } = this;
    this.asked = [];
    let [first, bytes] = [0, 0];
    asked.forEach(({ slice }, k) => {
      if (k > first && bytes + aligned(slice.size) > maxBufferSize) {
        void this.bring(asked.slice(first, k), bytes);
        [first, bytes] = [k, 0];
      }
      bytes += aligned(slice.size);
    });
    void this.bring(asked.slice(first), bytes);
  }

  private async bring(asked: readonly Asked[], bytes: number): Promise<void> {
    const { gpu } = this;
    const { device } = gpu;
    let staging: GPUBuffer | null = null;
    try {
      staging = this.take(bytes);
      const encoder = device.createCommandEncoder({ label: 'read-back' });
      const at: number[] = [];
      let end = 0;
      for (const { slice } of asked) {
        encoder.copyBufferToBuffer(slice.buffer, slice.offset, staging, end, slice.size);
        at.push(end);
        end += aligned(slice.size);
      }
      device.queue.submit([encoder.finish()]);
      await told(device.queue, staging.mapAsync(GPUMapMode.READ, 0, bytes)).finally(() => gpu.mustHaveWorked());
      const all = staging.getMappedRange(0, bytes);
      const found = asked.map(({ slice }, k) => all.slice(at[k]!, at[k]! + slice.size));
      staging.unmap();
      this.give(staging);
      asked.forEach(({ resolve }, k) => resolve(found[k]!));
    } catch (error) {
      if (staging) gpu.free(staging);
      for (const { reject } of asked) reject(error);
    }
  }

  /** The shortest buffer that is long enough; where none is, one takes the place of those that are kept. */
  private take(bytes: number): GPUBuffer {
    const found = this.kept.filter(({ size }) => size >= bytes).sort((x, y) => x.size - y.size)[0];
    if (found) {
      this.kept = this.kept.filter((buffer) => buffer !== found);
      return found;
    }
    for (const buffer of this.kept) this.gpu.free(buffer);
    this.kept = [];
    return this.gpu.buffer('read-back', bytes / 4, READABLE);
  }

  private give(buffer: GPUBuffer): void {
    if (this.isOver || buffer.size > MOST_KEPT) this.gpu.free(buffer);
    else this.kept.push(buffer);
  }
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNED) * ALIGNED;
