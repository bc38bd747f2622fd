import { boxesOf, firstsAt, firstsOf } from './cut.ts';
import type { Gpu } from './device.ts';
import { LimitExceeded } from './refused.ts';
import { compile, packDims, type Kernel } from './kernel.ts';
import { told } from './deviceWait.ts';
import type { Part } from './split.ts';

/** A buffer, or a section of one. Offsets are in bytes and multiples of 256. */
export type Slice = { readonly buffer: GPUBuffer; readonly offset: number; readonly size: number };

const NO_PARTS: ReadonlyMap<string, Part> = new Map();

/** All of a buffer. */
export const whole = (buffer: GPUBuffer): Slice => ({ buffer, offset: 0, size: buffer.size });

/** Section k of a buffer of equal sections of `floats` numbers, each starting at a multiple of 256 bytes. */
export function section(buffer: GPUBuffer, k: number, floats: number): Slice {
  return { buffer, offset: k * sectionBytes(floats), size: Math.max(4, floats * 4) };
}
/** Bytes of a section of this many floats, up to the next multiple of 256. */
export const sectionBytes = (floats: number): number => Math.ceil((floats * 4) / 256) * 256;

export type Dispatch = {
  readonly kernel: string;
  /** size of everything bound: what the dispatch can touch at most */
  readonly bytes: number;
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  /** where it begins */
  readonly first: GPUBindGroup;
  readonly isMovable: boolean;
  readonly x: number;
  readonly y: number;
  readonly z: number;
};

/** Workgroups along one axis. */
const MOST = 65_535;

/** Kernels that lists of an owner have in work, while they are recorded together. */
const inWork = new WeakMap<GPUBuffer[], Promise<void>[]>();

/**
 * Lets the kernels of all lists of some owners compile side by side: while `record` runs, adding one does not wait for it.
 * Resolves when all are there; fails as the first one that did, and then nothing is in work any more.
 */
export async function compileTogether<T>(owners: readonly GPUBuffer[][], record: () => Promise<T>): Promise<T> {
  const own: Promise<void>[] = [];
  for (const owner of owners) inWork.set(owner, own);
  const [recorded] = await Promise.allSettled([record()]);
  for (const owner of owners) inWork.delete(owner);
  const failed = [recorded, ...(await Promise.allSettled(own))].find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return (recorded as PromiseFulfilledResult<T>).value;
}

/**
 * A list of dispatches that is built once and encoded again for every use: pipelines, bind groups and uniforms exist
 * before the first update, so the hot path allocates nothing. Dispatches of one list see each other's writes.
 */
export class CommandList {
  readonly gpu: Gpu;
  private readonly label: string;
  /** null: still compiling */
  private readonly dispatches: (Dispatch | null)[] = [];
  private readonly uniforms: GPUBuffer[];
  /** dispatches that have been cut, by number of pieces */
  private readonly pieces = new Map<Dispatch, Map<number, readonly Dispatch[]>>();

  /** Uniform buffers go into `owner` where one is given: whoever frees that list frees them too, even if recording fails. */
  constructor(gpu: Gpu, label: string, owner: GPUBuffer[] = []) {
    this.gpu = gpu;
    this.label = label;
    this.uniforms = owner;
  }

  get length(): number {
    return this.dispatches.length;
  }

  /**
   * Adds a kernel with its buffers by name, its `Dims`, and how many workgroups. More than 65,535 in x fold into y where
   * the kernel reads `workgroup id = x + y · 65535`; any other would do the first ones again, and is refused.
   */
  async add(
    kernel: Kernel,
    buffers: Readonly<Record<string, GPUBuffer | Slice>>,
    dims: Readonly<Record<string, number>>,
    groups: readonly [x: number, y?: number, z?: number],
  ): Promise<void> {
    const place = this.dispatches.push(null) - 1;
    const made = this.make(kernel, buffers, dims, groups).then((dispatch) => void (this.dispatches[place] = dispatch));
    const waiting = inWork.get(this.uniforms);
    if (!waiting) return made;
    made.catch(() => undefined); // whoever records it looks at it in the end
    waiting.push(made);
  }

