import { tensorOf, type StartName, type StateSizes, type StateSpec, type TrainState, lengthOf } from './state.ts';
import { zeros, type ArrayOf, type NumberArray, type NumberType } from './numbers.ts';

/** Fills a tensor with a start that is more than a number. */
export type Starts = Readonly<Record<StartName, (into: NumberArray, state: TrainState) => void>>;

/** Starts that need nothing but the state. */
export const PLAIN_STARTS = {
  theta: (into: NumberArray, { tensors }: TrainState): void => into.set(tensorOf(tensors, 'theta', 'f32')),
  steps: (into: NumberArray, { steps }: TrainState): void => void into.fill(steps),
} as const;

/** The living tensors of a run in main memory: made once from the declarations, read and written where they lie. */
export class StateStore {
  readonly tensors: Readonly<Record<string, NumberArray>>;
  private readonly spec: StateSpec;
  private readonly starts: Starts;

  /** `floats`: gives room for tensors that networks work on; every other tensor is a plain array. */
  constructor(
    spec: StateSpec,
    sizes: StateSizes,
    starts: Starts,
    floats: (n: number) => Float32Array = (n) => new Float32Array(n),
  ) {
    this.spec = spec;
    this.starts = starts;
    const make = (name: string): NumberArray => {
      const tensor = spec[name]!;
      const n = sizes.S * lengthOf(tensor, sizes);
      return tensor.per === 'parameter' && tensor.type === 'f32' ? floats(n) : zeros(tensor.type, n);
    };
    this.tensors = Object.fromEntries(Object.keys(spec).map((name) => [name, make(name)]));
  }

  /** The tensor itself, which someone works on. */
  of<K extends NumberType>(name: string, type: K): ArrayOf<K> {
    return tensorOf(this.tensors, name, type);
  }

  /** Takes over a state; a tensor that is not in it starts over. */
  load(state: TrainState): void {
    for (const [name, tensor] of Object.entries(this.tensors)) {
      const from = state.tensors[name];
      if (from?.length === tensor.length) tensor.set(from);
      else begin(tensor, this.spec[name]!.start ?? 0, state, this.starts);
    }
  }

  save(): Record<string, NumberArray> {
    return Object.fromEntries(Object.entries(this.tensors).map(([name, tensor]) => [name, tensor.slice()]));
  }

  get bytes(): number {
    return Object.values(this.tensors).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

/** Writes what a tensor begins with. */
export function begin(into: NumberArray, start: number | StartName, state: TrainState, starts: Starts): void {
  if (typeof start === 'number') into.fill(start);
  else starts[start](into, state);
}
