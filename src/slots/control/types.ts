import type { ModuleForm } from '../../contract/module.ts';
import type { StateSpec, TensorSpec } from '../../contract/state.ts';
import type { Settings, ValuesOf } from '../../core/settings.ts';

/** The coefficients of a loss that may follow measurements, as the sliders have them or as they are in force. */
export type Coefficients = { readonly klCoef: number; readonly entropyCoef: number };

/** What one update measured of one replica; a number that was not measured is NaN. */
export type Measured = {
  readonly update: number;
  /** KL to the reference, entropy, mean return, evaluation success */
  readonly klRef: number;
  readonly entropy: number;
  readonly reward: number;
  readonly success: number;
  readonly trajectories: number;
  /** updates since the reference was reset last, this one counted */
  readonly since: number;
  /** as the sliders have them */
  readonly live: Coefficients;
  /** number of actions */
  readonly actions: number;
};

/** Numbers that a controller remembers of one replica, by name; a view of the state of the run. */
export type Memory = Readonly<Record<string, Float64Array>>;

/** A declared number of a replica, or several: what it begins with. A fork that has the controller keeps it. */
export const remembered = (start = 0, width = 1): TensorSpec => ({
  ...{ type: 'f64', per: 'replica', width, start, onFork: 'keep' },
});

/**
 * What follows measurements or holds an update back, for every replica by itself. A number that was not measured, or could
 * not be, moves nothing: what is remembered stays finite. `run` decides on the CPU from the record of an update, so that a
 * run on WebGPU has one update in flight; what happens inside an update is a limit, which both paths know how to hold.
 */
export type Controller<S extends Settings = Settings> = ModuleForm<S> & {
  readonly state?: StateSpec;
  /** names of its numbers that start over when the reference is reset */
  readonly atReset?: readonly string[];
  /** the coefficient that it turns, and whether it sets it whatever the slider and other controllers say */
  readonly turns?: keyof Coefficients;
  readonly isAlone?: boolean;
  /** true if KL to the reference is measured for it even while it costs nothing */
  readonly looksAtKl?: boolean;
  /** true if it follows evaluations, without which it does nothing */
  readonly readsEvaluations?: boolean;
  /** true if replicas may skip optimizer steps or start over by themselves, so that each counts its own */
  readonly countsSteps?: boolean;
  /** the coefficients in force, from those without it; pure */
  coefficients?(own: Memory, live: Coefficients, params: ValuesOf<S>): Coefficients;
  /** after an update; `put` adds to its record. True: the current policy becomes the reference now */
  run?(own: Memory, measured: Measured, params: ValuesOf<S>, put: (metric: string, value: number) => void): boolean;
  /** KL that a look may find the policy from where the update started; beyond it no further step is taken */
  stopsAt?(params: ValuesOf<S>): number;
  /** KL to the reference up to which a step is left alone; beyond it a share of the step is taken back */
  cutsAt?(params: ValuesOf<S>): number;
};

/** A controller whose functions get the types of its own settings. */
export function defineController<const S extends Settings>(controller: Controller<S>): Controller<S> {
  return controller;
}
