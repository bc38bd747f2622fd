import { countsOrigin } from '../../contract/rows.ts';
import { cameFrom, isBeside, weightAt } from '../stage/beside.ts';
import { isDemonstration } from '../stage/episodes.ts';
import { agreement } from '../../core/fidelity.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { ownValues, type Layer } from './strips.ts';

const share = (n: number, of: number): string => `${Math.round((100 * n) / Math.max(1, of))} %`;

type Seen = Pick<Snapshot, 'B' | 'T' | 'length' | 'success' | 'origin'>;

/** Demonstrations among the episodes of a batch. */
export const shownIn = ({ origin }: Pick<Snapshot, 'origin'>): number =>
  origin.reduce((sum, x) => sum + Number(!countsOrigin(x)), 0);

/** The policy's own episodes in which not every step has the same credit. */
export function uneven({ B, T, length, origin }: Seen, values: Float32Array): number {
  let count = 0;
  for (let i = 0; i < B; i++) {
    if (!countsOrigin(origin[i]!)) continue;
    const first = values[i * T]!;
    const slack = 1e-4 * Math.max(1e-3, Math.abs(first));
    for (let t = 1; t < length[i]!; t++) {
      if (Math.abs(values[i * T + t]! - first) <= slack) continue;
      count++;
      break;
    }
  }
  return count;
}

/** What one sees in a strip, in two sentences about the policy's own episodes. */
export function whatOneSees(seen: Seen, layer: Layer): string {
  const values = ownValues(seen, layer.values);
  const shown = shownIn(seen);
  const own = seen.B - shown;
  const n = values.length;
  const up = values.reduce((sum, x) => sum + (x > 0 ? 1 : 0), 0);
  const none = values.reduce((sum, x) => sum + (x === 0 ? 1 : 0), 0);
  const won = seen.success.reduce((sum, s, i) => sum + (countsOrigin(seen.origin[i]!) ? s : 0), 0);
  const apart = shown === 0 ? '' : ` ${leftOut(shown)}`;
  const ended = `${won} of ${own}${shown === 0 ? '' : ' own'} episodes reached the goal.${apart}`;
  if (none === n)
    return `${ended} ${layer.title} says nothing: where all episodes of a task end alike, none is better.`;
  const silent = none > 0 ? ` and says nothing about ${share(none, n)}` : '';
  const says = `${layer.title} encourages ${share(up, n)} of the ${n} steps${silent}.`;
  const inside = uneven(seen, layer.values);
  const how =
    inside === 0
      ? 'All steps of an episode get the same credit: good and bad moves are not told apart.'
      : `Credit differs between steps in ${inside} of ${own} episodes.`;
  return `${ended} ${says} ${how}`;
}

/** That demonstrations do not count. */
export const leftOut = (shown: number): string =>
  shown === 1 ? 'The demonstration is left out.' : `The ${shown} demonstrations are left out.`;

/** Above this many numbers the agreement of a part is not worked out while someone waits. */
const MANY = 60_000;

/** How well a layer agrees with the exact advantage, in words; null where there is no exact advantage. */
export function agreementSentence(snapshot: Snapshot, layer: Layer): string | null {
  if (!snapshot.exact) return null;
  let { creditSign: sign, creditCorr: corr } = snapshot;
  if (layer.id !== 'total') {
    if (snapshot.B * snapshot.T > MANY) return null;
    const found = agreement(
      ownValues(snapshot, layer.values),
      ownValues(snapshot, snapshot.exact),
      snapshot.signThreshold,
    );
    sign = found.sign;
    corr = found.pearson;
  }
  if (sign === null) return 'No step of this batch made a difference, so there is nothing to agree on.';
  const how = corr === null ? '' : `; correlation ${signed(Number(corr.toFixed(2)))}`;
  return `${layer.title} agrees in sign with the exact advantage on ${Math.round(sign * 100)} % of the steps that made a difference${how}.`;
}

/** Credit as people read it: sizes that rounding alone can make are about 0. */
export function credit(x: number): string {
  return x !== 0 && Math.abs(x) < 5e-4 ? '≈ 0' : signed(x);
}

/** Which step, and what was done in it. */
export function stepName(snapshot: Snapshot, i: number, t: number): string {
  const action = snapshot.actions[snapshot.action[i * snapshot.T + t]!];
  if (isBeside(snapshot))
    return `Episode ${i + 1} beside the batch (${cameFrom(snapshot, i)}), step ${t + 1} of ${snapshot.length[i]}: ${action}`;
  const ending = isDemonstration(snapshot, i) ? 'demonstration' : snapshot.success[i] === 1 ? 'success' : 'failure';
  return `Episode ${i + 1} (task ${snapshot.taskIndex[i]! + 1}, ${ending}), step ${t + 1} of ${snapshot.length[i]}: ${action}`;
}

/** One step in words: for the line under the strips, for screen readers, and for the focused cell. */
export function stepSentence(snapshot: Snapshot, layer: Layer, i: number, t: number): string {
  const k = i * snapshot.T + t;
  const exact = snapshot.exact && layer.id !== 'exact' ? `, exact ${credit(snapshot.exact[k]!)}` : '';
  const weight = isBeside(snapshot) ? `, importance weight ${weightAt(snapshot, i, t)}` : '';
  return `${stepName(snapshot, i, t)}, credit ${credit(layer.values[k]!)}${exact}${weight}.`;
}
