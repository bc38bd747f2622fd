import { part } from '../../contract/columns.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { isCpuOnly } from '../../slots/rollout/types.ts';
import { cellsOfSteps } from '../cells.ts';
import { tellDecided } from '../decided.ts';
import { drive, type Waiting } from '../waiting.ts';
import { APART, playRows, resetRow, type Play, type WeightsOf } from './lockstep.ts';
import { playPhases } from './phases.ts';
import type { Player } from './restricted.ts';
import type { CpuRounds } from './rounds.ts';
import type { Spread } from './update.ts';

/** Who plays which tasks: with the parameters `theta` [S, size], or with several versions of them. */
export type Rollout = Pick<Play, 'tasks' | 'mode' | 'shows' | 'memory' | 'site'> & {
  readonly policy: Pick<Player, 'chunk' | 'decide' | 'finalValues'>;
  readonly theta: Float32Array | WeightsOf;
  /** what follows a batch that trains before it is complete */
  readonly rounds?: CpuRounds | null;
};

/** What is played next in replica s, whose part of the arrays is cleared for it. */
export function playOf(plan: Plan, arrays: Arrays, { theta, ...by }: Rollout, s: number): Play {
  const weightsOf = typeof theta === 'function' ? theta : (): Float32Array => theta;
  clearReplica(plan, arrays, s);
  return { plan, arrays, weightsOf, s, forced: null, came: null, ...by };
}

/**
 * Plays the B rows of a replica and fills its part of the arrays. Batches that train have the rows of the plan's scheme.
 * Gives false if the network gave a non-finite number.
 */
export function* playReplica(play: Play, rounds?: CpuRounds | null, spread: Spread | null = null): Waiting<boolean> {
  const { plan, arrays, tasks, mode, s } = play;
  const { B, T, scheme } = plan;
  const first = s * B;
  let finite: boolean;
  if (mode === 'train' && scheme) {
    const came = scheme.forks ? new Int32Array(B * T) : null;
    const perRow = { without: new Uint32Array(B), likely: new Uint32Array(B) };
    const planned = { ...play, forced: new Uint32Array(B * T), ...perRow, came };
    finite = yield* playPhases(planned, scheme, (rows, begins) => playPlaced(planned, rows, begins, spread));
    if (rounds && !(yield* rounds.play(play, spread))) finite = false;
    if (isOpen(play)) judgeEnds(play, first, B);
  } else {
    for (let row = first; row < first + B; row++) resetRow(play, row);
    finite = yield* playPlaced(play, first, Array<number>(B).fill(0), spread);
  }
  if (arrays.obsCells.length > 0) {
    const of = { obs: part(arrays.obs, plan.S, s), length: part(arrays.length, plan.S, s) };
    part(arrays.obsCells, plan.S, s).set(cellsOfSteps(plan, of));
  }
  tellDecided(plan, arrays, tasks, s);
  return finite;
}

/** Both, on this core: nothing is waited for. */
export const rolloutReplica = (plan: Plan, arrays: Arrays, rollout: Rollout, s: number): boolean =>
  drive(playReplica(playOf(plan, arrays, rollout, s), rollout.rounds)) as boolean;

/**
 * Plays rows from row `first` on that stand where they begin, row `first + k` before step `begins[k]`, each to its end; on
 * several cores where `spread` says so.
 */
export function* playPlaced(
  play: Play,
  first: number,
  begins: readonly number[],
  spread: Spread | null,
): Waiting<boolean> {
  const finite = spread ? yield* spread.play(play, first, begins) : undefined;
  return finite ?? playHere(play, first, begins);
}

/** The same on this core. */
export function playHere(play: Play, first: number, begins: readonly number[]): boolean {
  const rows = begins.map((_, k) => first + k);
  const finite = playRows(play, rows, (row) => begins[row - first]!);
  if (!isOpen(play)) judgeEnds(play, first, rows.length);
  return finite;
}

/** Other rows may still take the places of those of a batch: they are judged when all are there. Rows of before never are. */
const isOpen = ({ plan: { scheme }, mode, round }: Play): boolean =>
  round === APART || (mode === 'train' && scheme !== null && isCpuOnly(scheme));

/** V after the last step of these rows, where there is a critic: by the version that played that step. */
function judgeEnds({ plan, arrays, policy, weightsOf, tasks, s }: Play, first: number, count: number): void {
  if (!plan.critic) return;
  const lastOf = (i: number): Float32Array => weightsOf(first + i, arrays.length[first + i]! - 1, tasks);
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
