import type { ModuleForm } from '../contract/module.ts';
import type { Network } from '../contract/network.ts';
import type { Tree } from '../contract/units.ts';
import type { Settings, SettingValue, ValuesOf } from '../core/settings.ts';
import type { Gpu } from '../gpu/device.ts';
import type { GpuNetwork, NetworkBatch } from '../gpu/network.ts';
import type { KernelFloats } from './kernelFloats.ts';
import type { Kernels } from './kernels.ts';
import type { MaybeLater } from './later.ts';
import type { Layout } from './layout.ts';
import type { TokenBuffers } from './transformer/tokenBuffers.ts';

/** Bits that show a board: bit plane·height·width + y·width + x is cell (x, y) of a plane. */
export type Board = { readonly planes: number; readonly height: number; readonly width: number };

/** What a network must know about the task: sizes of observation and action, the language, and the values of a critic. */
export type TaskFacts = {
  /** observation bits in the view of the network */
  readonly features: number;
  /** the board that these bits begin with; null: they are none */
  readonly board: Board | null;
  readonly actions: number;
  /** words of the language, longest observation in words, words of each action's command */
  readonly vocabulary: number;
  readonly observation: number;
  readonly commands: readonly (readonly number[])[];
};
export type ShapeFacts = TaskFacts & { readonly critic: boolean; readonly values: 1 | 2 };

/** The sizes of a network: what all of them say, and whatever else its own functions read. */
export type Shape = { readonly actions: number; readonly critic: boolean; readonly values?: 1 | 2 };

/** A network as data: its sizes, and where its tensors lie in the flat parameter vector. */
export type Sized<Sh extends Shape = Shape, L extends Layout = Layout> = { readonly shape: Sh; readonly layout: L };

/** A row as the lab asks about it: the observation of one step, and what was written in the episode before. */
export type ReadRow = {
  readonly obs: Uint32Array;
  readonly written: Uint32Array;
  /** where the episode begins in `written`, and the step */
  readonly from: number;
  readonly t: number;
};

/** What a network that reads words looked at before it wrote the first one. */
export type Reading = {
  /** tokens of the sequence: what was written before, the observation, and the place of the first word */
  readonly tokens: Int32Array;
  readonly layers: number;
  readonly heads: number;
  /** [layers, heads, tokens] share of its attention that each token gets */
  readonly attention: Float32Array;
};

/** What a config says that a network may have to refuse. */
export type NetworkFacts<Sh extends Shape = Shape> = {
  /** null where the level of the config cannot be made */
  readonly shape: Sh | null;
  readonly backend: string;
  /** does the objective let it choose from some of the legal actions only? */
  readonly narrows: boolean;
};

/** What is wrong (`error`) or has no effect (`hint`) about one of a network's own settings. */
export type NetworkIssue = {
  readonly severity: 'error' | 'hint';
  readonly setting: string;
  readonly message: string;
  readonly repair?: { readonly label: string; readonly value: SettingValue };
};

/** Values of one setting from the largest below the present one down to the least, for a run that takes too much. */
export type Smaller = { readonly setting: string; readonly steps: number; at(step: number): SettingValue };

/**
 * Dispatches of a network on WebGPU: of one that answers all steps of a batch at once, or goes over them in chunks. The two
 * are no choice of data. The first keeps the activations of all steps between its way forward and its way back, so an update
 * is forward, objective, backward, each over the whole batch. A network that writes words has the activations of a context
 * and of a tree of prefixes for every step, hundreds of times as many: those of one chunk must be gone before the next, so
 * head, objective and way back run inside the chunk, and the list of a chunk is encoded as often as the rows need. What an
 * update does with either is behind one interface, `Passes` (engine/gpu/passes.ts).
 */
export type Recording<Sh extends Shape = Shape, L extends Layout = Layout> = {
  answers?(policy: Sized<Sh, L>, batch: NetworkBatch): GpuNetwork;
  chunks?(policy: Sized<Sh, L>, gpu: Gpu, batch: Pick<NetworkBatch, 'S' | 'B' | 'T'>): TokenBuffers;
};

