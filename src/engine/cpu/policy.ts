import type { Arrays } from '../arrays.ts';
import type { Live } from '../backend.ts';
import type { ScoreLayers } from '../../slots/types.ts';
import type { FirstLayer, Layers } from '../../contract/network.ts';
import type { Kernels } from '../../networks/kernels.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { Asking } from './asking.ts';
import { UnitPolicy } from './unitPolicy.ts';

/** Sums over the real steps of one minibatch, or of the whole batch when it is only looked at. */
export type Tally = {
  policyLoss: number;
  valueLoss: number;
  klRef: number;
  /** Σ ρ − 1 − log ρ, largest ρ, units, steps */
  approxKL: number;
  ratioMax: number;
  /** Σ ρ, Σ Δ, Σ Δ², and units by clip code, their own or that of the usual bounds; units whose ratio is outside the bounds */
  ratio: number;
  delta: number;
  deltaSquares: number;
  readonly clips: number[];
  outside: number;
  units: number;
  steps: number;
};

export function emptyTally(): Tally {
  return {
    ...{ policyLoss: 0, valueLoss: 0, klRef: 0, approxKL: 0, ratioMax: 0, units: 0, steps: 0 },
    ...{ ratio: 0, delta: 0, deltaSquares: 0, clips: [0, 0, 0, 0, 0, 0], outside: 0 },
  };
}

/** The rollout that actions are chosen for. */
export type Acting = {
  readonly arrays: Arrays;
  readonly theta: Float32Array;
  readonly tasks: Tasks;
  readonly mode: Mode;
  /** replica */
  readonly s: number;
  /** [B, T] of the replica: action + 1 where it is not the policy that chooses */
  readonly forced?: Uint32Array | null;
  /** [B] of the replica: bits of the actions of which a row takes the most likely one */
  readonly likely?: Uint32Array | undefined;
  /** the logits are divided by it; that of the plan if not said */
  readonly temperature?: number;
  /** further rounds of a batch draw as if their rows came after all rows before; 0 if not said */
  readonly round?: number | undefined;
};

/** Episodes to learn from, to measure with, with the most likely action of every step, or of the pass@k panel. */
export type Mode = 'train' | 'eval' | 'side' | 'panel';

/** A policy at the steps of one replica, whoever played them. */
export type Seen = {
  /** [B, T, actions] π(·|o) */
  readonly probs: Float32Array;
  /** [B, T] entropy of the action */
  readonly entropy: Float32Array;
  /** [B, T, decisions] entropy of each decision; empty where a step is one */
  readonly unitEntropy: Float32Array;
};

/** What a gradient is taken of. */
export type Learning = {
  readonly arrays: Arrays;
  readonly theta: Float32Array;
  readonly reference: Float32Array;
  /** [S, B, T] advantage and value target */
  readonly A: Float32Array;
  /** [S, B, T, K] advantage of each unit, where that is not the same for all units of a step */
  readonly unitA?: Float32Array | null;
  readonly target: Float32Array | null;
  /** [S, B, T, K] value target of each unit, where V before each has its own; empty where not */
  readonly unitTarget?: Float32Array;
  readonly s: number;
  readonly live: Live;
  /** null: only look */
  readonly gradient: Float32Array | null;
  readonly tally: Tally;
  /** [S, B, T] Δ of each step, written here */
  readonly delta: Float32Array;
  /** marks of the objective's survey, where it has one: of unit d of a step at step·unitsMax + d */
  readonly mark?: Float64Array | null;
  /** trajectories that a constant average is taken over, where that is more than learn */
  readonly rows?: number | undefined;
  /** [S, B, T] what is learned about, written down as commands are, where that is not what was played */
  readonly chosen?: Uint32Array | null;
  /** parameters whose gradient is taken; all if not said */
  readonly layers?: Layers;
  /** of everything but the critic: 0 while only that learns; 1 if not said */
  readonly policyWeight?: number;
};

/**
 * A policy on the CPU path: decides in rollouts, gives the gradient of the loss, and tells π(a|o) for views. Works on
 * at most `chunk` rows at a time; buffers are made once.
 */
export interface CpuPolicy {
  /** what computes its layers, with room for the arrays of the backend (`ownFloats`) */
  readonly kernels: Kernels;
  readonly chunk: number;
  /** the network's first layer over bits, where a backward adds to every other parameter once */
  readonly first?: FirstLayer | undefined;
  /** [size] for the gradient of one chunk where there is no such layer: taken from 0, it is the same on whichever core */
  readonly ofChunk: Float32Array;
  /** Decisions of trajectory `row` (one a step, unless a step is written in several words), and their largest number. */
  unitsOf(arrays: Arrays, row: number): number;
  readonly unitsMax: number;
  /** Decisions of one step (flat index). */
  unitsAt(arrays: Arrays, step: number): number;
  /** log π of every decision of each step, into out[step·unitsMax + d]; and where asked, what π looks like. */
  unitLogProbs(asking: Asking, out: Float64Array, seen?: Seen): void;
  /** Chooses for rows[from … from + n) at step t: action, log-probability, entropy, value, π. False if not finite. */
  decide(acting: Acting, rows: readonly number[], from: number, n: number, t: number): boolean;
  /** V of the states after the last step, of trajectories first … first + n of replica s; n ≤ chunk. */
  finalValues(arrays: Arrays, theta: Float32Array, s: number, first: number, n: number): void;
  /** Loss and gradient of n steps (flat indices) with their weights. */
  learn(learning: Learning, step: Int32Array, weight: Float64Array, n: number): void;
  /** π(·|o) over actions at the k-th step, into out[k·actions …]. */
  stepProbs(asking: Asking, out: Float32Array): void;
  /** log π(a|o) of the stored action of each step, into out[step]. */
  logProbs(asking: Asking, out: Float32Array): void;
  /** gradient += Σ_k slope[k]·∂log π(a|o)/∂θ over the steps; by the parameters of the last layer only, if so asked. */
  addLogpGradient(asking: Asking, slope: Float64Array, gradient: Float32Array, layers?: ScoreLayers): void;
  /** π(a|o) of n observations [n, obsWords] without history, with the parameters at theta[0 …], into out [n, actions]. */
  probsOf(theta: Float32Array, obs: Uint32Array, legal: Uint32Array, n: number, out: Float32Array): void;
}

/** `own`: floats of the kernels' memory that are left for arrays of whoever uses the policy. */
export function makeCpuPolicy(plan: Plan, own = 0): CpuPolicy {
  return new UnitPolicy(plan, own);
}
