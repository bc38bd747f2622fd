import { originOf } from '../../contract/rows.ts';
import { updateNumber } from '../../core/counting.ts';
import { signed, many } from '../format.ts';
import { besideSentence, isBeside } from './beside.ts';
import type { Snapshot } from '../../worker/protocol.ts';

export type Ending = 'all' | 'success' | 'failure';
export type Order = 'task' | 'short' | 'long' | 'credit';
/** Which episodes to list: how they ended, how long they were (steps, inclusive), the least size of the largest |A|. */
export type Filter = {
  readonly ending: Ending;
  readonly shortest: number;
  readonly longest: number;
  readonly credit: number;
  readonly order: Order;
};

export const EVERYTHING: Filter = { ending: 'all', shortest: 0, longest: Infinity, credit: 0, order: 'task' };

type Credited = Pick<Snapshot, 'B' | 'T' | 'length' | 'A'>;

/** [B] credit of largest size of each episode, with its sign. */
export function loudest({ B, T, length, A }: Credited): Float32Array {
  const most = new Float32Array(B);
  for (let i = 0; i < B; i++)
    for (let k = i * T; k < i * T + length[i]!; k++) if (Math.abs(A[k]!) > Math.abs(most[i]!)) most[i] = A[k]!;
  return most;
}

/** The credit of largest size in words: its sign says in which direction it is the largest. */
export const mostCredit = (A: number): string => (A === 0 ? 'A is 0' : `A ${A > 0 ? 'up' : 'down'} to ${signed(A)}`);

/** Episodes of a batch that pass the filter, in its order; equal ones by task and number. */
export function listed(
  batch: Pick<Snapshot, 'B' | 'length' | 'success' | 'taskIndex'>,
  most: Float32Array,
  filter: Filter,
): number[] {
  const { length, success, taskIndex } = batch;
  const passes = (i: number): boolean =>
    (filter.ending === 'all' || (success[i] === 1) === (filter.ending === 'success')) &&
    length[i]! >= filter.shortest &&
    length[i]! <= filter.longest &&
    Math.abs(most[i]!) >= filter.credit;
  const rank = (i: number): number =>
    ({ task: 0, short: length[i]!, long: -length[i]!, credit: -Math.abs(most[i]!) })[filter.order];
  return Array.from({ length: batch.B }, (_, i) => i)
    .filter(passes)
    .sort((a, b) => rank(a) - rank(b) || taskIndex[a]! - taskIndex[b]! || a - b);
}

/** Place in a list after a key press; null for keys that mean nothing there. */
export function moveInList(key: string, at: number, count: number): number | null {
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: count - 1 }[key];
  return to === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, to));
}

/** Episodes of one task. */
export function membersOf(taskIndex: Uint32Array, task: number): number[] {
  return Array.from(taskIndex.keys()).filter((i) => taskIndex[i] === task);
}

/** Number of an episode among those of its task, as the player counts. */
export const numberIn = (members: readonly number[], i: number): number => members.indexOf(i) + 1;

/** Two decimals at most, with a real minus sign. */
export const plain = (x: number): string => String(Number(x.toFixed(2))).replace('-', '−');

const steps = (n: number): string => many(n, 'step');

const DEMONSTRATION =
  'This is a demonstration: the solver chose its actions. The policy learns from them, and the charts leave this episode out.';

const HINTED =
  'This episode had a hint, as every episode of its task had failed. It takes the place of one of them; the charts leave it out.';

const DEMO = originOf('demo');
const HINT = originOf('hint');

export const isDemonstration = ({ origin }: Pick<Snapshot, 'origin'>, i: number): boolean => origin[i] === DEMO;

/** True of an episode that was played with a hint. */
export const isHinted = ({ origin }: Pick<Snapshot, 'origin'>, i: number): boolean => origin[i] === HINT;

/** How an episode ended, in a word; a demonstration always reaches the goal. */
export function endingOf(batch: Pick<Snapshot, 'origin' | 'success' | 'repairs'>, i: number): string {
  if (isDemonstration(batch, i)) return '✓ demonstration';
  const repaired = batch.repairs?.[i] ?? 0;
  const how = isHinted(batch, i) ? ' with a hint' : repaired > 0 ? `, repaired at step ${repaired}` : '';
  return `${batch.success[i] === 1 ? '✓ success' : '✗ failure'}${how}`;
}

/** Which batch an episode is from and how it ended; of a demonstration also what that is. */
export function episodeSentence(batch: Snapshot, i: number): string {
  const which = isBeside(batch) ? 'an episode beside it' : 'this episode';
  const ended = batch.success[i] === 1 ? 'reached the goal' : 'did not reach the goal';
  const seen = batch.judged ? ` (${plain(batch.judged.outcome[i]!)} as the estimator sees it)` : '';
  const sentence = `Batch of update ${updateNumber(batch.update)}: ${which} ${ended} in ${steps(batch.length[i]!)}, return ${plain(batch.outcome[i]!)}${seen}.`;
  if (isBeside(batch)) return `${sentence} ${besideSentence(batch, i)}`;
  if (isHinted(batch, i)) return `${sentence} ${HINTED}`;
  const repaired = batch.repairs?.[i] ?? 0;
  if (repaired > 0)
    return `${sentence} It repeats another episode up to step ${repaired}, where the best action was put in place of a mistake; the charts leave it out.`;
  return isDemonstration(batch, i) ? `${sentence} ${DEMONSTRATION}` : sentence;
}
