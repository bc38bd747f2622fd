import type { Gpu } from './device.ts';
import { issue, type Dispatch } from './recorder.ts';

/** Queries of one set: the most a device must allow. */
const QUERIES = 4096;
/** Without timestamps a dispatch is repeated until it has run so long, and at most so often. */
const ENOUGH_MS = 4;
const MOST_REPEATS = 64;

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
 * own between two timestamps; results stay the same, the whole takes longer. Devices without `timestamp-query` get
 * estimates: each different dispatch is repeated afterwards, and the time of an empty wait is taken off.
 */
export class Profiler {
  slot = '';
  update = 0;
  readonly timed: Timed[] = [];
  readonly clock: 'timestamps' | 'repeats';
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
    if (this.clock === 'timestamps') await this.readStamps();
    else await this.repeatAll();
    for (const set of this.sets) set.destroy();
    this.sets.length = 0;
  }

  private async readStamps(): Promise<void> {
    const { gpu, timed } = this;
    const { device } = gpu;
    let origin: bigint | null = null;
    for (const [k, set] of this.sets.entries()) {
      const resolved = gpu.buffer('profile', QUERIES * 2, GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC);
      const staging = gpu.buffer('profile', QUERIES * 2, GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ);
      const first = (k * QUERIES) / 2;
      const n = Math.min(QUERIES / 2, timed.length - first);
      const encoder = device.createCommandEncoder({ label: 'profile' });
      encoder.resolveQuerySet(set, 0, 2 * n, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, 2 * n * 8);
      device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
      const ns = new BigUint64Array(staging.getMappedRange().slice(0));
      for (let j = 0; j < n; j++) {
        const [from, to] = [ns[2 * j]!, ns[2 * j + 1]!];
        origin ??= from;
        timed[first + j]!.startUs = Number(from - origin) / 1000;
        // a clock that was reset between two stamps gives nonsense, which counts as nothing
        timed[first + j]!.us = to >= from ? Number(to - from) / 1000 : 0;
      }
      gpu.free(resolved);
      gpu.free(staging);
    }
  }

  /** Times each different dispatch by repeating it; equal ones share the result. */
  private async repeatAll(): Promise<void> {
    const known = new Map<Dispatch, number>();
    const empty = await this.repeat(null, 1);
    for (const [k, dispatch] of this.dispatches.entries()) {
      let us = known.get(dispatch);
      if (us === undefined) {
        const once = Math.max(0.001, (await this.repeat(dispatch, 1)) - empty);
        const times = Math.max(1, Math.min(MOST_REPEATS, Math.floor(ENOUGH_MS / once)));
        us = (1000 * Math.max(0, (await this.repeat(dispatch, times)) - empty)) / times;
        known.set(dispatch, us);
      }
      this.timed[k]!.us = us;
    }
  }

  private async repeat(dispatch: Dispatch | null, times: number): Promise<number> {
    const { device } = this.gpu;
    const from = performance.now();
    if (dispatch) {
      const encoder = device.createCommandEncoder({ label: 'profile' });
      const pass = encoder.beginComputePass();
      for (let k = 0; k < times; k++) issue(pass, dispatch);
      pass.end();
      device.queue.submit([encoder.finish()]);
    }
    await device.queue.onSubmittedWorkDone();
    return performance.now() - from;
  }
}
