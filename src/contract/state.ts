import { ARRAYS, bytesOf, zeros, type ArrayOf, type NumberArray, type NumberType } from './numbers.ts';

/**
 * What a run remembers between two updates: named tensors, declared by whoever owns them. Save, load, cutting by seeds,
 * joining, checkpoints, forks and bytes held read the declarations and know no name.
 */

/**
 * What a replica has one entry of a tensor for; `step` and `unit`: those of one episode of full length; `word`: those of one
 * state of the world, and `taskWord` of one for every task.
 */
export type StatePer = 'replica' | 'parameter' | 'task' | 'row' | 'step' | 'unit' | 'feature' | 'word' | 'taskWord';
/** Replicas, and how many of each a replica has. */
export type StateSizes = { readonly S: number } & Readonly<Record<Exclude<StatePer, 'replica'>, number>>;

/** What may change at a fork of a run, so that what depends on it starts over. */
export type ForkChange = 'optimizer' | 'count' | 'versions' | 'tasks';

/** One tensor [S, entries of a replica, width]. */
export type TensorSpec = {
  readonly type: NumberType;
  readonly per: StatePer;
  /** numbers of one entry; 1 where it is not said */
  readonly width?: number;
  /** what it begins with: a number, or the name of a start that the engine knows; 0 where it is not said */
  readonly start?: number | StartName;
  /** at a fork whose plan has it too: kept, started over, or started over where one of these has changed */
  readonly onFork: 'keep' | 'reset' | readonly ForkChange[];
  /** where the current policy becomes the reference by hand: reset to 0, or a copy of θ; untouched where it is not said */
  readonly onReset?: 'anew' | 'theta';
  /** a run trains the same without it: only a metric reads it */
  readonly optional?: true;
  /** a book of labels, into which events of the run write: see labelBook.ts */
  readonly byHand?: true;
  /** on WebGPU it is kept on the device (f64 as f32), else in main memory */
  readonly onDevice?: true;
};

/** A copy of θ, θ as it plays, the optimizer steps taken, or unknown (NaN) where old versions came without it. */
export type StartName = 'theta' | 'played' | 'steps' | 'unknown';

/** Tensors by name. A module's own name stands before the names it gives: see `named`. */
export type StateSpec = Readonly<Record<string, TensorSpec>>;
export type Tensors = Readonly<Record<string, NumberArray>>;

/** Everything that decides the future of a run between two updates. Exact resume: same bits as never stopped. */
export type TrainState = {
  readonly update: number;
  /** optimizer steps taken */
  readonly steps: number;
  readonly tensors: Tensors;
};

/** The tensors of a module under its id. */
export function named(id: string, spec: StateSpec | undefined): StateSpec {
  return Object.fromEntries(Object.entries(spec ?? {}).map(([name, tensor]) => [`${id}.${name}`, tensor]));
}

/** The tensors of one module, under the names that it gave them. */
export function tensorsOf(tensors: Tensors, id: string): Tensors {
  const own = Object.entries(tensors).filter(([name]) => name.startsWith(`${id}.`));
  return Object.fromEntries(own.map(([name, values]) => [name.slice(id.length + 1), values]));
}

/** Numbers of a tensor of one replica. */
export function lengthOf({ per, width = 1 }: TensorSpec, sizes: StateSizes): number {
  return (per === 'replica' ? 1 : sizes[per]) * width;
}

/** Bytes of a state of one replica. */
export function bytesOfState(spec: StateSpec, sizes: StateSizes): number {
  return Object.values(spec).reduce((sum, tensor) => sum + lengthOf(tensor, sizes) * bytesOf(tensor.type), 0);
}

/** A tensor that has to be there, of the type that it has to have. */
export function tensorOf<K extends NumberType>(tensors: Tensors, name: string, type: K): ArrayOf<K> {
  const found = tensors[name];
  if (!(found instanceof ARRAYS[type])) throw new Error(`The state of this run holds no ${type} tensor “${name}”.`);
  return found as NumberArray as ArrayOf<K>;
}

/** [S, parameters] of a state. */
export const thetaOf = ({ tensors }: Pick<TrainState, 'tensors'>): Float32Array => tensorOf(tensors, 'theta', 'f32');

/** Part of a state: replicas from … from + count of S. */
export function replicasOf(state: TrainState, S: number, from: number, count: number): TrainState {
  const cut = (array: NumberArray): NumberArray => {
    const size = array.length / S;
    return array.slice(from * size, (from + count) * size);
  };
  const parts = Object.entries(state.tensors).map(([name, array]) => [name, cut(array)] as const);
  return { ...state, tensors: Object.fromEntries(parts) };
}

/** States of neighboring replicas as one, in order. They hold the same tensors. */
export function joinReplicas(parts: readonly TrainState[]): TrainState {
  const first = parts[0]!;
  const join = (name: string): NumberArray => {
    const arrays = parts.map(({ tensors }) => tensors[name]!);
    const type = (Object.keys(ARRAYS) as NumberType[]).find((key) => arrays[0] instanceof ARRAYS[key])!;
    const joined = zeros(
      type,
      arrays.reduce((n, { length }) => n + length, 0),
    );
    let at = 0;
    for (const array of arrays) {
      joined.set(array, at);
      at += array.length;
    }
    return joined;
  };
  return { ...first, tensors: Object.fromEntries(Object.keys(first.tensors).map((name) => [name, join(name)])) };
}

/**
 * What of a state goes into a fork: tensors that the fork declares and none of whose reasons has changed. The others are
 * left out, so that they start over.
 */
export function atFork(tensors: Tensors, spec: StateSpec, changed: ReadonlySet<ForkChange>): Tensors {
  const keeps = (name: string): boolean => {
    const onFork = spec[name]?.onFork ?? 'reset';
    return typeof onFork === 'string' ? onFork === 'keep' : !onFork.some((change) => changed.has(change));
  };
  return Object.fromEntries(Object.entries(tensors).filter(([name]) => keeps(name)));
}