/** These two are methods as far as types go: a list holds records of networks with sizes of their own. */
type MakeNetwork<Sh extends Shape, L extends Layout> = {
  make(policy: Sized<Sh, L>, own: number): Network & { readonly kernels: Kernels };
}['make'];
type ReadNetwork<Sh extends Shape, L extends Layout> = {
  read(policy: Sized<Sh, L>, theta: Float32Array, row: ReadRow): Reading;
}['read'];

/**
 * One record is the only truth about a network: form, link, card, limits, memory estimate, rules, CPU path and WebGPU
 * derive from it. It knows no objective: see contract/network.ts.
 */
export type NetworkModule<S extends Settings = Settings, Sh extends Shape = Shape, L extends Layout = Layout> = Omit<
  ModuleForm<S>,
  'gpu'
> & {
  /** the view it asks the task for; without it whatever the task is set to. `index`: the number of the state, one bit each */
  readonly view?: 'index' | 'tokens';
  /** is it one row of numbers for each state, where nothing is shared and all start at 0? */
  readonly isTable?: true;
  /** is it a chain of dense layers? For those there are kernels that play many steps at once, and gradients of single episodes */
  readonly isChain?: true;
  /** does it answer lists of steps on WebGPU (gpu/network.ts)? */
  readonly isListed?: true;
  /** does it need a board? Then it is made only where the observation of the task is one */
  readonly readsBoard?: true;
  /** steps of the longest episode that it can learn from; without it any */
  readonly mostSteps?: number;
  shape(params: ValuesOf<S>, task: ShapeFacts): Sh;
  layout(shape: Sh): L;
  /** only where an action is written in words: the choices of a step; without it an action is chosen as a whole */
  words?(shape: Sh): Tree;
  /** how many earlier steps count for what it does at a step, Infinity: all; without it none */
  reads?(shape: Sh): number;
  /** numbers that the definition keeps of an episode while it is played; without it none */
  remembered?(shape: Sh): number;
  /** initial weights of a replica at theta[at …]; `activeInputs`: usual number of ones in an observation */
  start(
    policy: Sized<Sh, L>,
    from: { readonly seed: number; readonly activeInputs: number },
    theta: Float32Array,
    at: number,
  ): void;
  /**
   * only where a run trains a part of it alone: the rest, at the beginning of its parameters, is a network by itself, which
   * imitates solutions before the first update and then stays as it is
   */
  imitates?(policy: Sized<Sh, L>): Sized & { readonly network: NetworkModule };
  /** the definition, on the CPU; `own` floats of its kernels' memory are left for arrays of whoever uses it */
  readonly make: MaybeLater<MakeNetwork<Sh, L>>;
  /** floats of its kernels on the CPU */
  cpuFloats(policy: Sized<Sh, L>): KernelFloats;
  /** floats of a replica on WebGPU besides weights and outputs: for every step of a batch of episodes of up to T steps, and once */
  gpuFloats(policy: Sized<Sh, L>, T: number): { readonly perStep: number; readonly once: number };
  /** how it is made smaller where a run takes too much */
  smaller?(params: ValuesOf<S>): Smaller;
  /** why it cannot be made for a task with these settings, before it is; null: it can */
  unfit?(params: ValuesOf<S>, task: TaskFacts): Omit<NetworkIssue, 'severity'> | null;
  issues?(params: ValuesOf<S>, facts: NetworkFacts<Sh>): readonly NetworkIssue[];
  /** only where it reads words: what it looked at */
  readonly reading?: MaybeLater<ReadNetwork<Sh, L>>;
  /** its recording, loaded only where a device runs it; without it experiments with this network train on the CPU */
  gpu?(): Promise<Recording<Sh, L>>;
};

/** A network whose functions get the types of its own settings and sizes. */
export function defineNetwork<const S extends Settings, Sh extends Shape, L extends Layout>(
  network: NetworkModule<S, Sh, L>,
): NetworkModule<S, Sh, L> {
  return network;
}
