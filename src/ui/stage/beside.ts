import { updateNumber } from '../../core/counting.ts';
import type { BesideShown, Snapshot } from '../../worker/protocol.ts';

/** What trained beside a batch, as a batch of its own that stage, list and strips can show. `of`: the batch. */
export type Beside = Snapshot & Pick<BesideShown, 'rows' | 'ratio' | 'weight' | 'left'> & { readonly of: Snapshot };

const made = new WeakMap<Snapshot, Beside>();

/** What trained beside a batch; null: nothing did. It has no exact values, no parts and no reward but that of the world. */
export function besideOf(batch: Snapshot): Beside | null {
  const { beside, forks: _, ...rest } = batch;
  if (!beside || beside.B === 0) return null;
  let known = made.get(batch);
  if (!known) {
    known = { ...rest, ...beside, judged: null, parts: [], exact: null, of: batch };
    made.set(batch, known);
  }
  return known;
}

export const isBeside = (shown: Snapshot): shown is Beside => 'of' in shown;

/** The batch itself, whichever of the two is shown. */
export const batchOf = (shown: Snapshot): Snapshot => (isBeside(shown) ? shown.of : shown);

type Rows = Pick<Beside, 'rows'>;

/** Where an episode is from, in a few words. */
export function cameFrom({ rows }: Rows, i: number): string {
  const { origin, update, sender } = rows[i]!.came;
  if (origin === 'peer') return `from tab ${sender ?? '?'}`;
  if (origin === 'replay' && update !== undefined) return `from update ${updateNumber(update)}`;
  return { search: 'by search', demo: 'by the solver' }[origin as string] ?? origin;
}

/** How an episode trains, in a word. */
export const howItTrains = ({ rows }: Rows, i: number): string =>
  !rows[i]!.isImitated ? 'trains again' : rows[i]!.times > 1 ? `imitated ${rows[i]!.times} times` : 'imitated';

const two = (x: number): string => (x >= 100 || (x > 0 && x < 0.005) ? x.toExponential(1) : x.toFixed(2));

/** The importance weights of an episode: their mean, and from the smallest to the largest. */
export function weightsOf({ ratio, T, length }: Pick<Beside, 'ratio' | 'T' | 'length'>, i: number) {
  const own = ratio.subarray(i * T, i * T + length[i]!);
  const mean = own.reduce((sum, x) => sum + x, 0) / Math.max(1, own.length);
  return { mean: two(mean), low: two(Math.min(...own)), high: two(Math.max(...own)) };
}

/** The importance weight of one step. */
export const weightAt = ({ ratio, T }: Pick<Beside, 'ratio' | 'T'>, i: number, t: number): string =>
  two(ratio[i * T + t]!);

/** All that is known of where an episode is from and how it trains, in sentences. */
export function besideSentence(shown: Beside, i: number): string {
  const { came, isImitated, times } = shown.rows[i]!;
  const from =
    came.origin === 'peer'
      ? `Another tab played it (tab ${came.sender}); it came in update ${updateNumber(came.update ?? 0)}.`
      : came.origin === 'replay'
        ? `It was played in update ${updateNumber(came.update ?? 0)}.`
        : `It was found by ${came.origin === 'search' ? 'a search' : 'the solver'}.`;
  const { mean, low, high } = weightsOf(shown, i);
  const how = isImitated
    ? `A separate step imitates it${times > 1 ? `, ${times} times` : ''}.`
    : `It trains beside the batch, with importance weights π/π_old of ${low} to ${high}, ${mean} on average.`;
  return `${from} ${how}`;
}
