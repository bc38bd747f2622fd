import { part } from '../../contract/columns.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { Player } from './restricted.ts';
import { cellsOfSteps } from '../cells.ts';
import { tellDecided } from '../decided.ts';
import { playRows, resetRow, type Play, type WeightsOf } from './lockstep.ts';
import { playPhases } from './phases.ts';
import type { CpuRounds } from './rounds.ts';

/** Who plays which tasks: with the parameters `theta` [S, size], or with several versions of them. */
export type Rollout = Pick<Play, 'tasks' | 'mode' | 'shows' | 'memory'> & {
  readonly policy: Pick<Player, 'chunk' | 'decide' | 'finalValues'>;
  readonly theta: Float32Array | WeightsOf;
  /** what follows a batch that trains before it is complete */
  readonly rounds?: CpuRounds | null;
};

/**
 * Plays the B rows of replica s and fills its part of the arrays.
 * Batches that train have the rows of the plan's scheme.
 * Returns false if the network gave a non-finite number.
 */
export function rolloutReplica(
  plan: Plan,
  arrays: Arrays,
  { policy, theta, tasks, mode, rounds, shows, memory }: Rollout,
  s: number,
): boolean {
  const { B, T, scheme } = plan;
  const first = s * B;
  const weightsOf = typeof theta === 'function' ? theta : (): Float32Array => theta;
  clearReplica(plan, arrays, s);
  const play: Play = {
    plan,
    arrays,
    policy,
    weightsOf,
    tasks,
    mode,
    s,
    forced: null,
    came: null,
    shows: shows ?? null,
    memory,
  };
  let finite: boolean;
  if (mode === 'train' && scheme) {
    const came = scheme.forks ? new Int32Array(B * T) : null;
    const perRow = { without: new Uint32Array(B), likely: new Uint32Array(B) };
    finite = playPhases({ ...play, forced: new Uint32Array(B * T), ...perRow, came }, scheme);
    if (rounds && !rounds.play(play)) finite = false;
  } else {
    const rows = Array.from({ length: B }, (_, i) => first + i);
    for (const row of rows) resetRow(play, row);
    finite = playRows(play, rows);
  }
  if (arrays.obsCells.length > 0) {
    const of = { obs: part(arrays.obs, plan.S, s), length: part(arrays.length, plan.S, s) };
    part(arrays.obsCells, plan.S, s).set(cellsOfSteps(plan, of));
  }
  tellDecided(plan, arrays, tasks, s);
  if (!plan.critic) return finite;
  // what is after the last step is judged by the version that played it
  const lastOf = (i: number): Float32Array => weightsOf(first + i, arrays.length[first + i]! - 1);
  for (let from = 0, rows = 0; from < B; from += rows) {
    rows = 1;
    while (rows < policy.chunk && from + rows < B && lastOf(from + rows) === lastOf(from)) rows++;
    policy.finalValues(arrays, lastOf(from), s, from, rows);
  }
  return finite;
}

/** Padding must be 0: the last batch may have been longer. */
function clearReplica(plan: Plan, arrays: Arrays, s: number): void {
  for (const array of Object.values(arrays)) {
    const size = array.length / plan.S;
    array.fill(0, s * size, (s + 1) * size);
  }
}
