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

/** What is played next in replica s, whose part of the arrays is cleared for it. */
export function playOf(plan: Plan, arrays: Arrays, { theta, ...by }: Rollout, s: number): Play {
  const weightsOf = typeof theta === 'function' ? theta : (): Float32Array => theta;
  clearReplica(plan, arrays, s);
  const { policy, tasks, mode, shows = null, memory } = by;
  return { plan, arrays, policy, weightsOf, tasks, mode, s, forced: null, came: null, shows, memory };
}

/**
 * Plays the B rows of a replica and fills its part of the arrays. Batches that train have the rows of the plan's scheme.
 * `isFinite`: its rows have been played on several cores, with what is after their last steps, and this came of it.
 * Returns false if the network gave a non-finite number.
 */
export function playReplica(play: Play, rounds?: CpuRounds | null, isFinite?: boolean): boolean {
  const { plan, arrays, tasks, mode, s } = play;
  const { B, T, scheme } = plan;
  const first = s * B;
  let finite: boolean;
  if (mode === 'train' && scheme) {
    const came = scheme.forks ? new Int32Array(B * T) : null;
    const perRow = { without: new Uint32Array(B), likely: new Uint32Array(B) };
    finite = playPhases({ ...play, forced: new Uint32Array(B * T), ...perRow, came }, scheme);
    if (rounds && !rounds.play(play)) finite = false;
  } else finite = isFinite ?? playFresh(play, first, B);
  if (arrays.obsCells.length > 0) {
    const of = { obs: part(arrays.obs, plan.S, s), length: part(arrays.length, plan.S, s) };
    part(arrays.obsCells, plan.S, s).set(cellsOfSteps(plan, of));
  }
  tellDecided(plan, arrays, tasks, s);
  if (isFinite === undefined) judgeEnds(play, first, B);
  return finite;
}

/** Both. */
export const rolloutReplica = (plan: Plan, arrays: Arrays, rollout: Rollout, s: number): boolean =>
  playReplica(playOf(plan, arrays, rollout, s), rollout.rounds);

/** Plays `count` rows from row `first` on, each from the start of its task to its end. */
export function playFresh(play: Play, first: number, count: number): boolean {
  const rows = Array.from({ length: count }, (_, i) => first + i);
  for (const row of rows) resetRow(play, row);
  return playRows(play, rows);
}

/** V after the last step of these rows, where there is a critic: by the version that played that step. */
export function judgeEnds({ plan, arrays, policy, weightsOf, s }: Play, first: number, count: number): void {
  if (!plan.critic) return;
  const lastOf = (i: number): Float32Array => weightsOf(first + i, arrays.length[first + i]! - 1);
  for (let from = 0, rows = 0; from < count; from += rows) {
    rows = 1;
    while (rows < policy.chunk && from + rows < count && lastOf(from + rows) === lastOf(from)) rows++;
    policy.finalValues(arrays, lastOf(from), s, first - s * plan.B + from, rows);
  }
}

/** Padding must be 0: the last batch may have been longer. */
export function clearReplica(plan: Plan, arrays: Arrays, s: number): void {
  for (const array of Object.values(arrays)) {
    const size = array.length / plan.S;
    array.fill(0, s * size, (s + 1) * size);
  }
}
