import { fail, ok, type Result } from '../core/problem.ts';
import type { Profiler } from './profiler.ts';
import { measureGrain } from './deviceWait.ts';
import { WorkRefused } from './refused.ts';

/** What a page should know about the graphics device before it trains on it. */
export type GpuReport = {
  readonly webgpu: boolean;
  readonly adapter: string;
  /** true for adapters that run shaders on the CPU: our CPU path is faster */
  readonly software: boolean;
  /** one sentence for people when the GPU is not used */
  readonly why: string | null;
};

/** Most ms of one submission while a page is looked at, and while it is not or there is none. */
export const VISIBLE_MS = 12;
export const HIDDEN_MS = 30;

/** One device with its queue. Everything made on it is counted, so that a test can see it all go. */
export class Gpu {
  readonly device: GPUDevice;
  readonly name: string;
  readonly software: boolean;
  /** resolves with a reason when the device goes away */
  readonly lost: Promise<string>;
  isLost = false;
  /** compiled pipelines by kernel and constants; compiled once per device */
  readonly pipelines = new Map<string, Promise<unknown>>();
  /** bytes held by label */
  readonly bytes = new Map<string, number>();
  /** while set, every dispatch is written down there and runs in its own pass */
  profiler: Profiler | null = null;
  /** nobody looks at the page, or there is none */
  isHidden = true;
  /** the first thing that the device refused outside of `checked`: from then on its numbers mean nothing */
  complaint: string | null = null;
  /** what it refused, where kernels now take their simplest form: the same numbers, other times */
  plainBecause: Error | null = null;

  constructor(device: GPUDevice, name: string, software: boolean) {
    this.device = device;
    this.name = name;
    this.software = software;
    this.lost = device.lost.then((info) => {
      this.isLost = true;
      return info.message || 'The graphics device went away.';
    });
    device.onuncapturederror = ({ error }) => (this.complaint ??= error.message);
  }

  /** Most ms of one submission, where it can be: a page that is looked at must be able to draw in between. */
  get frameMs(): number {
    return this.isHidden ? HIDDEN_MS : VISIBLE_MS;
  }

  /** Fails if the device has refused work. Whoever reads numbers from it asks, once they are there. */
  mustHaveWorked(): void {
    // numbers of a device that is gone arrive nowhere
    if (this.complaint !== null && !this.isLost) throw new WorkRefused(this.complaint);
  }

  /** What `work` gives; fails if the device finds anything wrong with what is made there. */
  async checked<T>(work: () => Promise<T>): Promise<T> {
    this.device.pushErrorScope('validation');
    const [done] = await Promise.allSettled([work()]);
    const invalid = await this.device.popErrorScope();
    if (done.status === 'rejected') throw done.reason;
    if (invalid) throw new WorkRefused(invalid.message);
    return done.value;
  }

  /** Test hook: the device is given work that it must refuse. */
  refuse(): void {
    this.device.createBuffer({ label: 'refused', size: 4, usage: 0 });
  }

  /** Ends the device, as a driver reset does. */
  lose(): void {
    this.device.destroy();
  }

  /** A zeroed buffer with a label; `free` gives it back. */
  buffer(label: string, floats: number, usage: number): GPUBuffer {
    const size = Math.max(16, Math.ceil(floats * 4));
    const buffer = this.device.createBuffer({ label, size, usage });
    this.bytes.set(label, (this.bytes.get(label) ?? 0) + size);
    return buffer;
  }

  free(buffer: GPUBuffer): void {
    const left = (this.bytes.get(buffer.label) ?? 0) - buffer.size;
    if (left > 0) this.bytes.set(buffer.label, left);
    else this.bytes.delete(buffer.label);
    buffer.destroy();
  }
}

function entry(): GPU | null {
  return typeof navigator === 'undefined' || !('gpu' in navigator) ? null : navigator.gpu;
}

async function adapterOf(gpu: GPU): Promise<GPUAdapter | null> {
  return gpu.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
}

function describe(info: GPUAdapterInfo): { name: string; software: boolean } {
  const name =
    [info.vendor, info.architecture, info.description].filter((part) => part !== '').join(' ') || 'unnamed adapter';
  return { name, software: info.isFallbackAdapter || /swiftshader|llvmpipe|basic render|warp/i.test(name) };
}

/** Looks for WebGPU without making a device. */
export async function probeGpu(): Promise<GpuReport> {
  const gpu = entry();
  const none = (why: string): GpuReport => ({ webgpu: false, adapter: 'CPU path', software: false, why });
  if (!gpu) return none('This browser has no WebGPU.');
  const adapter = await adapterOf(gpu);
  if (!adapter) return none('This browser found no graphics device for WebGPU.');
  const { name, software } = describe(adapter.info);
  return {
    webgpu: true,
    adapter: name,
    software,
    why: software ? `The only graphics device here is a software one (${name}).` : null,
  };
}

/** Features that are asked for where the adapter has them; everything works without. */
const WELCOME: readonly GPUFeatureName[] = ['timestamp-query', 'shader-f16'];

/** Opens a device with the adapter's own limits where they help. `gpu` is given by Node, where there is no navigator. */
export async function openGpu(gpu: GPU | null = entry()): Promise<Result<Gpu>> {
  if (!gpu) return fail({ kind: 'noWebGpu', why: 'This browser has no WebGPU.' });
  const adapter = await adapterOf(gpu);
  if (!adapter) return fail({ kind: 'noWebGpu', why: 'This browser found no graphics device for WebGPU.' });
  const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = adapter.limits;
  try {
    const device = await adapter.requestDevice({
      requiredFeatures: WELCOME.filter((feature) => adapter.features.has(feature)),
      requiredLimits: { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage },
    });
    await measureGrain(device);
    const { name, software } = describe(adapter.info);
    return ok(new Gpu(device, name, software));
  } catch (error) {
    return fail({
      kind: 'noWebGpu',
      why: `The graphics device could not be opened (${error instanceof Error ? error.message : 'no reason given'}).`,
    });
  }
}
