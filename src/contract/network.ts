/** Numbers that a network answers with: those of row k begin at first + k·stride, and the gradient by them in `d` alike. */
export type Outputs = {
  readonly out: Float32Array;
  readonly d: Float32Array;
  readonly first: number;
  readonly stride: number;
  /** of one row */
  readonly count: number;
  /** only where every beginning of what a step decides has its own: those of prefix j begin j·perPrefix later */
  readonly perPrefix?: number;
};

/**
 * What trajectories saw and did: observations [rows, T + 1, obsWords], and what was written down [rows, T]. T = 0: single
 * observations without a past.
 */
export type History = {
  readonly obs: Uint32Array;
  readonly written: Uint32Array;
  readonly T: number;
  readonly obsWords: number;
  /** [rows, memory of the network] what it remembers after the step that was read last, written by `forward` */
  readonly memory?: Float32Array;
  /** true: `memory` is that of the step before the one that is read, under these parameters; else it is recomputed */
  readonly recalls?: boolean;
};

/** What a row looked at in its past: [layers, heads, steps] share of its attention, the first for step `first`, the last its own. */
export type LookedBack = {
  readonly layers: number;
  readonly heads: number;
  readonly first: number;
  readonly shares: Float32Array;
};

/** Parameters whose gradient is asked for: all, those of the last layer, which needs no way back, or all but of `first`. */
export type Layers = 'all' | 'last' | 'butFirst';

/**
 * A first layer over bits, whose gradient adds up row by row, and where the last backward left what that is made of:
 * `rows` rows of bits and ∂L/∂Y of each, for every row that the network answers.
 */
export type FirstLayer = {
  readonly inputs: number;
  readonly out: number;
  readonly weightAt: number;
  readonly biasAt: number;
  readonly rows: number;
  readonly words: number;
  readonly dY: Float32Array;
  /** rows that the last backward left, where an answer has up to `rows` of them */
  left?(): number;
  /** writes the bits of the n-th of its rows to out[at …] */
  copyBits(n: number, out: Uint32Array, at: number): void;
};

/**
 * A network on the CPU. It turns rows × steps into logits and values, and their gradient into that of its parameters. It
 * knows no objective: what the numbers are for is the business of whoever fills `d`.
 */
export type Network = {
  /** rows that it answers at once */
  readonly chunk: number;
  /** numbers that it remembers of a trajectory from step to step, cleared at its start; none where it does not say */
  readonly memory?: number;
  /** logits of every slot of the tree of decisions */
  readonly logits: Outputs;
  /** V(o) of each head of a critic, or V(o, w) after each beginning w; none without one */
  readonly values: Outputs;
  /** numbers of the last layer before the answers, of the rows of the last forward; none where there is no such layer */
  readonly hidden?: Omit<Outputs, 'd'>;
  /** numbers of each hidden layer in turn, of the last row of the last forward: `hidden` is the last. Absent: only that is told */
  depths?(): readonly Float32Array[];
  /** of a network that looks back at single steps: what the last row of the last forward looked at, where that recalled nothing */
  lookedBack?(): LookedBack;
  /** only where a backward adds to every parameter once, but for those of a first layer over bits: that layer */
  readonly first?: FirstLayer;
  /** forgets the rows that were read */
  clear(): void;
  /** the next row: step t of a trajectory, with as much of its past as the network remembers */
  read(history: History, row: number, t: number): void;
  /** answers the rows that were read, with the parameters at theta[from …] */
  forward(theta: Float32Array, from: number): void;
  /** gradient += ∂L/∂θ, from `d` of logits and values and what the last forward left */
  backward(theta: Float32Array, from: number, gradient: Float32Array, layers?: Layers): void;
};
