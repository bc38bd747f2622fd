/** One dispatch as it was handed to a device. */
export type Dispatched = {
  readonly kernel: string;
  readonly groups: readonly [x: number, y: number, z: number];
  /** invocations of a workgroup */
  readonly lanes: number;
  /** bytes of every binding: what it can touch at most */
  readonly bound: Readonly<Record<string, number>>;
  readonly dims: Readonly<Record<string, number>>;
  /** what is seen of a world goes on from what was seen before (src/envs/grid/next.wgsl) */
  readonly seesOn?: true;
  /** what it consists of, where it is several kernels side by side (src/gpu/joined.ts) */
  readonly parts?: readonly Dispatched[];
};

/** What was handed to a device since it was last asked. */
export type Handed = {
  readonly dispatches: Dispatched[];
  submissions: number;
  copies: number;
  copiedBytes: number;
  /** calls of writeBuffer, and their bytes */
  writes: number;
  writtenBytes: number;
  /** buffers that were read back, and their bytes */
  reads: number;
  readBytes: number;
};

type Made = { readonly label: string; readonly size: number; readonly usage: number; words: ArrayBuffer | null };
type Field = { readonly name: string; readonly type: string };
type Program = {
  readonly code: string;
  readonly fields: readonly Field[];
  readonly names: ReadonlyMap<number, string>;
};
type Pipeline = { readonly label: string; readonly program: Program; readonly lanes: number };
type Group = {
  readonly label: string;
  readonly entries: readonly {
    readonly binding: number;
    readonly resource: { readonly buffer: Made; readonly offset?: number; readonly size?: number };
  }[];
};

/** Half of what a dispatch takes: short enough that no pace makes work smaller for it. */
const DISPATCH_MS = 0.0025;
const UNIFORM = 0x40;
const MAP_READ = 0x01;

/** Constants that browsers and Dawn have; Node alone has none. */
function defineConstants(): void {
  const missing = {
    GPUShaderStage: { VERTEX: 1, FRAGMENT: 2, COMPUTE: 4 },
    GPUBufferUsage: {
      ...{ MAP_READ, MAP_WRITE: 0x02, COPY_SRC: 0x04, COPY_DST: 0x08, INDEX: 0x10, VERTEX: 0x20, UNIFORM },
      ...{ STORAGE: 0x80, INDIRECT: 0x100, QUERY_RESOLVE: 0x200 },
    },
    GPUMapMode: { READ: 1, WRITE: 2 },
  };
  for (const [name, value] of Object.entries(missing))
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value });
}

function programOf(code: string): Program {
  const body = /struct Dims\s*\{([^}]*)\}/.exec(code)?.[1] ?? '';
  const fields = [...body.matchAll(/(\w+)\s*:\s*(u32|f32|i32)/g)].map((m) => ({ name: m[1]!, type: m[2]! }));
  const bindings = code.matchAll(/@group\(0\)\s*@binding\((\d+)\)\s*var<[^>]*>\s*(\w+)/g);
  return { code, fields, names: new Map([...bindings].map((m) => [Number(m[1]), m[2]!])) };
}

/** Invocations of a workgroup: a number, or a constant of the text. */
function lanesOf({ code }: Program, entry: string): number {
  const size = new RegExp(`@workgroup_size\\((\\w+)\\)\\s*fn ${entry}\\(`).exec(code)?.[1];
  const number = size && /^\d/.test(size) ? size : new RegExp(`const ${size} = (\\d+)`).exec(code)?.[1];
  if (!number) throw new Error(`The size of a workgroup of ${entry} could not be read.`);
  return Number.parseInt(number, 10);
}

/**
 * A WebGPU device that computes nothing: it counts what it is given. Every number that is read back is 0, and everything
 * is done at once, so that a run hands over as much at a time as it ever does.
 */
export class CountingDevice {
  handed: Handed = empty();
  /** what its dispatches have taken, by its own clock */
  private clockMs = 0;

  constructor() {
    defineConstants();
  }

  /** What was handed over since the last call. */
  take(): Handed {
    const taken = this.handed;
    this.handed = empty();
    return taken;
  }

  /**
   * While `work` runs the clock is that of this device, on which a product in registers alone takes twice as long as any
   * other dispatch, and one in fine tiles half as long: the comparison of forms (src/gpu/tune.ts) ends as it does on
   * hardware, however busy the machine is.
   */
  async timed<T>(work: () => Promise<T>): Promise<T> {
    const { now } = performance;
    performance.now = () => this.clockMs;
    try {
      return await work();
    } finally {
      performance.now = now;
    }
  }

