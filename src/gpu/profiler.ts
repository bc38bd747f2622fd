import type { Gpu } from './device.ts';
import { told, whenDone } from './deviceWait.ts';
import { issue, type Dispatch } from './recorder.ts';
import { timeOfOne } from './timeOfOne.ts';

/** Queries of one set: the most a device must allow. */
const QUERIES = 4096;
/** Without timestamps a dispatch is repeated until it has run so long, and at most so often. */
const ENOUGH_MS = 2;
const MOST_REPEATS = 256;

/** Steps in nanoseconds to which browsers round the clock of a device, so that nobody can spy with it. */
const ROUNDED_NS = [65_536, 100_000];

/**
 * The step in microseconds of which all differences between timestamps are multiples, where that is one to which browsers
 * round; null where the clock is finer. Most kernels are shorter than a step: such times are 0 or far too long.
 */
export function roundedToUs(differencesNs: readonly number[]): number | null {
  const step = ROUNDED_NS.find((step) => differencesNs.every((ns) => ns % step === 0));
  return step === undefined || differencesNs.length === 0 ? null : step / 1000;
}

/** One dispatch of the profiled updates. Times in microseconds from the first one; null without timestamps. */
export type Timed = {
  readonly slot: string;
  readonly update: number;
  readonly list: string;
  readonly kernel: string;
  readonly workgroups: number;
  readonly bytes: number;
  startUs: number | null;
  us: number | null;
};

/**
 * Writes down what a device is given to do. While it is the `profiler` of a `Gpu`, every dispatch runs in a pass of its
 * own between two timestamps; results stay the same, the whole takes longer. Devices without `timestamp-query`, and
 * those that round it, get estimates: each different dispatch is repeated afterwards, see timeOfOne.ts.
 */
export class Profiler {
  slot = '';
  update = 0;
  readonly timed: Timed[] = [];
  clock: 'timestamps' | 'repeats';
  /** what timestamps were rounded to, where that is why kernels were repeated */
  stampUs: number | null = null;
  private readonly gpu: Gpu;
  private readonly sets: GPUQuerySet[] = [];
  private readonly dispatches: Dispatch[] = [];

  constructor(
    gpu: Gpu,
    clock: Profiler['clock'] = gpu.device.features.has('timestamp-query') ? 'timestamps' : 'repeats',
  ) {
    this.gpu = gpu;
    this.clock = clock;
  }

  encode(encoder: GPUCommandEncoder, list: string, dispatches: readonly Dispatch[]): void {
    for (const dispatch of dispatches) {
      const { kernel, bytes, x, y, z } = dispatch;
      const at = 2 * this.timed.length;
      const { slot, update } = this;
      this.timed.push({ slot, update, list, kernel, workgroups: x * y * z, bytes, startUs: null, us: null });
      this.dispatches.push(dispatch);
      const pass = encoder.beginComputePass({ label: kernel, ...this.stamps(at) });
      issue(pass, dispatch);
      pass.end();
    }
  }

  private stamps(at: number): Pick<GPUComputePassDescriptor, 'timestampWrites'> {
    if (this.clock === 'repeats') return {};
    const k = Math.floor(at / QUERIES);
    this.sets[k] ??= this.gpu.device.createQuerySet({ type: 'timestamp', count: QUERIES });
    const first = at % QUERIES;
    return {
      timestampWrites: {
        querySet: this.sets[k],
        beginningOfPassWriteIndex: first,
        endOfPassWriteIndex: first + 1,
      },
    };
  }

  /** Waits for everything and fills in the times. */
  async finish(): Promise<void> {
    if (this.clock === 'timestamps') this.stampUs = roundedToUs(await this.readStamps());
    if (this.stampUs !== null) this.clock = 'repeats';
    if (this.clock === 'repeats') await this.repeatAll();
    for (const set of this.sets) set.destroy();
    this.sets.length = 0;
  }

  /** Fills in what the stamps say, and gives the nanoseconds between them. */
  private async readStamps(): Promise<number[]> {
    const { gpu, timed } = this;
    const { device } = gpu;
    let origin: bigint | null = null;
    const differences: number[] = [];
    for (const [k, set] of this.sets.entries()) {
      const resolved = gpu.buffer('profile', QUERIES * 2, GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC);
      const staging = gpu.buffer('profile', QUERIES * 2, GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ);
      const first = (k * QUERIES) / 2;
      const n = Math.min(QUERIES / 2, timed.length - first);
      const encoder = device.createCommandEncoder({ label: 'profile' });
      encoder.resolveQuerySet(set, 0, 2 * n, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, 2 * n * 8);
      device.queue.submit([encoder.finish()]);
      await told(device.queue, staging.mapAsync(GPUMapMode.READ));
      const stamps = new BigUint64Array(staging.getMappedRange().slice(0));
      for (let j = 0; j < n; j++) {
        const [from, to] = [stamps[2 * j]!, stamps[2 * j + 1]!];
        origin ??= from;
        timed[first + j]!.startUs = Number(from - origin) / 1000;
        // a clock that was reset between two stamps gives nonsense, which counts as nothing
        const ns = to >= from ? Number(to - from) : 0;
        timed[first + j]!.us = ns / 1000;
        differences.push(ns);
      }
      gpu.free(resolved);
      gpu.free(staging);
    }
    return differences;
  }

  /** Times each different dispatch by repeating it; equal ones share the result. */
  private async repeatAll(): Promise<void> {
    const known = new Map<Dispatch, number>();
    for (const [k, dispatch] of this.dispatches.entries()) {
      const us =
        known.get(dispatch) ?? 1000 * (await timeOfOne((n) => this.repeat(dispatch, n), ENOUGH_MS, MOST_REPEATS));
      known.set(dispatch, us);
      Object.assign(this.timed[k]!, { startUs: null, us });
    }
  }

  private async repeat(dispatch: Dispatch, times: number): Promise<number> {
    const { device } = this.gpu;
    const from = performance.now();
    const encoder = device.createCommandEncoder({ label: 'profile' });
    const pass = encoder.beginComputePass();
    for (let k = 0; k < times; k++) issue(pass, dispatch);
    pass.end();
    device.queue.submit([encoder.finish()]);
    await whenDone(device.queue);
    return performance.now() - from;
  }
}
