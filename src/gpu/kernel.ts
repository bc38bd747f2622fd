import { firstsOf, folds, movable } from './cut.ts';
import type { Gpu } from './device.ts';
import { KernelRejected } from './refused.ts';

/** A kernel: WGSL text, and snippets (functions of an environment, an objective, …) that are linked in front of it. */
export type Kernel = {
  readonly id: string;
  readonly wgsl: string;
  readonly link?: readonly string[];
  readonly entry?: string;
  /** invocations of a workgroup where tree.wgsl is linked with other than 64; with steps.wgsl at most so many */
  readonly lanes?: number;
  /** numbers of what a lane adds up there */
  readonly laneWords?: number;
  /** what several kernels in one are and are bound to, for whoever looks at the device */
  readonly told?: string;
};

type Kind = 'uniform' | 'read-only-storage' | 'storage';
export type Binding = { readonly name: string; readonly index: number; readonly kind: Kind };
export type Field = { readonly name: string; readonly type: 'u32' | 'f32' | 'i32' };

/** Bindings of a WGSL text, in order of their index. Layouts are explicit: `auto` drops bindings a kernel does not use. */
export function bindingsOf(code: string): Binding[] {
  const found: Binding[] = [];
  for (const m of code.matchAll(
    /@group\(0\)\s*@binding\((\d+)\)\s*var<(uniform|storage(?:,\s*(read|read_write))?)>\s*(\w+)/g,
  )) {
    const kind: Kind = m[2] === 'uniform' ? 'uniform' : m[3] === 'read_write' ? 'storage' : 'read-only-storage';
    found.push({ name: m[4]!, index: Number(m[1]), kind });
  }
  return found.sort((a, b) => a.index - b.index);
}

/** Fields of `struct Dims`, all scalars of four bytes: nobody counts bytes by hand. */
export function dimsOf(code: string): Field[] {
  const body = /struct Dims\s*\{([^}]*)\}/.exec(code)?.[1] ?? '';
  return [...body.matchAll(/(\w+)\s*:\s*(u32|f32|i32)/g)].map((m) => ({ name: m[1]!, type: m[2] as Field['type'] }));
}

/** Uniform bytes of `values` in the layout of the WGSL; a missing or unknown name is a mistake. */
export function packDims(fields: readonly Field[], values: Readonly<Record<string, number>>): ArrayBuffer {
  const bytes = new ArrayBuffer(Math.max(16, Math.ceil(fields.length / 4) * 16));
  const view = new DataView(bytes);
  for (const name of Object.keys(values))
    if (!fields.some((f) => f.name === name)) throw new Error(`Dims has no field ${name}.`);
  fields.forEach(({ name, type }, k) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Dims needs a value for ${name}.`);
    if (type === 'f32') view.setFloat32(4 * k, value, true);
    else if (type === 'u32') view.setUint32(4 * k, value, true);
    else view.setInt32(4 * k, value, true);
  });
  return bytes;
}

/** A compiled kernel with its layout. */
export type Pipeline = {
  readonly kernel: Kernel;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  readonly bindings: readonly Binding[];
  readonly dims: readonly Field[];
  /** can it begin at another workgroup than the first? */
  readonly isMovable: boolean;
  /** can it have more workgroups in x than one axis holds? */
  readonly folds: boolean;
};

/** The whole text of a kernel. */
export function codeOf(kernel: Kernel): string {
  return [...(kernel.link ?? []), kernel.wgsl].join('\n');
}

/** Compiles a kernel; compiled kernels are kept for the life of the device. */
export function compile(gpu: Gpu, kernel: Kernel): Promise<Pipeline> {
  const code = codeOf(kernel);
  const known = gpu.pipelines.get(code + (kernel.entry ?? 'main')) as Promise<Pipeline> | undefined;
  if (known) return known;
  const made = compileNow(gpu, kernel, code);
  gpu.pipelines.set(code + (kernel.entry ?? 'main'), made);
  return made;
}

async function compileNow(gpu: Gpu, kernel: Kernel, code: string): Promise<Pipeline> {
  const { device } = gpu;
  const bindings = bindingsOf(code);
  const moved = movable(code);
  const { entry = 'main' } = kernel;
  // what is wrong with the text is said below, with its line
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ label: kernel.id, code: moved });
  const layout = device.createBindGroupLayout({
    label: kernel.id,
    entries: bindings.map(({ index, kind }) => ({
      binding: index,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: kind },
    })),
  });
  void device.popErrorScope().catch(() => null);
  try {
    const pipeline = await device.createComputePipelineAsync({
      label: kernel.id,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout, firstsOf(gpu).layout] }),
      compute: { module, entryPoint: entry },
    });
    return {
      kernel,
      pipeline,
      layout,
      bindings,
      dims: dimsOf(code),
      isMovable: moved !== code,
      folds: folds(code, entry),
    };
  } catch (error) {
    const { messages } = await module.getCompilationInfo();
    const first = messages.find((m) => m.type === 'error');
    const where = first
      ? `line ${first.lineNum}: ${first.message}`
      : error instanceof Error
        ? error.message
        : 'no reason given';
    throw new KernelRejected(kernel.id, where);
  }
}
