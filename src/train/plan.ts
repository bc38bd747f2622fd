import type { Config } from '../config/slots.ts';
import type { Environment } from '../envs/types.ts';
import type { Estimator, Objective, Optimizer } from '../methods/types.ts';
import type { Layout, NetworkShape } from '../policies/network.ts';
import type { AnyValues } from '../core/settings.ts';

/** A checked config, compiled: all sizes known, all methods looked up. Immutable for the whole run. */
export type Plan = {
  readonly config: Config;
  readonly env: Environment;
  readonly envSettings: AnyValues;
  readonly rewards: AnyValues;
  /** replicas, tasks per batch, group size, trajectories, step limit */
  readonly S: number;
  readonly P: number;
  readonly G: number;
  readonly B: number;
  readonly T: number;
  readonly actions: number;
  readonly actionNames: readonly string[];
  readonly shape: NetworkShape;
  readonly layout: Layout;
  /** usual number of ones in an observation */
  readonly activeInputs: number;
  readonly estimator: Estimator;
  readonly estimatorParams: AnyValues;
  readonly objective: Objective;
  readonly objectiveParams: AnyValues;
  readonly optimizer: Optimizer;
  readonly optimizerParams: AnyValues;
  /** seed of each replica: config seed + r */
  readonly seeds: Uint32Array;
  /** the table of a tabular policy: keys of all states, sorted by (high, low), and the row of each; null for others */
  readonly index: { readonly keys: Uint32Array; readonly rows: number } | null;
  /** parsed levels, by level seed */
  level(levelSeed: number): unknown;
};

/** Which level and which draws each trajectory gets in one rollout; same order on all backends. */
export type Tasks = {
  readonly update: number;
  /** distinct levels of this rollout */
  readonly levelSeeds: Uint32Array;
  /** [S, B] index into levelSeeds */
  readonly levelOf: Uint32Array;
  /** [S, B] task group inside the replica, 0 ≤ g < P */
  readonly taskIndex: Uint32Array;
  /** [S, B] */
  readonly episodeSeed: Uint32Array;
};