  /** The device as the engine sees it. */
  get device(): GPUDevice {
    const nothing = (): void => undefined;
    const device = {
      limits: {
        maxStorageBufferBindingSize: 2 ** 31 - 4,
        maxBufferSize: 2 ** 32,
        maxComputeWorkgroupsPerDimension: 65_535,
        // the least that Chromium gives on desktops, where WebGPU promises 8 (gpuweb issue 4235)
        maxStorageBuffersPerShaderStage: 10,
      },
      features: new Set<string>(),
      lost: new Promise(nothing),
      onuncapturederror: null,
      queue: {
        submit: (): void => void this.handed.submissions++,
        writeBuffer: (to: Made, offset: number, data: ArrayBufferLike | ArrayBufferView): void =>
          this.write(to, offset, data),
        onSubmittedWorkDone: () => Promise.resolve(),
      },
      createBuffer: (made: { label?: string; size: number; usage: number }) => this.buffer(made),
      createShaderModule: ({ code }: { code: string }) => ({
        program: programOf(code),
        getCompilationInfo: () => Promise.resolve({ messages: [] }),
      }),
      createBindGroupLayout: () => ({}),
      createPipelineLayout: () => ({}),
      createComputePipelineAsync: (asked: {
        label: string;
        compute: { module: { program: Program }; entryPoint: string };
      }): Promise<Pipeline> => {
        const { program } = asked.compute.module;
        return Promise.resolve({ label: asked.label, program, lanes: lanesOf(program, asked.compute.entryPoint) });
      },
      createBindGroup: (group: Group) => group,
      createCommandEncoder: () => this.encoder(),
      createQuerySet: () => ({ destroy: nothing }),
      pushErrorScope: nothing,
      popErrorScope: () => Promise.resolve(null),
      destroy: nothing,
    };
    // what the engine asks of a device, and no more
    return device as unknown as GPUDevice;
  }

  private buffer({ label = '', size, usage }: { label?: string; size: number; usage: number }) {
    const made = {
      ...{ label, size, usage, words: (usage & UNIFORM) !== 0 ? new ArrayBuffer(size) : null, mapState: 'unmapped' },
      destroy: () => undefined,
      unmap: () => undefined,
      mapAsync: (): Promise<void> => {
        this.handed.reads++;
        this.handed.readBytes += size;
        return Promise.resolve();
      },
      getMappedRange: (offset = 0, length = size - offset) => new ArrayBuffer(length),
    };
    return made;
  }

  private write(to: Made, offset: number, data: ArrayBufferLike | ArrayBufferView): void {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    this.handed.writes++;
    this.handed.writtenBytes += bytes.length;
    if (to.words) new Uint8Array(to.words).set(bytes, offset);
  }

  private encoder() {
    const { handed } = this;
    const copy = (bytes: number): void => {
      handed.copies++;
      handed.copiedBytes += bytes;
    };
    return {
      beginComputePass: () => this.pass(),
      copyBufferToBuffer: (_from: Made, _at: number, _to: Made, _offset: number, bytes: number): void => copy(bytes),
      clearBuffer: (made: Made, offset = 0, bytes = made.size - offset): void => copy(bytes),
      resolveQuerySet: () => undefined,
      finish: () => ({}),
    };
  }

  private pass() {
    let [pipeline, group] = [null as Pipeline | null, null as Group | null];
    return {
      setPipeline: (next: Pipeline): void => void (pipeline = next),
      setBindGroup: (at: number, next: Group): void => void (at === 0 && (group = next)),
      dispatchWorkgroups: (x: number, y = 1, z = 1): void => this.dispatch(pipeline!, group!, [x, y, z]),
      end: () => undefined,
    };
  }

  private dispatch({ label, program, lanes }: Pipeline, group: Group, groups: Dispatched['groups']): void {
    const { entries } = group;
    const form = label.startsWith('denseForward.') ? label.slice('denseForward.'.length) : '';
    this.clockMs += DISPATCH_MS * ({ wide: 4, fine: 1 }[form] ?? 2);
    const bound: Record<string, number> = {};
    const dims: Record<string, number> = {};
    for (const { binding, resource } of entries) {
      const name = program.names.get(binding)!;
      if (name === 'dims') Object.assign(dims, read(program.fields, resource.buffer.words!));
      else bound[name] = resource.size ?? resource.buffer.size;
    }
    const parts = group.label === label ? null : partsOf(group.label, dims);
    const seesOn = program.code.includes('envObserveNext(') && ({ seesOn: true } as const);
    this.handed.dispatches.push({ kernel: label, groups, lanes, bound, dims, ...seesOn, ...(parts && { parts }) });
  }
}

/** Several kernels in one, as their label tells them; the dims of the k-th one end in _k. */
function partsOf(told: string, dims: Readonly<Record<string, number>>): Dispatched[] {
  return told.split('; ').map((part, k) => {
    const [, kernel, size, lanes, names] = /^(\S+) (\S+) of (\d+): (.*)$/.exec(part)!;
    const own = Object.entries(dims).filter(([name]) => name.endsWith(`_${k}`));
    const bound = names!.split(', ').map((one) => one.split(' ') as [string, string]);
    return {
      kernel: kernel!,
      groups: size!.split('×').map(Number) as unknown as Dispatched['groups'],
      lanes: Number(lanes),
      bound: Object.fromEntries(bound.map(([name, bytes]) => [name, Number(bytes)])),
      dims: Object.fromEntries(own.map(([name, value]) => [name.replace(/_\d+$/, ''), value])),
    };
  });
}

function read(fields: readonly Field[], words: ArrayBuffer): Record<string, number> {
  const view = new DataView(words);
  const value = (type: string, at: number): number =>
    type === 'f32' ? view.getFloat32(at, true) : type === 'i32' ? view.getInt32(at, true) : view.getUint32(at, true);
  return Object.fromEntries(fields.map(({ name, type }, k) => [name, value(type, 4 * k)]));
}

const empty = (): Handed => ({
  ...{ dispatches: [], submissions: 0, copies: 0, copiedBytes: 0 },
  ...{ writes: 0, writtenBytes: 0, reads: 0, readBytes: 0 },
});
