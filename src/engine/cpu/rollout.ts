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
  /** plays fresh rows on several cores, with what is after their last steps; undefined: it leaves these to this one */
  readonly spread?: ((play: Play) => boolean | undefined) | undefined;
};

/**
 * Plays the B rows of replica s and fills its part of the arrays.
 * Batches that train have the rows of the plan's scheme.
 * Returns false if the network gave a non-finite number.
 */
export function rolloutReplica(
  plan: Plan,
  arrays: Arrays,
  { policy, theta, tasks, mode, rounds, shows, memory, spread }: Rollout,
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
  let isWhole = false;
  if (mode === 'train' && scheme) {
    const came = scheme.forks ? new Int32Array(B * T) : null;
    const perRow = { without: new Uint32Array(B), likely: new Uint32Array(B) };
    finite = playPhases({ ...play, forced: new Uint32Array(B * T), ...perRow, came }, scheme);
    if (rounds && !rounds.play(play)) finite = false;
  } else {
    const found = spread?.(play);
    isWhole = found !== undefined;
    finite = found ?? playFresh(play, first, B);
  }
  if (arrays.obsCells.length > 0) {
    const of = { obs: part(arrays.obs, plan.S, s), length: part(arrays.length, plan.S, s) };
    part(arrays.obsCells, plan.S, s).set(cellsOfSteps(plan, of));
  }
  tellDecided(plan, arrays, tasks, s);
  if (!isWhole) judgeEnds(play, first, B);
  return finite;
}

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
function clearReplica(plan: Plan, arrays: Arrays, s: number): void {
  for (const array of Object.values(arrays)) {
    const size = array.length / plan.S;
    array.fill(0, s * size, (s + 1) * size);
  }
}
