import type { Batch, BatchField } from '../../contract/columns.ts';
import type { Report } from '../../core/report.ts';
import type { WeightSums } from '../../core/math/weightSums.ts';
import type { groupShares } from '../../core/math/creditStats.ts';

/** Where a number is shown (spec metrics §12). */
export type MetricGroup = 'live' | 'exploration' | 'data' | 'structure' | 'optimizer' | 'credit';

/** What a setting, named by its path in a config, must be for a number to exist: one of some values, or above one. */
export type Need = { readonly setting: string } & (
  { readonly is: readonly (string | boolean)[] } | { readonly above: number }
);

/** A finished batch with its credit: the policy's own trajectories, whatever else was played. */
export type BatchSeen = {
  readonly batch: Batch;
  /** trajectory numbers of each task group; flat indices of the real steps */
  readonly groups: readonly (readonly number[])[];
  readonly steps: readonly number[];
  /** [B, T] the credit as the objective sees it, and at these steps */
  readonly A: Float32Array;
  readonly credit: Float64Array;
  /** shares of the task groups that teach, that mixed outcomes, that all solved or all failed */
  readonly shares: ReturnType<typeof groupShares>;
  /** [B, T] value targets, null without a critic; [B, T, 2] both values of a double critic, empty without one */
  readonly target: Float32Array | null;
  readonly heads: Float32Array;
};

/** Entropies of the policy that trains, over its own steps of the batch, in nats. */
export type PolicySeen = {
  /** mean H; entropy of the average policy; mean share of the most there could be; mean of that most */
  readonly H: number;
  readonly marginal: number;
  readonly share: number;
  readonly most: number;
  /** without the temperature, and per written word; NaN where these are not another number */
  readonly plain: number;
  readonly token: number;
};

/** Sums over the units of a look at the batch: see `Tally` in engine/cpu/policy.ts. */
type Sums = {
  readonly policyLoss: number;
  readonly valueLoss: number;
  readonly klRef: number;
  readonly approxKL: number;
  readonly ratioMax: number;
  readonly ratio: number;
  readonly delta: number;
  readonly deltaSquares: number;
  readonly clips: readonly number[];
  readonly outside: number;
  readonly units: number;
  readonly steps: number;
};

/** What an update did: sums of its optimizer steps and of the look at its end, and ratios of the own trajectories there. */
export type UpdateSeen = {
  readonly learned: Sums;
  readonly end: Sums;
  /** true if the look at the end compared with the reference */
  readonly compares: boolean;
  readonly critic: boolean;
  /** mean norm of the gradients before they were cut, and looks with a gradient */
  readonly gradNorm: number;
  readonly optimizerSteps: number;
  /** Δ summed over each trajectory, and of each step */
  readonly perTrajectory: Float64Array;
  readonly perStep: Float64Array;
  /** log-weights of samples that are independent of each other: trajectories, with forks families; their effective size */
  readonly perSample: Float64Array;
  readonly ess: number;
  /** the samples of each task */
  readonly groups: readonly (readonly number[])[];
  /** A, log π_θ and number of units of each step */
  readonly A: Float64Array;
  readonly logp: Float64Array;
  readonly n: Float64Array;
};

/** The look before the first optimizer step. */
export type StartSeen = { readonly ess: number; readonly approxKL: number; readonly units: number };

/** What of a run decides how a report is read. */
export type ReportFacts = {
  /** trajectories and task groups of a batch; words or whole actions; temperature; values of the critic, 0 without one */
  readonly B: number;
  readonly P: number;
  readonly isWritten: boolean;
  readonly temperature: number;
  readonly values: number;
  /** mean entropy of the policy that trains */
  readonly H: number;
  /** was it evaluated, on held-out levels too; compared with the reference; looked at before its first step */
  readonly evaluated: boolean;
  readonly heldOut: boolean;
  readonly compares: boolean;
  readonly hasStart: boolean;
  /** are weights that play rounded, is the choice of actions restricted, is there a process model, a step preview? */
  readonly isRounded: boolean;
  readonly isRestricted: boolean;
  readonly hasProcess: boolean;
  readonly isCut: boolean;
  /** optimizer steps taken, looks with a gradient, and sum of the shares that a preview kept */
  readonly taken: number;
  readonly looks: number;
  readonly kept: number;
};

/**
 * One number that is measured again and again: the one record about it. Its place in the metric record, charts, tables,
 * CSV and the hints where it is a gap are derived. It is computed at one moment of an update, `batch`, `policy`, `start`,
 * `update` or `weights`, and on WebGPU read from the report by `gpu`; one without these is told by whoever owns it (a
 * controller, a survey, the queue). NaN: not measured, or not defined.
 */
export type Metric = {
  readonly id: string;
  readonly title: string;
  readonly group: MetricGroup;
  readonly unit: string;
  /** definition, one sentence */
  readonly doc: string;
  /** what good and bad look like, one sentence */
  readonly look: string;
  readonly range?: readonly [number, number];
  /** measured on the policy that enters an update: its place on a curve is after the update before */
  readonly isBefore?: boolean;
  /** settings without which there is a gap in every run; with all of them there are numbers */
  readonly needs?: readonly Need[];
  /** only of `batch` without `gpu`: columns of the batch that it reads; a run on WebGPU reads them back and waits */
  readonly reads?: readonly BatchField[];
  readonly batch?: (seen: BatchSeen) => number;
  readonly policy?: (seen: PolicySeen) => number;
  readonly start?: (seen: StartSeen) => number;
  readonly update?: (seen: UpdateSeen) => number;
  readonly weights?: (sums: WeightSums) => number;
  /** the same from the report of WebGPU; `weights` needs none */
  readonly gpu?: (report: Report, facts: ReportFacts) => number;
};

/**
 * A metric of the finished batch that is measured only where a config switches it on, under `analysis`: a module, whose
 * column comes after those that every run has. Without `gpu` a run on WebGPU reads back what it `reads`, and waits.
 */
export type ChosenMetric = Metric & {
  /** goes up when the numbers change; the changelog says why */
  readonly rev: number;
  readonly batch: (seen: BatchSeen) => number;
};

/** A metric to choose, which keeps its id as a type. */
export const defineMetric = <const M extends ChosenMetric>(metric: M): M => metric;

/** A list of metrics that keeps their ids as a type. */
export const defineMetrics = <const M extends readonly Metric[]>(list: M): M => list;
