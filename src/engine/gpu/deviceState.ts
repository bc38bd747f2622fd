import { ARRAYS, zeros, type NumberArray, type NumberType } from '../../contract/numbers.ts';
import type { StateSizes, StateSpec, TensorSpec, TrainState } from '../../contract/state.ts';
import { lengthOf } from '../../contract/state.ts';
import { begin, StateStore, type Starts } from '../../contract/stateStore.ts';
import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { Reads } from '../../gpu/reads.ts';

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;

/** How a tensor lies on the device, which has no doubles and no bytes. */
const onDevice = (type: NumberType): NumberType => (type === 'f64' ? 'f32' : type === 'u8' ? 'u32' : type);

type Kept = { readonly buffer: GPUBuffer; readonly spec: TensorSpec; readonly n: number };

/** The tensors of a run on WebGPU: those that kernels work on in buffers, the others in main memory. */
export class DeviceState {
  /** tensors in main memory */
  readonly host: StateStore;
  private readonly gpu: Gpu;
  private readonly reads: Reads;
  private readonly starts: Starts;
  private readonly kept = new Map<string, Kept>();

  constructor(gpu: Gpu, reads: Reads, spec: StateSpec, sizes: StateSizes, starts: Starts) {
    this.gpu = gpu;
    this.reads = reads;
    this.starts = starts;
    const onHost: Record<string, TensorSpec> = {};
    for (const [name, tensor] of Object.entries(spec)) {
      const n = sizes.S * lengthOf(tensor, sizes);
      if (tensor.onDevice) this.kept.set(name, { buffer: gpu.buffer('weights', n, STORAGE), spec: tensor, n });
      else onHost[name] = tensor;
    }
    this.host = new StateStore(onHost, sizes, starts);
  }

  /** [S, …] the buffer that kernels bind. */
  buffer(name: string): GPUBuffer {
    const found = this.kept.get(name);
    if (!found) throw new Error(`The state of this run keeps no tensor “${name}” on the device.`);
    return found.buffer;
  }

  get buffers(): GPUBuffer[] {
    return Array.from(this.kept.values(), ({ buffer }) => buffer);
  }

  /** Takes over a state; a tensor that is not in it begins anew. */
  load(state: TrainState): void {
    for (const [name, { buffer, spec, n }] of this.kept) {
      const own = state.tensors[name];
      const values = own?.length === n ? own : zeros(spec.type, n);
      if (values !== own) begin(values, spec.start ?? 0, state, this.starts);
      const words = onDevice(spec.type) === spec.type ? values : copied(values, onDevice(spec.type));
      this.gpu.device.queue.writeBuffer(buffer, 0, words as Float32Array<ArrayBuffer>);
    }
    this.host.load(state);
  }

  async save(): Promise<Record<string, NumberArray>> {
    const names = [...this.kept.keys()];
    const read = async ({ buffer, spec, n }: Kept): Promise<NumberArray> => {
      const bytes = await this.reads.of({ buffer, offset: 0, size: n * 4 });
      const words = new ARRAYS[onDevice(spec.type)](bytes) as NumberArray;
      return onDevice(spec.type) === spec.type ? words : copied(words, spec.type);
    };
    const arrays = await together(names.map((name) => read(this.kept.get(name)!)));
    return { ...Object.fromEntries(names.map((name, k) => [name, arrays[k]!])), ...this.host.save() };
  }
}

function copied(from: NumberArray, type: NumberType): NumberArray {
  const to: NumberArray = zeros(type, from.length);
  to.set(from);
  return to;
}
