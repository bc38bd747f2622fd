import type { Batch } from '../../contract/columns.ts';
import type { Estimator } from '../types.ts';

/** [B·T] 1 where a step does what the last actions from `first` on do. */
export const stepsFrom = ({ action }: Pick<Batch, 'action'>, first: number): Uint8Array =>
  Uint8Array.from(action, (a) => (a >= first ? 1 : 0));

/**
 * An estimator that compares a step that writes a note with no other that began in the same state: the world stood still
 * there while notes differed, and what a note is worth shows in what came of the whole episode.
 * `first`: the action that writes the first symbol; null: nobody writes notes.
 */
export function withNotesApart(estimator: Estimator, first: number | null): Estimator {
  if (first === null) return estimator;
  const { gpu, scratch, ...onCpu } = estimator;
  // no device knows when a note is due, and nobody can answer then
  if (estimator.needs.includes('answerProb')) return onCpu;
  if (!estimator.needs.includes('stateKey') && !estimator.needs.includes('obsCells')) return estimator;
  const { explain } = estimator;
  const split = (batch: Batch): Batch => ({ ...batch, apart: stepsFrom(batch, first) });
  // no record of its own: a build takes apart what records compute with
  const made: Estimator = {
    ...onCpu,
    needs: [...new Set([...estimator.needs, 'action'] as const)],
    run: (batch, params) => estimator.run(split(batch), params),
    ...(gpu && {
      // sets without them take two columns more; who has a form for devices says what it takes
      scratch: (params) => 2 + scratch!(params),
      gpu: (ops, params) => gpu(ops.keepApart(first), params),
    }),
    ...(explain && { explain: (batch, params, step) => explain(split(batch), params, step) }),
  };
  return made;
}