  private async make(
    kernel: Kernel,
    buffers: Readonly<Record<string, GPUBuffer | Slice>>,
    dims: Readonly<Record<string, number>>,
    groups: readonly [x: number, y?: number, z?: number],
  ): Promise<Dispatch> {
    const { device } = this.gpu;
    const slices = Object.fromEntries(
      Object.entries(buffers).map(([name, given]) => [name, 'buffer' in given ? given : whole(given)]),
    );
    const most = device.limits.maxStorageBufferBindingSize;
    // few runs have arrays so large, so only they load what binds them in ranges
    const ranges = Object.values(slices).some(({ size }) => size > most) ? await import('./ranges.ts') : null;
    const { kernel: text, parts } = ranges?.inRanges(kernel, slices, device.limits) ?? { kernel, parts: NO_PARTS };
    const { pipeline, layout, bindings, dims: fields, isMovable, folds } = await compile(this.gpu, text);
    const entries = bindings.map(({ name, index, kind }) => {
      if (kind === 'uniform' && name === 'dims')
        return { binding: index, resource: { buffer: this.uniform(packDims(fields, dims)) } as GPUBufferBinding };
      const part = parts.get(name);
      const slice = slices[part?.of ?? name];
      if (!slice) throw new Error(`The kernel ${kernel.id} needs a buffer for ${name}.`);
      return { binding: index, resource: part && ranges ? ranges.rangeOf(slice, part.part, device.limits) : slice };
    });
    const group = device.createBindGroup({ label: kernel.told ?? kernel.id, layout, entries });
    const [x, y = 1, z = 1] = groups;
    const deepest = Math.max(y, z, folds && y === 1 ? x / MOST : x);
    if (deepest > MOST)
      throw new LimitExceeded(`a row of workgroups (${kernel.id})`, String(Math.ceil(deepest)), String(MOST));
    return {
      kernel: kernel.id,
      bytes: entries.reduce((n, { resource }) => n + (resource.size ?? resource.buffer.size), 0),
      pipeline,
      group,
      first: firstsOf(this.gpu).origin,
      isMovable,
      x: Math.min(x, MOST),
      y: x > MOST ? Math.ceil(x / MOST) : y,
      z,
    };
  }

  private uniform(bytes: ArrayBuffer): GPUBuffer {
    const buffer = this.gpu.buffer('uniforms', bytes.byteLength / 4, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    this.gpu.device.queue.writeBuffer(buffer, 0, bytes);
    this.uniforms.push(buffer);
    return buffer;
  }

  /** What dispatch k is: those of one name do the same work. */
  nameOf(k: number): string {
    const { kernel, x, y, z } = this.dispatches[k]!;
    return `${kernel} ${x}×${y}×${z}`;
  }

  /** Encodes dispatches [from, to), all by default, into one compute pass. */
  encode(encoder: GPUCommandEncoder, from = 0, to = this.dispatches.length): void {
    this.encodeAll(encoder, this.dispatches as readonly Dispatch[], from, to);
  }

  /** Dispatch k in up to this many pieces, each a function that encodes it. Cut when first asked for. */
  cut(k: number, pieces: number): readonly ((encoder: GPUCommandEncoder) => void)[] {
    const dispatch = this.dispatches[k]!;
    let cuts = this.pieces.get(dispatch);
    if (!cuts) this.pieces.set(dispatch, (cuts = new Map<number, readonly Dispatch[]>()));
    let parts = cuts.get(pieces);
    if (!parts) cuts.set(pieces, (parts = this.piecesOf(dispatch, pieces)));
    return parts.map((_, p) => (encoder) => this.encodeAll(encoder, parts, p, p + 1));
  }

  private piecesOf(dispatch: Dispatch, pieces: number): readonly Dispatch[] {
    const { x, y, z, isMovable } = dispatch;
    if (!isMovable) return [dispatch];
    const boxes = boxesOf([x, y, z], pieces);
    const firsts = firstsAt(this.gpu, boxes, this.uniforms);
    return boxes.map(({ size: [x, y, z] }, k) => ({ ...dispatch, first: firsts[k]!, x, y, z }));
  }

  private encodeAll(encoder: GPUCommandEncoder, dispatches: readonly Dispatch[], from: number, to: number): void {
    const { profiler } = this.gpu;
    if (profiler) return profiler.encode(encoder, this.label, dispatches.slice(from, to));
    const pass = encoder.beginComputePass({ label: this.label });
    for (let k = from; k < to; k++) issue(pass, dispatches[k]!);
    pass.end();
  }

  /** Frees the uniforms of a list without an owner. */
  dispose(): void {
    for (const buffer of this.uniforms) this.gpu.free(buffer);
    this.uniforms.length = 0;
  }
}

/** Hands one dispatch to a pass. */
export function issue(pass: GPUComputePassEncoder, { pipeline, group, first, x, y, z }: Dispatch): void {
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.setBindGroup(1, first);
  pass.dispatchWorkgroups(x, y, z);
}

/** Copies a slice to the CPU. Waits for the GPU; never used inside an update. */
export async function readBack(gpu: Gpu, slice: Slice): Promise<ArrayBuffer> {
  const { device } = gpu;
  const staging = gpu.buffer('read-back', slice.size / 4, GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ);
  try {
    const encoder = device.createCommandEncoder({ label: 'read-back' });
    encoder.copyBufferToBuffer(slice.buffer, slice.offset, staging, 0, slice.size);
    device.queue.submit([encoder.finish()]);
    await told(device.queue, staging.mapAsync(GPUMapMode.READ, 0, slice.size)).finally(() => gpu.mustHaveWorked());
    return staging.getMappedRange(0, slice.size).slice(0);
  } finally {
    gpu.free(staging);
  }
}
