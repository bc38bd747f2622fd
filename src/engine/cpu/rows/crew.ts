import type { Arrays } from '../../arrays.ts';
import type { Plan } from '../../plan.ts';
import type { CpuPolicy, Learning } from '../policy.ts';
import type { Sites } from '../sites.ts';
import type { Place, RowCore } from './rowCore.ts';
import type { RowJob } from './rowJob.ts';
import type { RowMemory } from './rowMemory.ts';

/** `versions`: those of a rollout, where they are several; `theta` is one of them. */
export type Weights = Pick<Learning, 'theta' | 'reference'> & { readonly versions?: readonly Float32Array[] };
/** Columns of all rows that a run plays, and of what an update makes of its batch. */
export type RowColumns = { readonly sites: Sites; readonly made: Arrays };

/** The cores of a run while others take part. */
export interface Crew {
  /** where the core that trains reads and writes */
  readonly memory: RowMemory;
  /** chunks that are worked on between two sums */
  readonly wave: number;
  /** of so many cores that take part, those that can add up what chunks left */
  adders(cores: number): number;
  /** So many cores take part, in a session that goes on until it is left. */
  enter(cores: number): void;
  leave(): void;
  /** Does a job with whoever takes part, and gives what somebody said of it: see `Board.raise`. */
  run(job: RowJob, items: number, weights: Weights): number | Promise<number>;
}

/** Who calls others; `own` is its own core, at a place of this crew. */
export type Caller = {
  readonly plan: Plan;
  readonly policy: CpuPolicy;
  readonly columns: RowColumns;
  own(place: Place): RowCore;
};

/** Other cores that a run may have. */
export interface Others {
  readonly count: number;
  /** Resolves when all of them can be asked. */
  call(by: Caller): Promise<Crew>;
  /** They are free for something else. */
  close(): void;
}
